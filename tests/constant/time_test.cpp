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

namespace {

template <class Root> constexpr void define_carried(Root& root) {
    auto& lights = add_machine<"lights">(root);
    auto& red = add<"red">(lights);
    auto& green = add<"green">(lights);
    auto& off = add<"off">(root);
    red.to(green).after(40ms).carry_over();
    green.to(red).after([](const trace_context& c) { return c.count * 1ms; }).carry_over().when([](const trace_context& w) {
        const_cast<trace_context&>(w).note("asked"); // so that the order is visible
        return !w.ready;
    });
    green.to(off).after(25ms).carry_over().when(&trace_context::go);
    lights.to(green).when(&trace_context::ready).after(10ms);
    lights.to(red).after(65ms).carry_over().priority(-1);
    off.to(lights).on(key::A).then([](trace_context& w) { w.note(to_string(w.self->process(static_cast<int>(key::B)))); });
    lights.on(key::B).then(notes<"B">);
    root.every(50ms).then(notes<"every">);
}
constexpr auto carried = hsm::constant_chart<trace_context, hsm::constant_chart_options{{}, false, true}>([](auto& root) { define_carried(root); });
constexpr auto inner_carried = hsm::constant_chart<trace_context, hsm::constant_chart_options{hsm::decision_order::substate_first, false, true}>(
    [](auto& root) { define_carried(root); });

template <class Root> constexpr void define_carried_regions(Root& root) {
    auto& p = root.add_parallel("p");
    auto& left = add_machine<"left">(p);
    auto& right = add_machine<"right">(p);
    auto& a = add<"a">(left);
    auto& b = add<"b">(left);
    auto& c = add<"c">(right);
    auto& d = add<"d">(right);
    auto& end = add<"end">(root);
    a.to(b).after(30ms).carry_over();
    b.to(a).after(30ms).carry_over().unless_in(d);
    c.to(d).after(20ms).carry_over();
    d.to(c).after(50ms).carry_over();
    right.to(end).after(200ms).carry_over();
    end.to(p).after(5ms).carry_over();
}
constexpr auto carried_regions = hsm::constant_chart<trace_context>([](auto& root) { define_carried_regions(root); });
constexpr auto inner_carried_regions =
    hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define_carried_regions(root); });

constexpr auto held_carried = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).hold_until(&trace_context::ready);
    auto& b = add<"b">(root).min_duration(10ms);
    a.to(b).after(20ms).carry_over();
    b.to(a).after(5ms).carry_over();
    b.to(a).when(&trace_context::go);
});

constexpr auto endless_carried = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    auto& c = add<"c">(root);
    a.to(b).after(5ms).carry_over();
    b.to(c).always();
    c.to(b).always();
});

struct brief {
    bool finished(const trace_context& w) const { return w.ready; }
};
constexpr auto ending_carried = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    root.template local<brief>();
    a.to(b).after(50ms).carry_over();
    b.to(a).after(50ms).carry_over();
});

/// Plays both kinds of charts with the same ticks. Returns the traces.
template <auto Chart> std::string play_carried() {
    same_text<Chart, hsm::queue<4>> m;
    std::string text;
    const auto both = [&](auto does) {
        text += m.both(does) + "| ";
        hsm::time_span now[2], *to = now;
        m.both([&](auto& agent) { return *to++ = agent.now(), hsm::result::taken; });
        CHECK(now[0] == now[1]);
    };
    const auto tick = [&](auto t) { both([&](auto& agent) { return agent.tick(t); }); };
    both([](auto& agent) { return agent.context().count = 30, agent.start(); });
    tick(35ms), tick(100ms);
    m.set(&trace_context::ready), tick(60ms), tick(10ms);
    m.set(&trace_context::go), tick(20ms), tick(33ms);
    m.set(&trace_context::ready, false), m.set(&trace_context::go, false);
    both([](auto& agent) { return agent.process(key::A); });
    tick(80ms);
    both([](auto& agent) { return agent.update(45ms); });
    both([](auto& agent) { return agent.decide(); });
    tick(-1ms), tick(0ms), tick(45ms);
    return text;
}

} // namespace

TEST_CASE("a transition of a constant chart with carry_over fires at the moment when it is due") {
    CHECK(play_carried<carried>() == "E lights, E red| U lights, U red| "
                                     "X red, E green, X green, E red, X red, E green, asked, X green, E red, every, U lights, U red| "
                                     "X red, E green, every, U lights, U green| asked, every, U lights, asked, U green| "
                                     "every, X green, X lights, E off, U off| every, U off| X off, queued, E lights, E red, B| "
                                     "X red, E green, X green, E red, every, U lights, U red| every, U lights, U red| X red, E green| | "
                                     "U lights, U green| asked, X green, E red, every, U lights, U red| ");
    CHECK(play_carried<inner_carried>() == "E lights, E red| U lights, U red| "
                                           "X red, E green, X green, E red, X red, E green, asked, X green, E red, every, U lights, U red| "
                                           "X red, E green, every, U lights, U green| asked, asked, every, U lights, U green| "
                                           "asked, X green, X lights, E off, every, U off| every, U off| X off, queued, E lights, E red, B| "
                                           "X red, E green, X green, E red, every, U lights, U red| every, U lights, U red| X red, E green| | "
                                           "U lights, U green| asked, X green, E red, every, U lights, U red| ");
    CHECK(play_carried<carried_regions>() ==
          "E left, E a, E right, E c| X c, E d, X a, E b, U left, U b, U right, U d| "
          "X d, E c, X c, E d, U left, U b, U right, U d| X d, E c, X c, E d, U left, U b, U right, U d| "
          "X d, X right, X b, X left, E end, X end, E left, E a, E right, E c, U left, U a, U right, U c| "
          "X c, E d, U left, U a, U right, U d| X a, E b, U left, U b, U right, U d| | "
          "X d, E c, X c, E d, U left, U b, U right, U d| U left, U b, U right, U d| X d, E c| | "
          "U left, X b, E a, U a, U right, U c| "
          "X c, E d, X d, X right, X a, X left, E end, X end, E left, E a, E right, E c, U left, U a, U right, U c| ");
    CHECK(play_carried<inner_carried_regions>() ==
          "E left, E a, E right, E c| X c, E d, X a, E b, U left, U b, U right, U d| "
          "X d, E c, X c, E d, U left, U b, U right, U d| X d, E c, X c, E d, U left, U b, U right, U d| "
          "X d, X right, X b, X left, E end, X end, E left, E a, E right, E c, U left, U a, U right, U c| "
          "X c, E d, U left, U a, U right, U d| X a, E b, U left, U b, U right, U d| | "
          "X d, E c, X c, E d, U left, U b, U right, U d| U left, U b, U right, U d| X d, E c| | "
          "X b, E a, U left, U a, U right, U c| "
          "X c, E d, X d, X right, X a, X left, E end, X end, E left, E a, E right, E c, U left, U a, U right, U c| ");
    CHECK(play_carried<held_carried>() == "E a| U a| U a| X a, E b, U b| X b, E a, U a| X a, E b, U b| X b, E a, U a| | U a| U a| | | U a| U a| ");
    CHECK(play_carried<ending_carried>() == "E a| U a| X a, E b, X b, E a, U a| X a, E b| | | | | | | | | | | "); // finished in the third tick
    both_kinds<carried, hsm::queue<4>> observed;
    observed([](auto& agent) { agent.context().count = 30, agent.start(); });
    for (const auto t : {35ms, 100ms, 200ms, 10ms, 300ms}) observed([&](auto& agent) { agent.tick(t), agent.process(key::A); });
}

TEST_CASE("after an endless chain in a tick with carry_over, the clock of a constant chart shows the end of the tick") {
    same_text<endless_carried> m;
    m.start();
    CHECK(m.both([](auto& agent) { return agent.tick(8ms); }).find("X a, E b, X b, E c") == 0);
    CHECK(m.constant_agent().now() == 8ms);
}

TEST_CASE("only a constant chart with timers stores a clock") {
    CHECK(sizeof(hsm::constant_instance<inner_first>) == 2 * sizeof(void*) + (1 + 4) * sizeof(std::int64_t));
}
