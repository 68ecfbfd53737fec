// Breakpoints stop at their places, and nowhere else.

#include <hsm/observe/breakpoint.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/observe/explain.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

using hsm::record_kind;
using test::hero;
using test::hit;
using test::rest;

namespace {

struct stops {
    std::vector<record_kind> kinds;
    auto note() {
        return [this](const hsm::record& r, const hsm::moment&) { kinds.push_back(r.kind); };
    }
    std::size_t take() { return std::exchange(kinds, {}).size(); }
};

/// hungry {calm 1, eats 2}
hsm::chart<hero> hungry_chart() {
    auto root = hsm::make_fsm<hero>("hungry");
    auto& calm = root->add("calm");
    auto& eats = root->add("eats").on_enter([](hero& h) {
        if (h.life == 0) throw std::runtime_error("dead");
    });
    calm.to(eats).when("IsHungry");
    calm.to(eats).on(hsm::range('a', 'z'));
    calm.to(eats).on('c').priority(1);
    calm.to(eats).on<hit>();
    eats.to(calm).on("full");
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("a breakpoint at a state stops only at its entries and exits") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    stops seen;
    hsm::breakpoint stop(chart, seen.note());
    stop.at_entry("fight/slash").at_exit("idle");
    const auto attached = stop.watch(agent);
    agent.start();
    CHECK(seen.take() == 0);
    agent.process(hit{});
    CHECK(seen.kinds == std::vector{record_kind::exited, record_kind::entered});
    seen.take();
    agent.tick(0.01);
    CHECK(seen.take() == 0);
    agent.tick(0.01);
    CHECK(seen.take() == 1);
}

TEST_CASE("a breakpoint stops at a transition for each of its events") {
    const auto chart = hungry_chart();
    hero h;
    hsm::instance agent{chart, h};
    stops seen;
    hsm::breakpoint stop(chart, seen.note());
    stop.at_transition(chart.view().transition(3)); // has two rows, each for some of the events
    const auto attached = stop.watch(agent);
    agent.start();
    for (const char c : {'b', 'd', 'z'}) {
        agent.process(c);
        CHECK(seen.take() == 1);
        agent.process("full");
        CHECK(seen.take() == 0);
    }
    agent.process('c'); // fires the other transition
    CHECK(seen.take() == 0);
}

TEST_CASE("a breakpoint stops at conditions, events and errors") {
    const auto chart = hungry_chart();
    hero h;
    hsm::instance agent{chart, h};
    stops seen;
    hsm::breakpoint stop(chart, seen.note());
    stop.at_condition("IsHungry").at_event<hit>().at_event("full").at_error();
    const auto attached = stop.watch(agent);
    agent.start();
    agent.set("IsHungry");
    CHECK(seen.kinds == std::vector{record_kind::condition});
    agent.set("IsHungry", false);
    CHECK(seen.take() == 2);
    agent.process(rest{});
    CHECK(seen.take() == 0);
    agent.process("full");
    CHECK(seen.take() == 1);
    h.life = 0;
    CHECK_THROWS_AS(agent.process(hit{}), std::runtime_error);
    CHECK(seen.kinds == std::vector{record_kind::event, record_kind::error});
}

TEST_CASE("a breakpoint's callback may query and explain; its exception is thrown after the call") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    std::string where;
    hsm::breakpoint stop(chart, [&](const hsm::record&, const hsm::moment& when) {
        where = agent.current().path() + (when.is_in(chart.find("idle")) ? ", idle" : "");
        throw std::runtime_error("stopped");
    });
    stop.at_transition(chart.view().transition(1));
    const auto attached = stop.watch(agent);
    agent.start();
    CHECK_THROWS_WITH(agent.process(hit{}), "stopped");
    CHECK(where == "hero/idle, idle");
    CHECK(agent.is_in("fight"));
}

TEST_CASE("a breakpoint stops in machines of its chart, or of an equal one, and ignores others") {
    const auto chart = test::hero_chart(), equal = test::hero_chart();
    const auto other = test::two_regions_chart();
    stops seen;
    hsm::breakpoint stop(chart, seen.note());
    stop.at_entry("idle"); // state 1, which is "body" in the other chart
    hsm::crowd<hero> herd(chart);
    hero h;
    hsm::instance one{equal, h}, another{other, h};
    const auto of_crowd = stop.watch(herd), of_one = stop.watch(one), of_another = stop.watch(another);
    herd.add(hero{});
    CHECK(seen.take() == 1);
    one.start();
    CHECK(seen.take() == 1);
    another.start();
    CHECK(seen.take() == 0);
}

TEST_CASE("a breakpoint at an unknown part is an error, and is not added") {
    const auto chart = test::hero_chart();
    stops seen;
    hsm::breakpoint stop(chart, seen.note());
    CHECK_THROWS_WITH_AS(stop.at_entry("slsh"), doctest::Contains("HSM-202"), hsm::state_error);
    CHECK_THROWS_WITH_AS(stop.at_condition("IsHungry"), doctest::Contains("HSM-204"), hsm::condition_error);
    CHECK_THROWS_WITH_AS(stop.at_event("start"), doctest::Contains("the event \"start\" does not belong to this chart"), hsm::usage_error);
    CHECK_THROWS_WITH_AS(stop.at_transition(hungry_chart().view().transition(0)), doctest::Contains("HSM-202"), hsm::usage_error);
    CHECK(stop.kinds() == hsm::record_kinds());
    stop.at_entry("idle").at_error();
    CHECK(stop.kinds() == (record_kind::entered | record_kind::error));
    stop.clear();
    CHECK(stop.kinds() == hsm::record_kinds());
}
