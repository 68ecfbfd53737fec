// Deferred events, `on_change`, entry times and history in constant charts with parallel regions behave as in charts that are compiled at run time.
#include <tests/constant/same_text.hpp>

#include <chrono>

using namespace std::chrono_literals;

namespace {

using namespace test;
using enum hsm::decision_order;

template <token Name>
constexpr auto reports = [](trace_context& w, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
    w.note(std::string(Name.text) + ": " + std::string(from.name()) + " to " + std::string(to.name()) + ", " + std::string(to_string(why)));
};

/// P{left{a, b}, right{c, d}}, Q. `a` and `right` defer events.
template <hsm::decision_order Order>
constexpr auto delays = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = root.named("root").add_parallel("P").defer(key::F);
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = add<"a">(left), &b = add<"b">(left), &c = add<"c">(right), &d = add<"d">(right), &q = add<"Q">(root);
    a.defer(key::A).defer(key::B).defer(key::C);
    right.defer(key::E);
    c.to(d).on(key::A);
    p.to(q).on(key::B);
    b.on(key::C).then(notes<"b">);
    d.on(key::C).then(notes<"d">);
    a.to(b).on(key::D);
    d.to(c).on(key::D);
    d.on(key::E).then(notes<"e">);
});

} // namespace

TEST_CASE("a state of a constant chart defers an event that no region takes") {
    same_text<delays<superstate_first>, hsm::queue<0, 0, 2>> t({.deferred_queue = 2});
    t.start();
    CHECK(t.process(key::C) == "");
    CHECK(t.last() == hsm::result::deferred);
    CHECK(t.process(key::A) == "X c, E d, d"); // recalled in d
    CHECK(t.process(key::C) == "d");
    CHECK(t.process(key::E) == "e");
    CHECK(t.process(key::D) == "X d, X a, E b, E c");
    CHECK(t.process(key::E) == "");
    CHECK(t.last() == hsm::result::deferred);
    CHECK(t.process(key::E) == "");
    CHECK(t.process(key::E) == "");
    CHECK(t.last() == hsm::result::full);
    CHECK(t.process(key::A) == "X c, E d, e, e");
    CHECK(t.process(key::B) == "X d, X b, E Q");
}

TEST_CASE("a deferral in a region of a constant chart overrides its superstates only with substate_first") {
    same_text<delays<superstate_first>> outer;
    outer.start();
    CHECK(outer.process(key::B) == "X c, X a, E Q");
    same_text<delays<substate_first>> inner;
    inner.start();
    CHECK(inner.process(key::B) == "");
    CHECK(inner.last() == hsm::result::deferred);
    CHECK(inner.process(key::A) == "X c, E d");
    CHECK(inner.process(key::D) == "X d, X a, E b, E c, X c, X b, E Q");
}

namespace {

/// Each recall of A queues A and B again. `Regions`: how many of them take part.
template <int Regions>
constexpr auto endless = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    for (const auto* name : {"left", "right"}) {
        auto& region = p.add_fsm(name);
        auto &a = region.add("a"), &b = region.add("b");
        if (Regions == 1 && name[0] == 'l') continue;
        a.defer(key::A).to(b).on(key::B);
        b.to(a).on(key::A).then([](trace_context& w) { w.self->process(static_cast<int>(key::A)), w.self->process(static_cast<int>(key::B)); });
    }
});

template <int Regions> void recall_endlessly() {
    same_text<endless<Regions>, hsm::queue<8>> m;
    m.start();
    m.process(key::A);
    m.process(key::B);
    CHECK(m.constant_agent().queued() >= 2);
}

} // namespace

TEST_CASE("a chain of recalled events ends with an error in a constant chart with regions, too") {
    recall_endlessly<1>();
    recall_endlessly<2>();
}

namespace {

template <hsm::decision_order Order>
constexpr auto changes = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = root.named("root").on_change(reports<"root">).add_parallel("P");
    auto &left = p.add_fsm("left").on_change(reports<"left">), &right = p.add_fsm("right").on_change(reports<"right">);
    auto &a = left.add("a"), &b = left.add("b"), &c = right.add("c"), &d = right.add("d"), &q = root.add("Q");
    right.dispatch(c).when(&trace_context::ready);
    right.dispatch(d).when(&trace_context::go);
    a.to(b).on(key::A);
    c.to(d).on(key::A);
    d.to(c).on(key::B);
    b.on(key::B).then(notes<"stays">);
    b.to(a).when(&trace_context::ready);
    right.to(q).on(key::C);
    q.to(b).on(key::D);
    left.to(left).on(key::E);
});

template <hsm::decision_order Order> void report_changes() {
    same_text<changes<Order>> t;
    CHECK(t.start() == "root: none to P, start, left: none to P, start");
    t.set(&trace_context::go);
    CHECK(t.tick() == "root: right to d, entry, right: right to d, entry");
    CHECK(t.process(key::A) == "root: a to b, event, left: a to b, event");
    CHECK(t.process(key::B) == "stays, root: d to c, event, right: d to c, event");
    t.set(&trace_context::ready);
    CHECK(t.tick() == "root: b to a, poll, left: b to a, poll");
    CHECK(t.process(key::A) == "root: a to b, event, left: a to b, event, root: c to d, event, right: c to d, event");
    CHECK(t.process(key::E) == "root: P to P, event, left: P to P, event, right: P to P, event");
    CHECK(t.process(key::C) == "root: P to Q, event");
    CHECK(t.process(key::D) == "root: Q to P, event, left: Q to P, event, right: Q to P, event");
}

} // namespace

TEST_CASE("on_change hooks of a constant chart with regions run once for each transition") {
    report_changes<superstate_first>();
    report_changes<substate_first>();
}

namespace {

constexpr auto timed = hsm::constant_chart<trace_context, hsm::constant_chart_options{superstate_first, false, true}>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = left.add("a"), &b = left.add("b");
    right.add("c");
    a.to(b).on(key::A);
});

} // namespace

TEST_CASE("a constant instance with entry_times reports the time in the states of each region") {
    same_text<timed> m;
    m.start();
    m.both([](auto& agent) { return agent.tick(1s); });
    m.process(key::A);
    m.both([](auto& agent) { return agent.tick(1500ms); });
    std::string times[2], *to = times;
    m.both([&](auto& agent) {
        for (const auto& t :
             {agent.time_in_state("P"), agent.time_in_state("left"), agent.time_in_state("b"), agent.time_in_state("c"), agent.time_in_state("a")})
            *to += std::to_string(t.nanoseconds() / 1'000'000) + " ";
        return ++to, m.last();
    });
    CHECK(times[0] == "2500 2500 1500 2500 0 ");
    CHECK(times[1] == times[0]);
}

namespace {

/// P{left{m{a, b, last}, x}, right{c, d, before}}, out.
template <hsm::decision_order Order>
constexpr auto remembering = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto& m = add_machine<"m">(left);
    auto &a = add<"a">(m), &b = add<"b">(m);
    auto& last = m.add_history("last");
    auto &x = add<"x">(left), &c = add<"c">(right), &d = add<"d">(right);
    auto& before = right.add_previous("before");
    auto& out = add<"out">(root);
    last.otherwise(b);
    a.to(b).on(key::A);
    m.to(x).on(key::B);
    x.to(last).on(key::C);
    p.to(out).on(key::D);
    out.to(last).on(key::E);
    c.to(d).on(key::F);
    right.to(before).on(key::G);
    out.to(last, before).on(key::H);
    b.to(a).on(key::I);
    root.to(last).when(&trace_context::go);
    right.to(before).when(&trace_context::ready);
});

template <hsm::decision_order Order> void return_in_regions() {
    same_text<remembering<Order>> t;
    constexpr bool outer_first = Order == superstate_first;
    t.start();
    CHECK(t.process(key::D) == "X c, X a, X m, E out");
    CHECK(t.process(key::E) == "X out, E m, E a, E c");
    CHECK(t.process(key::A) == "X a, E b");
    CHECK(t.process(key::B) == "X b, X m, E x");
    CHECK(t.process(key::C) == "X x, E m, E b");
    CHECK(t.process(key::F) == "X c, E d");
    CHECK(t.process(key::G) == "X d, E c");
    CHECK(t.process(key::D) == "X c, X b, X m, E out");
    CHECK(t.process(key::H) == "X out, E m, E b, E d");
    t.set(&trace_context::go);
    CHECK(t.tick() == "U m, U b, U d");
    t.process(key::B);
    CHECK(t.tick() == "X d, X x, E m, E b, E c, U m, U b, U c");
    CHECK(t.process(key::I) == "X b, E a");
    t.set(&trace_context::ready);
    CHECK(t.tick() == (outer_first ? "U m, U a, X c, E d, U d" : "X c, E d, U m, U a, U d"));
    CHECK(t.tick() == (outer_first ? "U m, U a, X d, E c, U c" : "X d, E c, U m, U a, U c"));
    t.process(key::D);
    CHECK(t.tick() == (outer_first ? "X out, E m, E a, E c, U m, U a, X c, E d, U d" : "X out, E m, E a, E c, U m, U a, U c"));
}

} // namespace

TEST_CASE("history states of a constant chart return in their region, and are not entered again while they are active") {
    return_in_regions<superstate_first>();
    return_in_regions<substate_first>();
}
