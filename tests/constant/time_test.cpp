// Timers of constant charts. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/observe/explain_constant.hpp>
#include <tests/constant/both_kinds.hpp>

#include <chrono>
#include <optional>

using namespace test;
using namespace std::chrono_literals;

namespace {

constexpr auto kinds = hsm::constant_chart<trace_context>([](auto& root) {
    auto& fight = add_machine<"fight">(root);
    auto& aim = add<"aim">(fight);
    auto& shoot = add<"shoot">(fight);
    auto& rest = add<"rest">(root);
    aim.to(shoot).after(500ms);
    aim.when(&trace_context::go).then(notes<"go">).after(200ms);
    shoot.to(aim).on(key::A).after(0.1).when(&trace_context::ready);
    fight.every(300ms).then(notes<"every">);
    fight.to(rest).after([](const trace_context& c) { return std::chrono::milliseconds(c.count); });
    fight.to(shoot).on(key::B);
    rest.every([](const trace_context& c) { return c.count * 1ms; }).then(notes<"breathe">);
    rest.to(fight).on(key::C);
});

constexpr auto inner_first = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) {
    auto& m = add_machine<"m">(root);
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    m.to(a).after(1s).reenter();
    m.to(b).after(300ms);
    a.to(b).after(400ms);
    b.transient().to(a).after(100ms);
    root.every(1s).then(notes<"second">);
});

constexpr auto labeled = hsm::constant_chart<trace_context, hsm::constant_chart_options{{}, false, true}>([](auto& root) {
    auto& m = add_machine<"m">(root);
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    auto& out = add<"out">(root);
    a.to(b).after(1s).label("limit");
    m.to(out).after([](const trace_context& c) { return c.count * 1ms; }).label("limit");
    m.every(300ms).then(notes<"every">).label("beat");
    out.to(m).on(key::A);
    m.to(a).on(key::B);
});

constexpr auto cooldowns = hsm::constant_chart<trace_context>([](auto& root) {
    auto& m = add_machine<"m">(root).choose(hsm::best);
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    m.dispatch(a).weight(2).cooldown(1s);
    m.dispatch(b);
    m.to(m).on(key::A);
});

} // namespace

TEST_CASE("timers of a constant chart can be changed by their label") {
    same_text<labeled> m;
    const auto tick = [&](auto t) { return m.both([&](auto& agent) { return agent.tick(t); }); };
    std::optional<hsm::time_span> limit[2];
    const auto left = [&](const char* expected) {
        auto* to = limit;
        m.both([&](auto& agent) { return *to++ = agent.time_left("limit"), m.last(); });
        CHECK(limit[0] == limit[1]);
        CHECK((limit[0] ? std::to_string(limit[0]->nanoseconds() / 1'000'000) : "none") == expected);
    };
    CHECK(m.constant_agent().cancel_timer("limit") == hsm::result::inactive);
    m.both([](auto& agent) { return agent.context().count = 2000, agent.start(); });
    tick(250ms);
    left("750");
    m.both([](auto& agent) { return agent.set_time_left("limit", 100ms); }); // both timers
    left("100");
    m.both([](auto& agent) { return agent.restart_timer("limit"); });
    left("1000");
    m.both([](auto& agent) { return agent.cancel_timer("beat"); });
    CHECK(tick(500ms) == "U m, U a");
    m.both([](auto& agent) { return agent.set_time_left("beat", -1s); });
    CHECK(tick(500ms) == "U m, every, X a, E b, U b");
    left("1000");
    m.both([](auto& agent) { return agent.cancel_timer("limit"); });
    left("none");
    CHECK(m.process(key::B) == "X b, E a");
    left("1000");
    m.both([](auto& agent) { return agent.set_time_left("limit", 0s); });
    CHECK(tick(1ms) == "X a, X m, E out, U out");
    CHECK(m.constant_agent().set_time_left("limit", 1s) == hsm::result::unhandled);
}

TEST_CASE("a constant instance with entry_times reports the time in active states") {
    same_text<labeled> m;
    m.both([](auto& agent) { return agent.context().count = 9000, agent.start(); });
    m.both([](auto& agent) { return agent.tick(1s); });
    m.both([](auto& agent) { return agent.tick(1500ms); });
    std::string times[2], *to = times;
    m.both([&](auto& agent) {
        for (const auto& t : {agent.time_in_state("m"), agent.time_in_state("b"), agent.time_in_state("a")})
            *to += std::to_string(t.nanoseconds() / 1'000'000) + " ";
        return ++to, m.last();
    });
    CHECK(times[0] == "2500 1500 0 ");
    CHECK(times[1] == times[0]);
    CHECK(sizeof(m.constant_agent()) == 16 + 8 + 8 * (3 + 3)); // clock, timers, levels
}

TEST_CASE("a candidate of a constant chart is not chosen during its cooldown") {
    same_text<cooldowns> m;
    m.start();
    CHECK(m.path() == "root/m/a");
    CHECK(m.process(key::A) == "X a, X m, E m, E b");
    m.both([](auto& agent) { return agent.tick(999ms); });
    CHECK(m.process(key::A) == "X b, X m, E m, E b");
    m.both([](auto& agent) { return agent.tick(1ms); });
    CHECK(m.process(key::A) == "X b, X m, E m, E a");
}

TEST_CASE("timers of a constant chart are due at the same times as in a chart compiled at run time") {
    same_text<kinds> m;
    const auto tick = [&](auto t) { return m.both([&](auto& agent) { return agent.tick(t); }); };
    m.both([](auto& agent) { return agent.tick(5s); });
    m.both([](auto& agent) { return agent.start(); });
    m.both([](auto& agent) { return agent.stop(); });
    m.both([](auto& agent) { return agent.start(); }); // computes a delay of zero
    CHECK(tick(1ms) == "X aim, X fight, E rest, U rest");
    CHECK(tick(2ms) == "U rest, breathe");
}

TEST_CASE("a transition of a constant chart waits for its time") {
    same_text<kinds> m;
    const auto tick = [&](auto t) { return m.both([&](auto& agent) { return agent.tick(t); }); };
    m.both([](auto& agent) { return agent.context().count = 2000, agent.start(); });
    CHECK(tick(250ms) == "U fight, U aim");
    m.set(&trace_context::go);
    CHECK(tick(50ms) == "U fight, every, U aim, go");
    CHECK(tick(199ms) == "U fight, U aim"); // the reaction is used up
    CHECK(tick(1ms) == "U fight, X aim, E shoot, U shoot");
    m.set(&trace_context::ready);
    m.process(key::A);
    CHECK(m.last() == hsm::result::guarded);
    CHECK(tick(100ms) == "U fight, every, U shoot"); // due once in a tick
    CHECK(m.process(key::A) == "X shoot, E aim");
    m.both([](auto& agent) { return agent.update(1s); });
    CHECK(m.path() == "root/fight/aim");
    CHECK(m.both([](auto& agent) { return agent.decide(); }) == "X aim, E shoot");
    CHECK(tick(-1ms) == "");
    CHECK(m.last() == hsm::result::refused);
    CHECK(tick(398ms) == "U fight, every, U shoot");
    CHECK(tick(2ms) == "X shoot, X fight, E rest, U rest");
    CHECK(tick(1999ms) == "U rest");
    CHECK(tick(1ms) == "U rest, breathe");
    CHECK(tick(std::chrono::hours(24 * 366 * 300)) == "U rest, breathe"); // the clock stays at its maximum
    CHECK(tick(1h) == "U rest, breathe");
    CHECK(m.process(key::C) == "X rest, E fight, E aim");
    CHECK(tick(1h) == "U fight, U aim"); // no timer is due
}

TEST_CASE("with substate_first, timers of a constant chart are due at the same times") {
    same_text<inner_first> m;
    m.both([](auto& agent) { return agent.start(); });
    for (int i = 0; i < 40; ++i) m.both([&](auto& agent) { return agent.tick(i % 7 * 23ms); });
    CHECK(m.both([](auto& agent) { return agent.tick(1s); }).find("second") != std::string::npos);
}

TEST_CASE("timers of a constant chart cause the same records as in a chart compiled at run time") {
    both_kinds<kinds> both;
    both([](auto& agent) { agent.context().count = 1500, agent.start(); });
    for (int i = 0; i < 20; ++i) both([](auto& agent) { agent.tick(100ms); });
    CHECK(both.constant.is_in("rest"));
    for (int i = 0; i < 20; ++i) both([](auto& agent) { agent.tick(100ms); });
}

TEST_CASE("a converted constant chart has the same timers") {
    trace_context c;
    const auto converted = hsm::compile(hsm::definition_of(kinds));
    hsm::instance<trace_context> agent(converted, c);
    c.count = 700;
    agent.start();
    agent.tick(600ms);
    CHECK(agent.is_in("fight/shoot"));
    agent.tick(100ms);
    CHECK(agent.is_in("rest"));
}

TEST_CASE("explain uses the timers of a constant instance") {
    trace_context c;
    c.count = 10'000;
    hsm::constant_instance<kinds> agent(c);
    agent.start();
    agent.tick(100ms);
    CHECK(to_string(hsm::why_not(agent, "fight/shoot")).find("due in 400 ms") != std::string::npos);
    CHECK(to_string(hsm::why_not(agent, "rest")).find("due in 9.9 s") != std::string::npos);
}

TEST_CASE("only a constant chart with timers stores a clock") {
    CHECK(sizeof(hsm::constant_instance<inner_first>) == 2 * sizeof(void*) + (1 + 4) * sizeof(std::int64_t));
}
