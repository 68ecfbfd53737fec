// Statistics over calls, machines and charts.

#include <hsm/observe/statistics.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/run/attachment.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <optional>

using hsm::time_span;
using test::hero;
using test::hit;
using test::rest;

namespace {

time_span ms(std::int64_t n) { return time_span::from_nanoseconds(n * 1'000'000); }

} // namespace

TEST_CASE("entries, times and visits of states, transitions and events") {
    const auto chart = test::hero_chart();
    const auto view = chart.view();
    hero h;
    hsm::instance agent{chart, h};
    hsm::statistics figures;
    const auto attached = figures.watch(agent);
    agent.start();
    agent.tick(0.005); // idle
    agent.process(hit{0});
    agent.tick(0.010); // slash -> block
    agent.tick(0.010); // block -> slash
    agent.tick(0.002);
    agent.process(rest{});
    agent.tick(0.001);
    agent.process('x'); // no transition waits for it
    const auto of = [&](const char* path) { return figures.of(view.find(path)); };
    CHECK(of("idle").entries == 2);
    CHECK(of("idle").active == ms(6));
    CHECK(of("idle").longest == ms(5));
    CHECK(of("idle").active_now == 1);
    CHECK(of("fight").entries == 1);
    CHECK(of("fight").active == ms(22));
    CHECK(of("slash").entries == 2);
    CHECK(of("slash").active == ms(12));
    CHECK(of("slash").longest == ms(10));
    CHECK(of("slash").active_now == 0);
    CHECK(of("block").active == ms(10));
    CHECK(of("dead").entries == 0);
    CHECK(of("hero").active == ms(28));
    CHECK(figures.taken(view.transition(1)) == 1);
    CHECK(figures.taken(view.transition(3)) == 1);
    CHECK(figures.taken(view.transition(0)) == 0);
    CHECK(figures.came(view.event(0)) == 1);
    const auto all = figures.of(view);
    CHECK(all.machines == 1);
    CHECK(all.calls == 9);
    CHECK(all.events == 3);
    CHECK(all.unexpected == 1);
    CHECK(all.requests == 1);
    CHECK(all.time == ms(28));
}

TEST_CASE("states that were active before attach count time from attach on, and no entry") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.tick(1.0);
    hsm::statistics figures;
    const auto attached = figures.watch(agent);
    agent.tick(0.5);
    const auto idle = figures.of(chart.view().find("idle"));
    CHECK(idle.entries == 0);
    CHECK(idle.active_now == 1);
    CHECK(idle.active == ms(500));
    CHECK(figures.of(chart.view()).time == ms(500));
    agent.set_state("dead");
    agent.tick(0.25);
    CHECK(figures.of(chart.view().find("idle")).active == ms(500));
    CHECK(figures.of(chart.view().find("dead")).active == ms(250));
    CHECK(figures.of(chart.view().find("dead")).entries == 0);
}

TEST_CASE("a reset of the clock keeps all statistics") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    hsm::statistics figures;
    const auto attached = figures.watch(agent);
    agent.start();
    agent.tick(2.0);
    agent.reset();
    agent.start();
    agent.tick(1.0);
    CHECK(figures.of(chart.view().find("idle")).active == ms(3000));
    CHECK(figures.of(chart.view().find("idle")).longest == ms(2000));
    CHECK(figures.of(chart.view()).time == ms(3000));
}

TEST_CASE("agents of a crowd and instances of an equal chart are counted together") {
    const auto chart = test::hero_chart(), equal = test::hero_chart();
    hsm::statistics figures;
    hsm::crowd<hero> herd(chart);
    const auto of_crowd = figures.watch(herd);
    const auto first = herd.add(hero{}), second = herd.add(hero{});
    herd.tick(1.0);
    herd[first]->process(hit{0});
    herd.tick(0.001);
    hero h;
    hsm::instance agent{equal, h};
    const auto of_agent = figures.watch(agent);
    agent.start();
    agent.tick(0.25);
    const auto view = chart.view();
    CHECK(figures.of(view.find("idle")).entries == 3);
    CHECK(figures.of(view.find("idle")).active_now == 2);
    CHECK(figures.of(equal.view().find("idle")).entries == 3);
    CHECK(figures.of(view).machines == 3);
    herd.remove(second);
    CHECK(figures.of(view.find("idle")).active_now == 1);
    const auto third = herd.add(hero{}); // in the same place
    CHECK(third.index == second.index);
    CHECK(figures.of(view.find("idle")).entries == 4);
    CHECK(figures.of(view.find("idle")).active_now == 2);
    CHECK(figures.of(view).machines == 4);
}

TEST_CASE("each chart of a manager has its own statistics") {
    const auto one = test::hero_chart(), other = test::two_regions_chart();
    hero h;
    hsm::manager all;
    hsm::statistics figures;
    const auto attached = figures.watch(all);
    all.create("one", one, h)->start();
    all.create("other", other, h)->start();
    CHECK(figures.of(one.view().find("idle")).entries == 1);
    CHECK(figures.of(other.view().find("stand")).entries == 1);
    CHECK(figures.of(other.view().find("low")).active_now == 1);
    CHECK(figures.of(test::hero_chart().view().root()).entries == 1);
}

TEST_CASE("an agent in a reused place has its own states and statistics") {
    const auto one = test::hero_chart(), other = test::two_regions_chart();
    hero h;
    hsm::statistics figures;
    hsm::instance first{one, h}, second{other, h};
    auto attached = first.attach(figures);
    first.start();
    attached = second.attach(figures);
    second.start();
    CHECK(figures.of(one.view().find("idle")).entries == 1);
    CHECK(figures.of(other.view().find("stand")).entries == 1);
    CHECK(figures.of(other.view().find("low")).active_now == 1);
}

TEST_CASE("unknown items are zero; clear resets all counts") {
    const auto chart = test::hero_chart();
    hsm::statistics figures;
    CHECK(figures.of(chart.view()).machines == 0);
    CHECK(figures.of(chart.view().root()).entries == 0);
    CHECK(figures.of(hsm::state_view()).entries == 0);
    CHECK(figures.taken(chart.view().transition(0)) == 0);
    CHECK(figures.text().empty());
    hero h;
    hsm::instance agent{chart, h};
    const auto attached = agent.attach(figures, hsm::statistics::kinds);
    agent.start();
    agent.tick(1.0);
    figures.clear();
    agent.tick(0.5);
    const auto idle = figures.of(chart.view().find("idle"));
    CHECK(idle.entries == 0);
    CHECK(idle.active_now == 1);
    CHECK(idle.active == ms(500));
    CHECK(idle.longest == ms(500));
    CHECK(figures.of(chart.view()).calls == 1);
}

TEST_CASE("statistics are printed as a table") {
    auto root = hsm::make_fsm<hero>("hero");
    auto& idle = root->add("idle");
    auto& fight = root->add_fsm("fight");
    fight.add("slash");
    root->add("dead");
    idle.to(fight).on<hit>();
    fight.to(idle).on<rest>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    hsm::statistics figures;
    const auto attached = figures.watch(agent);
    agent.start();
    agent.tick(1.5);
    agent.process(hit{});
    agent.tick(0.5);
    agent.process(rest{});
    agent.process(hit{});
    CHECK(figures.text() == R"(hero: 1 machine, 6 calls, 3 events (0 unexpected), 2.00 s

  entries      active  of time     longest   now  state
        1      2.00 s  100.0 %      2.00 s     1  hero
        2      1.50 s   75.0 %      1.50 s     0    idle
        2   500.00 ms   25.0 %   500.00 ms     1    fight
        2   500.00 ms   25.0 %   500.00 ms     1      slash
        0         0 s    0.0 %         0 s     0    dead

    taken  transition
        2  idle -> fight on test::hit
        1  fight -> idle on test::rest

     came  event
        2  test::hit
        1  test::rest
)");
}

TEST_CASE("the total time of all machines saturates at the maximum") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance one{chart, h}, other{chart, h};
    hsm::statistics figures;
    const auto attached = figures.watch(one), attached_too = figures.watch(other);
    const auto end = time_span::from_nanoseconds(INT64_MAX);
    for (auto* const agent : {&one, &other}) {
        agent->start();
        agent->tick(end);
    }
    CHECK(figures.of(chart.view()).time == end);
    CHECK(figures.of(chart.view().find("hero")).active == end);
}
