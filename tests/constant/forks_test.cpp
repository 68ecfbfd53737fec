// Forks and joins of constant charts behave as in charts that are compiled at run time.
#include <tests/constant/same_text.hpp>

namespace {

using namespace test;
using enum hsm::decision_order;

/// P{left{a, b, m{m1, m2}}, middle{c, d}, right{e, Q{q1{f, g}, q2{h, i}}}}, out.
template <hsm::decision_order Order>
constexpr auto forks = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& p = traced<"P">(root.named("root").add_parallel("P"));
    auto &left = p.add_fsm("left"), &middle = p.add_fsm("middle"), &right = p.add_fsm("right");
    auto &a = add<"a">(left), &b = add<"b">(left);
    auto& m = add_machine<"m">(left);
    add<"m1">(m);
    auto& m2 = add<"m2">(m);
    auto &c = add<"c">(middle), &d = add<"d">(middle);
    auto& e = add<"e">(right);
    auto& q = traced<"Q">(right.add_parallel("Q"));
    auto &q1 = q.add_fsm("q1"), &q2 = q.add_fsm("q2");
    auto &f = add<"f">(q1), &g = add<"g">(q1), &h = add<"h">(q2), &i = add<"i">(q2);
    auto& out = add<"out">(root);
    m.dispatch(m2).when(&trace_context::ready);
    root.initial(b, d);
    out.to(b, d).on(key::A);
    out.to(d, g, i).on(key::B);
    out.to(m, i).on(key::C);
    p.to(out).on(key::D).in(b, d);
    b.to(a).on(key::E);
    e.to(g, i).when(&trace_context::go);
    c.to(out).on(key::F).in(q, g).unless_in(h);
    p.to(a, f).when(hsm::all(&trace_context::go, &trace_context::ready));
    right.to(p, e).on(key::G);
    d.to(c).on(key::H);
});

template <hsm::decision_order Order> void play() {
    same_text<forks<Order>> t;
    constexpr bool outer_first = Order == superstate_first;
    CHECK(t.start() == "E P, E b, E d, E e");
    CHECK(t.process(key::D) == "X e, X d, X b, X P, E out");
    CHECK(t.process(key::A) == "X out, E P, E b, E d, E e");
    CHECK(t.process(key::E) == "X b, E a");
    CHECK(t.process(key::D) == "");
    CHECK(t.last() == hsm::result::guarded);
    t.set(&trace_context::go);
    CHECK(t.tick() == (outer_first ? "U P, U a, U d, X e, E Q, E g, E i, U Q, U g, U i" : "X e, E Q, E g, E i, U P, U a, U d, U Q, U g, U i"));
    CHECK(t.process(key::H) == "X d, E c");
    CHECK(t.process(key::F) == "X i, X g, X Q, X c, X a, X P, E out");
    CHECK(t.process(key::B) == "X out, E P, E a, E d, E Q, E g, E i");
    CHECK(t.process(key::G) == "X i, X g, X Q, X d, X a, X P, E P, E a, E c, E e");
    t.set(&trace_context::ready);
    t.tick();
    t.set(&trace_context::go, false);
    CHECK(t.tick() == (outer_first ? "U P, U a, U c, U Q, U f, U h" : "U P, U a, U c, U Q, U g, U i"));
    t.stop();
    t.start();
    t.process(key::D);
    CHECK(t.process(key::C) == "X out, E P, E m, E m2, E c, E Q, E f, E i");
    t.set(&trace_context::go);
    CHECK(t.tick() == "X i, X f, X Q, X c, X m2, X m, X P, E P, E a, E c, E Q, E f, E h, U P, U a, U c, U Q, U f, U h");
    CHECK(t.tick() == "U P, U a, U c, U Q, U f, U h"); // both targets are active
}

} // namespace

TEST_CASE("a fork of a constant chart enters its targets, and the other regions by their entry choices") {
    play<superstate_first>();
    play<substate_first>();
}
