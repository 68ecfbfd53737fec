// A ring of records: its content, lost records, and the states before the first one.

#include <hsm/observe/explain.hpp>
#include <hsm/observe/recorder.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <tests/observe/explained.hpp>
#include <tests/observe/hero.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

using hsm::record_kind;
using test::hero;
using test::hit;

namespace {

std::vector<record_kind> kinds_of(const hsm::recorder& seen) {
    std::vector<record_kind> kinds;
    for (const auto& r : seen) kinds.push_back(r.kind);
    return kinds;
}

using numbers = std::vector<std::uint16_t>;

/// Returns the active states after the last record.
numbers active_at_end(const hsm::recorder& seen) {
    auto now = seen.states_at_start();
    for (const auto& r : seen) now.apply(r);
    return now.active();
}

/// Observed and then started.
struct watched {
    explicit watched(std::size_t most, hsm::chart<hero> c = test::hero_chart(), hsm::record_kinds kinds = hsm::record_kinds::all())
        : chart(std::move(c)), agent(chart, context), seen(most) {
        attached = agent.attach(seen, kinds);
        agent.start();
    }
    hsm::chart<hero> chart;
    hero context;
    hsm::instance<hero> agent;
    hsm::recorder seen;
    hsm::attachment attached;
};

} // namespace

TEST_CASE("a recorder stores records from the oldest to the newest") {
    watched w(100, test::hero_chart(), record_kind::exited | record_kind::entered);
    w.agent.process(hit{1});
    CHECK(kinds_of(w.seen) ==
          std::vector{record_kind::entered, record_kind::entered, record_kind::exited, record_kind::entered, record_kind::entered});
    CHECK(w.seen[2].state == 1);
    CHECK(w.seen[4].state == 3);
    CHECK(w.seen.lost() == 0);
}

TEST_CASE("a recorder prints a line per record, with a heading for each call") {
    watched w(100);
    w.seen.clear();
    w.agent.tick(0.5);
    w.agent.process(hit{2});
    w.agent.tick(0.01);
    const auto view = w.chart.view();
    const auto dies = view.guard(0).text(), hits = view.transition(1).text(), strikes = view.transition(3).text();
    CHECK(w.seen.text() == "tick at 0.500000 s\n"
                           "  " +
                               dies +
                               ": no\n"
                               "  updated hero/idle\n"
                               "  -> unhandled\n"
                               "process at 0.500000 s\n"
                               "  event test::hit (call)\n"
                               "  " +
                               view.guard(1).text() +
                               ": yes\n"
                               "  transition " +
                               hits +
                               " (event)\n"
                               "  exited hero/idle\n"
                               "  " +
                               view.transition(1).actions()[0].text() +
                               "\n"
                               "  entered hero/fight\n"
                               "  entered hero/fight/slash\n"
                               "  armed timer of " +
                               strikes +
                               ", due at 0.510000 s\n"
                               "  arrived in hero/fight/slash\n"
                               "  -> taken\n"
                               "tick at 0.510000 s\n"
                               "  " +
                               dies +
                               ": no\n"
                               "  transition " +
                               strikes +
                               " (time)\n"
                               "  due timer of " +
                               strikes +
                               "\n"
                               "  exited hero/fight/slash\n"
                               "  entered hero/fight/block\n"
                               "  armed timer of " +
                               view.transition(4).text() +
                               ", due at 0.520000 s\n"
                               "  arrived in hero/fight/block\n"
                               "  -> taken\n");
}

TEST_CASE("a full ring counts the lost records, and stores at least its capacity") {
    for (const std::size_t most : {1u, 7u, 8u, 16u, 100u, 1000u}) {
        CAPTURE(most);
        watched w(most);
        std::uint64_t all = w.seen.size() + w.seen.lost();
        for (int i = 0; i < 500; ++i) {
            w.agent.process(hit{0});
            w.agent.process(test::rest{});
            const auto now = w.seen.size() + w.seen.lost();
            CHECK(now == all + 11 + 8);
            all = now;
            CHECK((w.seen.lost() == 0 || w.seen.size() >= most));
            CHECK(w.seen.size() <= most + most / 8 + 8);
        }
        CHECK(w.seen.lost() > 0);
    }
}

TEST_CASE("the active states before the first stored record are known, with one region and with two") {
    for (const bool regions : {false, true})
        for (const std::size_t most : {1u, 2u, 3u, 5u, 17u, 40u}) {
            CAPTURE(regions);
            CAPTURE(most);
            watched w(most, regions ? test::two_regions_chart() : test::hero_chart());
            for (int i = 0; i < 60; ++i) {
                if (i % 3 == 0) w.agent.process(hit{0});
                if (i % 3 == 1) w.agent.tick(0.007);
                if (i % 5 == 2) w.agent.process(test::rest{});
                if (i % 20 == 19) w.agent.restart();
                REQUIRE(w.seen.configuration_at_start().known == (w.seen.lost() > 0));
                numbers active;
                for (std::size_t s = 0; s < w.chart.state_count(); ++s)
                    if (w.agent.is_in(w.chart.state(s))) active.push_back(static_cast<std::uint16_t>(s));
                REQUIRE(active_at_end(w.seen) == active);
            }
            CHECK(w.seen.lost() > 0);
            CHECK(w.seen.configuration_at_start().clock <= w.agent.now().nanoseconds());
            CHECK(w.seen.configuration_at_start().clock > 0);
        }
}

TEST_CASE("a cleared recorder begins with the current active states") {
    watched w(50);
    w.agent.process(hit{1});
    w.seen.clear();
    CHECK(w.seen.empty());
    CHECK(w.seen.configuration_at_start().active == numbers{0, 2, 3});
    w.agent.tick(0.01);
    CHECK(active_at_end(w.seen) == numbers{0, 2, 4});
}

TEST_CASE("the first active states are unknown if states are not recorded") {
    watched w(50, test::hero_chart(), record_kind::transition);
    w.agent.process(hit{1});
    CHECK(w.seen.size() == 2);
    CHECK_FALSE(w.seen.configuration_at_start().known);
    CHECK(w.seen.text() == "  transition nowhere -> hero (start)\n  transition " + w.chart.view().transition(1).text() + " (event)\n");
}

TEST_CASE("a recorder separates agents of a crowd by their numbers, also in the earlier active states") {
    const auto chart = test::hero_chart();
    hsm::crowd<hero> herd(chart);
    hsm::recorder seen(64);
    const auto attached = herd.attach(seen);
    const auto first = herd.add(hero{}), second = herd.add(hero{});
    herd[first]->process(hit{0});
    seen.clear();
    CHECK(seen.configuration_at_start(first.index).active == numbers{0, 2, 3});
    CHECK(seen.configuration_at_start(second.index).active == numbers{0, 1});
    herd[second]->process(hit{0});
    CHECK(seen.text().starts_with("process at 0.000000 s, agent " + std::to_string(second.index)));
}

TEST_CASE("instances share a recorder by lanes, each with its own number") {
    const auto chart = test::hero_chart();
    const auto other = test::two_regions_chart();
    hero h;
    hsm::instance one{chart, h}, two{other, h};
    hsm::recorder seen(100);
    hsm::recorder::channel first(seen, 1), second(seen, 2);
    const auto a = one.attach(first), b = two.attach(second, hsm::state_records);
    one.start();
    two.start();
    seen.clear();
    CHECK(seen.configuration_at_start(1).active == numbers{0, 1});
    CHECK(seen.configuration_at_start(2).active == numbers{0, 1, 2, 3, 5, 6});
    two.process(hit{});
    one.process(test::rest{});
    CHECK(seen.chart(1).root().path() == "hero");
    CHECK(seen.text() == "none at 0.000000 s, agent 2\n  exited hero/body/arms/low\n  -> taken\n"
                         "none at 0.000000 s, agent 2\n  exited hero/body/legs/stand\n  -> taken\n"
                         "none at 0.000000 s, agent 2\n  entered hero/body/legs/walk\n  -> taken\n"
                         "none at 0.000000 s, agent 2\n  entered hero/body/arms/high\n  -> taken\n"
                         "process at 0.000000 s, agent 1\n  event test::rest (call)\n  -> unhandled\n");
}

TEST_CASE("a recorder without records has no chart") {
    hsm::recorder seen(10);
    CHECK_THROWS_WITH(seen.chart(), "HSM-206 error: the recorder has no chart: it was never attached; hint: attach it first");
    CHECK(seen.text().empty());
    CHECK_FALSE(seen.configuration_at_start().known);
}

TEST_CASE("random runs: a ring of any size restores the active states at its end") {
    using namespace differential;
    const auto number = [](const char* name, int otherwise) {
        const auto* const text = std::getenv(name);
        return text && *text ? std::atoi(text) : otherwise;
    };
    const int runs = std::min(number("HSM_CHARTS", 300), 5000), first = number("HSM_SEED", 1);
    int overflowed = 0, whole = 0;
    for (int run = first; run < first + runs; ++run) {
        const auto p = generate(static_cast<std::uint64_t>(run), 20);
        const auto chart = build(p);
        player played(p, chart);
        hsm::recorder seen(1 + static_cast<std::size_t>(run) * 7 % 90);
        const auto attached = played.machine().attach(seen);
        for (const auto& in : p.inputs) played.give(in);
        ++(seen.lost() > 0 ? overflowed : whole);
        numbers active;
        for (std::size_t s = 0; s < chart.state_count(); ++s)
            if (played.machine().is_in(chart.state(s))) active.push_back(static_cast<std::uint16_t>(s));
        CAPTURE(run);
        REQUIRE(active_at_end(seen) == active);
    }
    CHECK((runs < 300 || overflowed > 100));
    CHECK((runs < 300 || whole > 10));
}

TEST_CASE("a detached recorder receives nothing more: in the call in progress, between calls, and at the end") {
    struct detaching : hsm::observer {
        hsm::attachment* other = nullptr;
        void on_record(const hsm::record& r, const hsm::moment&) override {
            if (r.kind == record_kind::exited) other->detach();
        }
    };
    const auto chart = test::hero_chart();
    hero h;
    std::size_t reported = 0;
    auto seen = std::make_unique<hsm::recorder>(100);
    {
        hsm::instance agent{chart, h};
        agent.start();
        auto attached = agent.attach(*seen);
        agent.process(hit{0});
        attached.detach();
        reported = seen->size();
        seen = std::make_unique<hsm::recorder>(100); // destroys the recorder that was attached
        agent.process(hit{0});
        agent.set_state("idle");
        CHECK(reported > 0);
        CHECK(seen->empty());

        auto first = agent.attach(*seen);
        detaching second;
        second.other = &first;
        const auto also = agent.attach(second);
        agent.process(hit{0});
        CHECK((*seen)[seen->size() - 1].kind != record_kind::call_end);
        first = agent.attach(*seen);
        first.detach();
        seen.reset();
    }
}

TEST_CASE("a detached recorder receives no end without a call") {
    auto root = hsm::make_fsm<hero>("hero");
    auto& stunned = root->add("stunned").hold();
    auto& idle = root->add("idle");
    stunned.to(idle).on<hit>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::recorder seen(100);
    std::size_t reported = 0;
    {
        hsm::instance agent{chart, h};
        auto attached = agent.attach(seen);
        agent.start();
        agent.process(hit{}); // waits, and is dropped with the instance
        attached.detach();
        reported = seen.size();
        agent.release("stunned");
        CHECK(seen.size() == reported);
    }
    CHECK(seen.size() == reported);
}

TEST_CASE("a recorder prints changed and cancelled timers, by their label if they have one") {
    auto root = hsm::make_fsm<int>("R");
    auto& a = root->add("A");
    const auto bell = a.to(a).after(std::chrono::seconds(1)).label("bell");
    const auto beat = a.every(std::chrono::seconds(1)).then([](int&) {});
    const auto chart = hsm::compile(std::move(root));
    int context = 0;
    hsm::instance agent{chart, context};
    agent.start();
    hsm::recorder seen(10);
    const auto attached = agent.attach(seen, record_kind::armed);
    agent.set_time_left(bell, std::chrono::seconds(3));
    agent.cancel_timer(bell);
    agent.restart_timer(beat);
    const auto beats = chart.view().transitions()[0].trigger() == hsm::trigger_kind::every ? 0u : 1u;
    CHECK(seen.text() == "  armed timer \"bell\", due at 3.000000 s\n"
                         "  stopped timer \"bell\"\n"
                         "  armed timer of " +
                             chart.view().transition(beats).text() + ", due at 1.000000 s\n");
}

TEST_CASE("a recorder prints requests to leave, with the transition that waits") {
    auto root = hsm::make_fsm<int>("R");
    auto& a = root->add("A").hold().on_leave_requested([](int& count) { ++count; });
    const auto& b = root->add("B");
    a.to(b).on("go");
    a.to(b).when([](const int& count) { return count > 2; });
    const auto chart = hsm::compile(std::move(root));
    int context = 0;
    hsm::instance agent{chart, context};
    agent.start();
    hsm::recorder seen(10);
    const auto attached = agent.attach(seen, record_kind::leave_requested);
    agent.process("go");
    context = 3;
    agent.tick();
    const auto explained = test::without_places(to_string(hsm::explain(agent)));
    CHECK_MESSAGE(explained.find("  requested to leave: R/A\n  requested to leave: R/A, by R/A -> R/B\n") != std::string::npos, explained);
    agent.process("go");
    agent.change_to("B");
    CHECK(context == 5);
    const auto text = seen.text();
    CHECK_MESSAGE(text.starts_with("  A -> B on go requests to leave R/A\n  A -> B [recorder_test.cpp:"), text);
    CHECK_MESSAGE(text.ends_with("] requests to leave R/A\n  a request requests to leave R/A\n"), text);
}
