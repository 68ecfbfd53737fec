// Deferred events, `on_change`, entry times and history in constant charts with parallel regions behave as in charts that are compiled at run time.
#include <hsm/observe/explain_constant.hpp>
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

namespace {

/// out, M{w, P{left{inner{a, b}}, right{c, Q{q1{e, f}, q2}, end}}}. M has deep memory.
template <class Root> constexpr void define_deep(Root& root) {
    auto& out = add<"out">(root.named("root"));
    auto& m = add_machine<"M">(root).remembers_deep();
    auto& again = m.add_deep_history("again");
    auto& w = add<"w">(m);
    auto& p = traced<"P">(m.add_parallel("P"));
    auto& inner = add_machine<"inner">(p.add_fsm("left"));
    auto &a = add<"a">(inner), &b = add<"b">(inner);
    auto& right = p.add_fsm("right");
    auto& c = add<"c">(right);
    auto& q = traced<"Q">(right.add_parallel("Q"));
    auto& q1 = q.add_fsm("q1");
    auto &e = add<"e">(q1), &f = add<"f">(q1);
    add<"q2">(q);
    auto& end = right.add_final("end");
    out.to(m).on(key::A);
    m.to(out).on(key::B);
    w.to(p).on(key::C);
    p.to(w).on(key::D);
    a.to(b).on(key::E);
    c.to(q).on(key::F);
    e.to(f).on(key::G);
    q.to(end).on(key::H);
    w.to(again).on(key::I);
    b.to(a).on(key::F);
    m.to(again).when(&trace_context::go);
}
template <hsm::decision_order Order, bool Finals>
constexpr auto deep = hsm::constant_chart<trace_context, hsm::constant_chart_options{Order, Finals}>([](auto& root) { define_deep(root); });

const std::string to_f = "E P, E inner, E b, E Q, E f, E q2", from_f = "X q2, X f, X Q, X b, X inner, X P, ";

template <hsm::decision_order Order, bool Finals> void return_to_leaves() {
    same_text<deep<Order, Finals>> t;
    t.start();
    CHECK(t.process(key::A) == "X out, E M, E w");
    CHECK(t.process(key::C) == "X w, E P, E inner, E a, E c");
    t.process(key::E), t.process(key::F), t.process(key::G);
    t.process(key::E); // F has also fired from b
    CHECK(t.process(key::B) == from_f + "X M, E out");
    CHECK(t.process(key::A) == "X out, E M, " + to_f);
    CHECK(t.process(key::D) == from_f + "E w"); // records nothing, because M stays
    CHECK(t.process(key::C) == "X w, E P, E inner, E a, E c");
    CHECK(t.process(key::D) == "X c, X a, X inner, X P, E w");
    CHECK(t.process(key::I) == "X w, " + to_f);
    t.process(key::H);
    CHECK(t.process(key::B) == "X b, X inner, X P, X M, E out");
    CHECK(t.process(key::A) == (Finals ? "X out, E M, E P, E inner, E b" : "X out, E M, E P, E inner, E b, E c"));
    t.stop();
    t.start();
    CHECK(t.process(key::A) == (Finals ? "X out, E M, E P, E inner, E b" : "X out, E M, E P, E inner, E b, E c"));
    t.process(key::D), t.process(key::B), t.process(key::A);
    CHECK(t.path() == "root/M/w");
}

} // namespace

TEST_CASE("deep history of a machine around a parallel of a constant chart restores the leaves of all regions") {
    return_to_leaves<superstate_first, false>();
    return_to_leaves<substate_first, false>();
    return_to_leaves<superstate_first, true>();
}

TEST_CASE("a polled transition of a constant chart to a deep history state is satisfied while the recorded leaves of all regions are active") {
    const std::string again = "X c, X b, X inner, X P, E P, E inner, E a, E c, ", updates = "U P, U inner, U a, U c";
    const auto play = [&](auto& t, const std::string& before, const std::string& after) {
        t.start();
        t.process(key::A), t.process(key::C), t.process(key::B), t.process(key::A);
        t.set(&trace_context::go);
        CHECK(t.tick() == "U M, " + updates);
        t.process(key::E);
        CHECK(t.tick() == before + again + after + updates);
        t.process(key::F);
        CHECK(t.tick() == before + "X q2, X e, X Q, X a" + again.substr(8) + after + updates);
        CHECK(t.tick() == "U M, " + updates);
    };
    same_text<deep<superstate_first, false>> outer;
    play(outer, "U M, ", "");
    same_text<deep<substate_first, false>> inner;
    play(inner, "", "U M, ");
}

namespace {

/// out, P{left{a, b, N{x, y}}, right{c, d}}. The parallel remembers its leaves if that is chosen.
template <class Root> constexpr void define_histories(Root& root, bool remembers) {
    auto& out = add<"out">(root.named("root"));
    auto& p = traced<"P">(root.add_parallel("P"));
    if (remembers) p.remembers_deep();
    auto &shallow = p.add_history("shallow"), &last = p.add_deep_history("last");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = add<"a">(left), &b = add<"b">(left);
    auto& n = add_machine<"N">(left).remembers();
    auto &x = add<"x">(n), &y = add<"y">(n), &c = add<"c">(right), &d = add<"d">(right);
    auto& parallels = left.add_parallel("R");
    parallels.add("r1"), parallels.add_history("none");
    last.otherwise(b, d).then(notes<"otherwise">);
    a.to(b).on(key::E);
    c.to(d).on(key::F);
    b.to(n).on(key::G);
    x.to(y).on(key::G);
    y.to(parallels).on(key::G);
    out.to(p).on(key::A);
    out.to(shallow).on(key::B);
    out.to(last).on(key::C);
    p.to(out).on(key::D);
    p.to(last).on(key::H);
    left.to(p).on(key::I);
    root.to(last).when(&trace_context::go);
}
template <hsm::decision_order Order, bool Remembers>
constexpr auto histories = hsm::constant_chart<trace_context, Order>([](auto& root) { define_histories(root, Remembers); });

template <hsm::decision_order Order, bool Remembers> void return_by_histories() {
    same_text<histories<Order, Remembers>> t;
    t.start();
    CHECK(t.process(key::C) == "X out, E P, otherwise, E b, E d");
    CHECK(t.process(key::D) == "X d, X b, X P, E out");
    CHECK(t.process(key::A) == (Remembers ? "X out, E P, E b, E d" : "X out, E P, E a, E c"));
    t.process(key::D), t.process(key::B);
    CHECK(t.process(key::G) == "");
    t.process(key::E), t.process(key::G), t.process(key::G);
    CHECK(t.process(key::D) == "X c, X y, X N, X P, E out");
    CHECK(t.process(key::C) == "X out, E P, E N, E y, E c");
    CHECK(t.process(key::H) == "X c, X y, X N, X P, E P, E N, E y, E c");
    CHECK(t.process(key::I) == (Remembers ? "X c, X y, X N, X P, E P, E N, E y, E c" : "X c, X y, X N, X P, E P, E a, E c"));
    t.process(key::D);
    CHECK(t.process(key::B) == "X out, E P, E a, E c"); // shallow: the regions themselves
    t.set(&trace_context::go);
    CHECK(t.tick() == "U P, U a, U c");
    t.process(key::F), t.process(key::D);
    CHECK(t.tick() == "X out, E P, E a, E d, U P, U a, U d");
}

} // namespace

TEST_CASE("history states of a parallel of a constant chart lead to the record, or to their default") {
    return_by_histories<superstate_first, false>();
    return_by_histories<superstate_first, true>();
    return_by_histories<substate_first, false>();
    return_by_histories<substate_first, true>();
}

TEST_CASE("explain uses the records of the regions of a constant instance") {
    trace_context c, d;
    hsm::constant_instance<deep<superstate_first, false>> constant(c);
    const auto& chart = hsm::chart_of(deep<superstate_first, false>);
    hsm::instance<trace_context> ordinary(chart, d);
    const auto both = [&](auto does) { does(constant), does(ordinary); };
    both([](auto& agent) {
        agent.start();
        for (const auto k : {key::A, key::C, key::E, key::B}) agent.process(k);
    });
    for (const auto* leaf : {"M/w", "M/P/left/inner/a", "M/P/left/inner/b", "M/P/right/c", "M/P/right/Q/q2"})
        CHECK(to_string(hsm::why_not(constant, leaf)) == to_string(hsm::why_not(ordinary, leaf)));
    CHECK(sizeof(constant) == 2 * sizeof(void*) + 48); // with one record, and those of four regions inside
}
