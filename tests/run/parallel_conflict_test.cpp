// T32-T34: one event with several regions: which transitions form the step, and which of two that exit the same states wins.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {
constexpr hsm::decision_order both_orders[] = {hsm::decision_order::superstate_first, hsm::decision_order::substate_first};
const std::string left_p = "X c, X 2, X a, X 1, X P, ";
} // namespace

TEST_CASE("T32: the transitions of all regions are one step: exits in reverse order, actions, entries") {
    for (const auto order : both_orders) {
        two_regions t;
        t.c.to(t.d).on<event<1>>().then(tracing("second"));
        t.a.to(t.b).on<event<1>>().then(tracing("first"));
        started m(std::move(t.root), {.order = order});
        CHECK(m.process(event<1>{}) == "X c, X a, first, second, E b, E d");
        CHECK(leaves_of(m.agent) == "b d");
    }
}

TEST_CASE("T33: of two conflicting transitions the one that exits more wins, here also the earlier one") {
    for (const auto order : both_orders) {
        two_regions t;
        t.a.to(t.out).on<event<1>>();
        t.c.to(t.d).on<event<1>>().then(tracing("lost"));
        started m(std::move(t.root), {.order = order});
        CHECK(m.process(event<1>{}) == left_p + "E B");
    }
}

TEST_CASE("T34: with the regions swapped, the outer level or the earlier transition wins, depending on the order") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.out).on<event<1>>();
    SUBCASE("superstate_first: the outer level") { CHECK(started(std::move(t.root)).process(event<1>{}) == left_p + "E B"); }
    SUBCASE("substate_first: document order") { CHECK(started(std::move(t.root), substates_first).process(event<1>{}) == "X a, E b"); }
}

TEST_CASE("of two conflicting transitions of the same level the earlier one wins") {
    for (const auto order : both_orders) {
        two_regions t;
        auto& other = traced(t.root->add("C"));
        t.a.to(t.out).on<event<1>>();
        t.c.to(other).on<event<1>>();
        started m(std::move(t.root), {.order = order});
        CHECK(m.process(event<1>{}) == left_p + "E B");
    }
}

TEST_CASE("superstate_first: the path to the parallel decides first; regions decide if no state there consumes the event") {
    two_regions t;
    t.p.on<event<1>>().when(&recorder::go).then(tracing("P"));
    t.one.on<event<1>>().then(tracing("1"));
    t.a.on<event<1>>().then(tracing("a"));
    t.c.on<event<1>>().then(tracing("c"));
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "1, c");
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "P");
}

TEST_CASE("substate_first: each leaf decides outwards; a superstate's transition fires once, also together with another leaf's") {
    two_regions t;
    t.p.on<event<1>>().then(tracing("P"));
    t.a.on<event<1>>().when(&recorder::go).then(tracing("a"));
    started m(std::move(t.root), substates_first);
    CHECK(m.process(event<1>{}) == "P");
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "a, P"); // c's leaf still selects P's transition
}

TEST_CASE("substate_first: of a descendant and its ancestor that conflict the descendant wins, even if it was chosen later") {
    two_regions t;
    t.p.to(t.out).on<event<1>>().then(tracing("lost"));
    t.c.to(t.d).on<event<1>>();
    t.one.on<event<2>>();
    started m(std::move(t.root), substates_first);
    CHECK(m.process(event<1>{}) == "X c, E d"); // a selected P's transition, c its own
}

TEST_CASE("superstate_first: nested levels, the outermost of three wins and drops both") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& q = traced(one.add_parallel("Q"));
    auto& x = traced(traced(q.add_fsm("q1")).add("x"));
    auto& y = traced(traced(q.add_fsm("q2")).add("y"));
    auto& z = traced(one.add("z"));
    auto& c = traced(traced(p.add_fsm("2")).add("c"));
    auto& out = traced(root->add("out"));
    x.on<event<1>>().then(tracing("reaction"));
    y.to(z).on<event<1>>();
    c.to(out).on<event<2>>();
    y.to(z).on<event<2>>();
    x.to(x).on<event<2>>();
    SUBCASE("a reaction and a transition that exits its state") {
        started m(std::move(root));
        CHECK(m.process(event<1>{}) == "X y, X q2, X x, X q1, X Q, reaction, E z");
        CHECK(leaves_of(m.agent) == "z c");
    }
    SUBCASE("three levels") { CHECK(started(std::move(root)).process(event<2>{}) == "X c, X 2, X y, X q2, X x, X q1, X Q, X 1, X P, E out"); }
    SUBCASE("three levels, substate_first") { CHECK(started(std::move(root), substates_first).process(event<2>{}) == "X x, E x"); }
}

TEST_CASE("a transition that loses may conflict with another one that then fires") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& q = traced(one.add_parallel("Q"));
    auto& q1 = traced(q.add_fsm("q1"));
    auto& x = traced(q1.add("x"));
    auto& q2 = traced(q.add_fsm("q2"));
    auto& y = traced(q2.add("y"));
    auto& z = traced(one.add("z"));
    auto& two = traced(p.add_fsm("2"));
    auto& c = traced(two.add("c"));
    x.to(x).on<event<1>>();
    y.to(z).on<event<1>>();
    c.to(c).on<event<1>>();
    SUBCASE("superstate_first: the transition of q2 exits Q") {
        CHECK(started(std::move(root)).process(event<1>{}) == "X c, X y, X q2, X x, X q1, X Q, E z, E c");
    }
    SUBCASE("substate_first: the transition of q1 came first") {
        CHECK(started(std::move(root), substates_first).process(event<1>{}) == "X c, X x, E x, E c");
    }
}

TEST_CASE("reactions of several regions do not conflict") {
    for (const auto order : both_orders) {
        two_regions t;
        t.a.on<event<1>>().then(tracing("a"));
        t.c.on<event<1>>().then(tracing("c"));
        t.one.on<event<2>>().then(tracing("1"));
        t.c.to(t.out).on<event<2>>().then(tracing("c"));
        started m(std::move(t.root), {.order = order});
        CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
        CHECK(m.r.take() == "a, c");
        CHECK(m.agent.process(event<2>{}) == hsm::result::taken);
        CHECK(m.r.take() == left_p + "1, c, E B");
    }
}

TEST_CASE("a reaction whose action takes a local does not run if another transition of the step exited its source") {
    struct data {
        int value = 1;
    };
    for (const auto order : both_orders) {
        two_regions t;
        const auto take = [](recorder& r, data& d) { r.note(std::to_string(d.value)); };
        t.one.local<data>();
        t.one.on<event<1>>().then(take);
        t.one.on<event<2>>().then(take);
        t.c.to(t.out).on<event<2>>().then(tracing("c"));
        started m(std::move(t.root), {.order = order});
        CHECK(m.process(event<1>{}) == "1");
        CHECK(m.process(event<2>{}) == left_p + "c, E B");
    }
}

TEST_CASE("priority orders the transitions of one state, not of regions") {
    two_regions t;
    auto& other = traced(t.root->add("C"));
    t.a.to(t.out).on<event<1>>();
    t.c.to(other).on<event<1>>().priority(9);
    t.c.to(t.d).on<event<1>>().priority(10).when(&recorder::go);
    CHECK(started(std::move(t.root)).process(event<1>{}) == left_p + "E B");
}

TEST_CASE("results: taken before internal; guarded if only guards refused; unhandled without a transition") {
    two_regions t;
    t.a.on<event<1>>();
    t.c.to(t.d).on<event<1>>().when(&recorder::go);
    t.c.to(t.d).on<event<2>>().when(&recorder::go);
    t.d.on<event<3>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
    CHECK(m.agent.process(event<2>{}) == hsm::result::guarded);
    CHECK(m.agent.process(event<3>{}) == hsm::result::unhandled);
    m.r.go = true;
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::taken);
    CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
}

TEST_CASE("on_unhandled runs once, in the innermost state that has it") {
    two_regions t;
    t.out.on<event<1>>();
    t.root->on_unhandled(tracing("R"));
    t.two.on_unhandled(tracing("2"));
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "2");
}
