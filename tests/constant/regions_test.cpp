// Constant charts with parallel regions behave like charts that are compiled at run time.
#include <tests/constant/same_text.hpp>

namespace {

using namespace test;
using enum hsm::decision_order;

/// P{left{a, b}, right{c, d}}, Q.
constexpr auto define_two = [](auto& root) {
    auto& p = traced<"P">(root.named("root").add_parallel("P"));
    auto& left = add_machine<"left">(p);
    auto& right = add_machine<"right">(p);
    auto &a = add<"a">(left), &b = add<"b">(left), &c = add<"c">(right), &d = add<"d">(right), &q = add<"Q">(root);
    a.to(b).on(key::A).then(notes<"a-b">);
    c.to(d).on(key::A).then(notes<"c-d">);
    a.to(q).on(key::B);
    c.to(d).on(key::B);
    d.on(key::C).then(notes<"stays">);
    b.to(d).on(key::C);
    b.on(key::D).when(&trace_context::go).then(notes<"goes">);
    p.to(q).on(key::E);
    left.to(a).on(key::F);
    q.to(d).on(key::G);
    q.to(p).on(key::H);
};
constexpr auto two = hsm::constant_chart<trace_context>(define_two);
constexpr auto two_inside_first = hsm::constant_chart<trace_context, substate_first>(define_two);

} // namespace

TEST_CASE("a constant chart enters its regions in order and exits them in reverse") {
    same_text<two> t;
    CHECK(t.start() == "E P, E left, E a, E right, E c");
    CHECK(t.path() == "root/P");
    CHECK(t.constant_agent().is_in("a"));
    CHECK(t.constant_agent().is_in("right/c"));
    CHECK(!t.constant_agent().is_in("d"));
    CHECK(t.tick() == "U P, U left, U a, U right, U c");
    CHECK(t.process(key::E) == "X c, X right, X a, X left, X P, E Q");
    CHECK(!t.constant_agent().is_in("a"));
    CHECK(t.process(key::G) == "X Q, E P, E left, E a, E right, E d");
    CHECK(t.stop() == "X d, X right, X a, X left, X P");
    CHECK(!t.constant_agent().is_in("P"));
}

TEST_CASE("the transitions of several regions of a constant chart form one step") {
    same_text<two> t;
    t.start();
    CHECK(t.process(key::A) == "X c, X a, a-b, c-d, E b, E d");
    CHECK(t.process(key::F) == "X b, E a");
    CHECK(t.process(key::A) == "X a, a-b, E b");
    CHECK(t.process(key::D) == "");
    CHECK(t.last() == hsm::result::guarded);
    t.set(&trace_context::go);
    CHECK(t.process(key::D) == "goes");
    CHECK(t.last() == hsm::result::internal);
    CHECK(t.process(key::I) == "");
    CHECK(t.last() == hsm::result::unhandled);
}

namespace {

/// P{left{a, b}, middle{c, d}, right{e, f}}: no transition waits for A, C or I, which are before, between and after the others.
constexpr auto three = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = traced<"P">(root.named("root").add_parallel("P"));
    auto &left = add_machine<"left">(p), &middle = add_machine<"middle">(p), &right = add_machine<"right">(p);
    auto &a = add<"a">(left), &b = add<"b">(left), &c = add<"c">(middle), &d = add<"d">(middle), &e = add<"e">(right), &f = add<"f">(right);
    a.to(b).on(key::B).then(notes<"a-b">);
    left.to(a).on(key::B).when(&trace_context::go).then(notes<"left-a">);
    c.to(d).on(key::B).when(&trace_context::ready).then(notes<"c-d">);
    c.on(key::B).then(notes<"c">);
    e.to(f).on(key::B).then(notes<"e-f">);
    a.on(key::D).when(&trace_context::go).then(notes<"a">);
    d.on(key::D).when(&trace_context::go).then(notes<"d">);
    f.on(key::D).when(&trace_context::ready).then(notes<"f">);
    a.to(b).on(key::E);
    c.defer(key::E);
    e.on(key::E).when(&trace_context::go);
});

} // namespace

TEST_CASE("each of three regions of a constant chart fires its own transition in one step") {
    same_text<three, hsm::queue<0, 0, 1>> t({.deferred_queue = 1});
    t.start();
    for (const auto unknown : {key::A, key::C, key::I}) {
        CHECK(t.process(unknown) == "");
        CHECK(t.last() == hsm::result::unhandled);
    }
    CHECK(t.process(key::D) == "");
    CHECK(t.last() == hsm::result::guarded);
    CHECK(t.process(key::B) == "X e, X a, a-b, c, e-f, E b, E f");
    CHECK(t.last() == hsm::result::taken);
    CHECK(t.process(key::B) == "c");
    CHECK(t.last() == hsm::result::internal);
    CHECK(t.process(key::E) == "");
    CHECK(t.last() == hsm::result::deferred);
    t.set(&trace_context::ready);
    CHECK(t.process(key::B) == "X c, c-d, E d");
    CHECK(t.process(key::D) == "f");
    t.set(&trace_context::go);
    CHECK(t.process(key::B) == "X b, left-a, E a, X a, E b"); // then the deferred event
    CHECK(t.process(key::D) == "d, f");
    CHECK(t.process(key::E) == "");
    CHECK(t.last() == hsm::result::unhandled);
}

namespace {

/// Events for one, two and three regions, and for the root.
constexpr auto ends = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    for (const auto name : {"one", "two", "three"}) {
        auto& region = p.add_fsm(name);
        auto &a = region.add("a"), &b = region.add("b");
        a.to(b).on(key::A);
        if (name[0] == 't') a.to(b).on(key::B);
        if (name[1] == 'n') a.to(b).on(key::C);
    }
    p.to(root.add_final("end")).on(key::D);
});

} // namespace

TEST_CASE("an event for regions returns inactive if the constant instance is not started, or is finished") {
    same_text<ends> t;
    const auto check = [&](hsm::result expected) {
        for (const auto k : {key::A, key::B, key::C, key::D, key::I}) {
            CHECK(t.process(k) == "");
            CHECK(t.last() == expected);
        }
    };
    check(hsm::result::inactive);
    t.start();
    t.process(key::A);
    CHECK(t.last() == hsm::result::taken);
    t.process(key::I);
    CHECK(t.last() == hsm::result::unhandled);
    t.process(key::D);
    check(hsm::result::inactive);
    t.stop();
    check(hsm::result::inactive);
}

TEST_CASE("a transition out of a parallel conflicts with those of the other regions of a constant chart") {
    same_text<two> t;
    t.start();
    CHECK(t.process(key::B) == "X c, X right, X a, X left, X P, E Q");
    t.process(key::G);
    t.process(key::A);
    CHECK(t.process(key::C) == "X d, X right, X b, X left, X P, stays, E P, E left, E a, E right, E d");
    same_text<two_inside_first> inside;
    inside.start();
    CHECK(inside.process(key::B) == "X c, X right, X a, X left, X P, E Q");
}

namespace {

constexpr auto define_conflict = [](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    auto &first = p.add_fsm("first"), &second = p.add_fsm("second");
    auto &c = add<"c">(first), &d = add<"d">(first), &a = add<"a">(second), &b = add<"B">(root);
    c.to(d).on(key::A);
    a.to(b).on(key::A);
};
constexpr auto outer_wins = hsm::constant_chart<trace_context>(define_conflict);
constexpr auto first_wins = hsm::constant_chart<trace_context, substate_first>(define_conflict);

} // namespace

TEST_CASE("the order of decision of a constant chart resolves conflicts between regions") {
    same_text<outer_wins> outer;
    outer.start();
    CHECK(outer.process(key::A) == "X a, X c, E B");
    same_text<first_wins> first;
    first.start();
    CHECK(first.process(key::A) == "X c, E d");
}

namespace {

/// Nested: P{left{a{P2{x{x1, x2}, y}, b}, right{c, d, done}}.
template <hsm::decision_order Order>
constexpr auto nested = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = traced<"P">(root.named("root").add_parallel("P"));
    auto &left = add_machine<"left">(p), &right = add_machine<"right">(p);
    auto& p2 = traced<"P2">(left.add_parallel("P2"));
    auto& x = add_machine<"x">(p2);
    add<"y">(p2);
    auto &x1 = add<"x1">(x), &x2 = add<"x2">(x), &b = add<"b">(left), &c = add<"c">(right), &d = add<"d">(right);
    auto& q = add<"Q">(root);
    auto &left_done = left.add_final("done"), &right_done = right.add_final("done");
    x1.to(x2).when(&trace_context::go);
    c.to(d).when(&trace_context::go).then(notes<"c-d">);
    x2.to(b).when(&trace_context::ready);
    d.to(right_done).on(key::A);
    b.to(left_done).on(key::B);
    p.to(q).on_finished();
    q.to(x2).on(key::C);
    q.to(right).on(key::D);
    d.to(x1).on(key::E);
});

} // namespace

TEST_CASE("nested regions of a constant chart tick one after the other") {
    same_text<nested<superstate_first>> outer;
    CHECK(outer.start() == "E P, E left, E P2, E x, E x1, E y, E right, E c");
    outer.set(&trace_context::go);
    CHECK(outer.tick() == "U P, U left, U P2, U x, X x1, E x2, U x2, U y, U right, X c, c-d, E d, U d");
    outer.set(&trace_context::ready);
    CHECK(outer.tick() == "U P, U left, X y, X x2, X x, X P2, E b, U b, U right, U d");
    same_text<nested<substate_first>> inner;
    inner.start();
    inner.set(&trace_context::go);
    CHECK(inner.tick() == "X c, X x1, c-d, E x2, E d, U P, U left, U P2, U x, U x2, U y, U right, U d");
}

TEST_CASE("a parallel of a constant chart is finished when all its regions are") {
    same_text<nested<superstate_first>> t;
    t.start();
    t.set(&trace_context::go);
    t.tick();
    CHECK(t.process(key::A) == "X d");
    CHECK(t.path() == "root/P");
    t.set(&trace_context::ready);
    t.tick();
    CHECK(t.process(key::B) == "X b, X right, X left, X P, E Q");
    CHECK(t.process(key::C) == "X Q, E P, E left, E P2, E x, E x2, E y, E right, E c");
}

TEST_CASE("a transition of a constant chart into another region exits and enters the parallel") {
    same_text<nested<substate_first>> t;
    t.start();
    t.set(&trace_context::go);
    t.tick();
    CHECK(t.process(key::E) == "X d, X right, X y, X x2, X x, X P2, X left, X P, E P, E left, E P2, E x, E x1, E y, E right, E c");
}

namespace {

/// Eight regions, each with a timer, a condition, a choice and a transient state.
template <hsm::decision_order Order>
constexpr auto many = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    const auto add_region = [&](const char* name) {
        auto& region = p.add_fsm(name);
        auto &off = region.add("off"), &passing = region.add("passing"), &on = region.add("on");
        auto& choice = region.add_choice("choice");
        off.on_enter(notes<"off">);
        on.on_enter(notes<"on">);
        off.to(passing).after(hsm::time_span::from_nanoseconds(20'000'000));
        passing.transient();
        passing.to(choice);
        choice.to(on).when("Lit");
        choice.otherwise(off);
        on.to(off).when("Dark").always();
    };
    for (const auto* name : {"r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"}) add_region(name);
});

} // namespace

TEST_CASE("eight regions of a constant chart have timers, conditions, choices and transient states") {
    const auto plays = [](auto& t) {
        t.start();
        t.tick();
        CHECK(t.tick() == "off, off, off, off, off, off, off, off");
        t.both([](auto& agent) { return agent.set("Lit"), agent.tick(hsm::time_span::from_nanoseconds(20'000'000)); });
        CHECK(t.constant_agent().is_in("r8/on"));
        t.both([](auto& agent) { return agent.set("Dark"), agent.tick(); });
        CHECK(t.constant_agent().is_in("r1/off"));
    };
    same_text<many<superstate_first>> outer;
    plays(outer);
    same_text<many<substate_first>> inner;
    plays(inner);
}

namespace {

/// "left" rests, until "y" is entered.
template <bool Whole>
constexpr auto late = hsm::constant_chart<trace_context, substate_first>([](auto& root) {
    auto& a = add<"a">(root.named("root"));
    auto& p = traced<"P">(root.add_parallel("P"));
    auto &left = add_machine<"left">(p), &right = add_machine<"right">(p);
    left.dispatch(add<"x">(left)).when(&trace_context::ready);
    add<"y">(right).on_enter([](trace_context& w) { w.ready = true; });
    if (Whole)
        a.to(p).when(&trace_context::go);
    else
        a.to(left).when(&trace_context::go);
});

template <bool Whole> void enter_late() {
    same_text<late<Whole>> t;
    t.start();
    t.set(&trace_context::go);
    CHECK(t.tick() == "X a, E P, E left, E right, E y, U P, U left, U right, U y");
    CHECK(t.tick() == "E x, U P, U left, U x, U right, U y");
}

} // namespace

TEST_CASE("a machine that a constant chart entered in this tick does not repeat its choice") {
    enter_late<true>();
    enter_late<false>();
}

namespace {

constexpr auto shared_values = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = add<"a">(left), &b = add<"b">(left), &c = add<"c">(right), &q = add<"Q">(root);
    a.to(b).on(hsm::any(key::A, key::B));
    c.to(q).on(key::B);
    q.to(p).on(key::C);
});

} // namespace

TEST_CASE("an event for one region of a constant chart and one for two can enable the same transition") {
    same_text<shared_values> t;
    t.start();
    CHECK(t.process(key::B) == "X c, X a, E Q");
    t.process(key::C);
    CHECK(t.process(key::A) == "X a, E b");
}

namespace {

/// A selects a branch in each region. The first one exits both.
template <hsm::decision_order Order>
constexpr auto drawn = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = root.named("root").add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = left.add("a"), &b = right.add("b");
    auto& x = add<"x">(root);
    auto &first = left.add_choice("first"), &second = right.add_choice("second"), &third = root.add_choice("third");
    for (auto* choice : {&first, &second}) choice->choose(hsm::choosing::weighted).to(x).weight(1);
    a.to(first).on(key::A);
    b.to(second).on(key::A);
    third.choose(hsm::choosing::weighted);
    for (const auto* name : {"1", "2", "3", "4", "5"}) third.to(traced<"drawn">(root.add(name))).weight(1);
    root.to(third).on(key::B);
});

template <hsm::decision_order Order> std::string draw_after_conflict() {
    same_text<drawn<Order>> t;
    t.start();
    t.process(key::A);
    std::string names;
    for (int i = 0; i < 12; ++i) t.process(key::B), names += t.path().back();
    return names;
}

} // namespace

TEST_CASE("a selected branch that does not fire in a constant chart does not change later random choices") {
    CHECK(draw_after_conflict<superstate_first>() == draw_after_conflict<substate_first>());
}

namespace {

/// The chain of "right" ends with an error before the completion of "left" is tried.
constexpr auto unfinished = hsm::constant_chart<trace_context>([](auto& root) {
    auto& p = traced<"root">(root.named("root")).add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto& done = left.add_final("done");
    left.initial(done);
    left.to(add<"next">(left)).on_finished();
    auto& choice = right.add_choice("choice");
    choice.to(choice);
});

} // namespace

TEST_CASE("an update of a constant chart tries a completion that an endless chain left") {
    same_text<unfinished> t;
    CHECK(t.start() == "E root");
    CHECK(t.both([](auto& agent) { return agent.update(hsm::time_span()); }) == "U root, E next, U next");
    CHECK(t.constant_agent().is_in("next"));
}
