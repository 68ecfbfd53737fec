// T16, T31: all regions are entered in the order of their definition, and exit in reverse; which states a transition into, out of, and between
// regions exits and enters.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

TEST_CASE("a parallel is entered with all of its regions, and stop exits them last to first") {
    two_regions t;
    started m(std::move(t.root));
    CHECK(m.path() == "R/P");
    CHECK(leaves_of(m.agent) == "a c");
    CHECK(m.stop() == "X c, X 2, X a, X 1, X P");
    CHECK(leaves_of(m.agent) == "");
    CHECK(m.start() == "E P, E 1, E a, E 2, E c");
}

TEST_CASE("T16: a transition out of a parallel exits its regions last to first") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    traced(p.add("1"));
    traced(p.add("2"));
    auto& b = traced(root->add("B"));
    p.to(b).on<event<1>>();
    started m(std::move(root));
    CHECK(leaves_of(m.agent) == "1 2");
    CHECK(m.process(event<1>{}) == "X 2, X 1, X P, E B");
    CHECK(leaves_of(m.agent) == "B");
    CHECK(m.path() == "R/B");
}

TEST_CASE("T31: a transition into another region exits the parallel and enters it again") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        two_regions t;
        t.a.to(t.d).on<event<1>>();
        started m(std::move(t.root), {.order = order});
        CHECK(m.process(event<1>{}) == "X c, X 2, X a, X 1, X P, E P, E 1, E a, E 2, E d");
        CHECK(leaves_of(m.agent) == "a d");
    }
}

TEST_CASE("a transition within a region does not affect the others") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X a, E b");
    CHECK(m.process(event<2>{}) == "X c, E d");
    CHECK(leaves_of(m.agent) == "b d");
    CHECK(m.process(event<2>{}) == "");
}

TEST_CASE("a region's own machine stays where it is the source or the target") {
    two_regions t;
    t.one.to(t.b).on<event<1>>();
    t.b.to(t.one).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X a, E b");
    CHECK(m.process(event<2>{}) == "X b, E a");
}

TEST_CASE("an external transition between a region and its substate exits the parallel") {
    two_regions t;
    t.one.to(t.b).on<event<1>>().external();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X 2, X a, X 1, X P, E P, E 1, E b, E 2, E c");
}

TEST_CASE("a transition between a parallel and its descendants, or of a region to itself, enters the parallel again") {
    const auto anew = std::string("X c, X 2, X a, X 1, X P, E P, E 1, E a, E 2, ");
    two_regions t;
    SUBCASE("from the parallel to a region's state") {
        t.p.to(t.d).on<event<1>>();
        CHECK(started(std::move(t.root)).process(event<1>{}) == anew + "E d");
    }
    SUBCASE("from a region's state to the parallel") {
        t.a.to(t.p).on<event<1>>();
        CHECK(started(std::move(t.root)).process(event<1>{}) == anew + "E c");
    }
    SUBCASE("a region to itself") {
        t.two.to(t.two).on<event<1>>();
        CHECK(started(std::move(t.root)).process(event<1>{}) == anew + "E c");
    }
    SUBCASE("a region to another") {
        t.one.to(t.two).on<event<1>>();
        CHECK(started(std::move(t.root)).process(event<1>{}) == anew + "E c");
    }
    SUBCASE("the parallel to itself") {
        t.p.to(t.p).on<event<1>>();
        CHECK(started(std::move(t.root)).process(event<1>{}) == anew + "E c");
    }
}

TEST_CASE("the machine around a parallel stays, and the other substates of a region's path are not entered") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& idle = traced(m.add("idle"));
    auto& p = traced(m.add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    traced(one.add("a"));
    auto& deep = traced(one.add_fsm("deep"));
    traced(deep.add("x"));
    auto& y = traced(deep.add("y"));
    traced(traced(p.add_fsm("2")).add("c"));
    idle.to(y).on<event<1>>();
    y.to(idle).on<event<2>>();
    m.to(p).on<event<3>>();
    started s(std::move(root));
    CHECK(s.process(event<1>{}) == "X idle, E P, E 1, E deep, E y, E 2, E c");
    CHECK(s.process(event<2>{}) == "X c, X 2, X y, X deep, X 1, X P, E idle");
    CHECK(s.process(event<3>{}) == "X idle, E P, E 1, E a, E 2, E c");
}

TEST_CASE("nested parallels are entered depth first, in the order of definition, whatever the target") {
    const auto define = [] {
        auto root = root_of();
        auto& out = traced(root->add("out"));
        auto& p = traced(root->add_parallel("P"));
        auto& q = traced(p.add_parallel("Q"));
        traced(traced(q.add_fsm("q1")).add("x"));
        auto& q2 = traced(q.add_fsm("q2"));
        traced(q2.add("y"));
        traced(q2.add("z"));
        auto& r = traced(p.add_fsm("r"));
        traced(r.add("u"));
        traced(r.add("v"));
        out.to(p).on<event<1>>();
        out.to("P/Q/q2/z").on<event<2>>();
        out.to("P/r/v").on<event<3>>();
        out.to("P/Q/q2").on<event<4>>();
        p.to(out).on<event<5>>();
        return root;
    };
    started m(define());
    const auto left = [&] { return m.process(event<5>{}); };
    CHECK(m.process(event<1>{}) == "X out, E P, E Q, E q1, E x, E q2, E y, E r, E u");
    CHECK(leaves_of(m.agent) == "x y u");
    CHECK(m.path() == "R/P");
    CHECK(left() == "X u, X r, X y, X q2, X x, X q1, X Q, X P, E out");
    CHECK(m.process(event<2>{}) == "X out, E P, E Q, E q1, E x, E q2, E z, E r, E u");
    CHECK(left() == "X u, X r, X z, X q2, X x, X q1, X Q, X P, E out");
    CHECK(m.process(event<3>{}) == "X out, E P, E Q, E q1, E x, E q2, E y, E r, E v");
    left();
    CHECK(m.process(event<4>{}) == "X out, E P, E Q, E q1, E x, E q2, E y, E r, E u");
}

TEST_CASE("a transition inside a nested parallel's region exits neither parallel; between its regions it exits the outer one") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& q = traced(p.add_parallel("Q"));
    auto& q1 = traced(q.add_fsm("q1"));
    auto& x = traced(q1.add("x"));
    auto& w = traced(q1.add("w"));
    auto& q2 = traced(q.add_fsm("q2"));
    auto& y = traced(q2.add("y"));
    auto& r = traced(p.add("r"));
    x.to(w).on<event<1>>();
    w.to(y).on<event<2>>();
    r.to(w).on<event<3>>();
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X x, E w");
    CHECK(m.process(event<2>{}) == "X r, X y, X q2, X w, X q1, X Q, X P, E P, E Q, E q1, E x, E q2, E y, E r");
    CHECK(m.process(event<3>{}) == "X r, X y, X q2, X x, X q1, X Q, X P, E P, E Q, E q1, E w, E q2, E y, E r");
}

TEST_CASE("a machine between two parallels is the level of its transitions") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& q = traced(one.add_parallel("Q"));
    auto& x = traced(q.add("x"));
    traced(q.add("y"));
    auto& rest = traced(one.add("rest"));
    traced(p.add("2"));
    x.to(rest).on<event<1>>();
    rest.to(x).on<event<2>>();
    started m(std::move(root));
    CHECK(leaves_of(m.agent) == "x y 2");
    CHECK(m.process(event<1>{}) == "X y, X x, X Q, E rest");
    CHECK(leaves_of(m.agent) == "rest 2");
    CHECK(m.process(event<2>{}) == "X rest, E Q, E x, E y");
}

TEST_CASE("each region makes its entry choice right after its own enter") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& a = traced(one.add("a"));
    auto& b = traced(one.add("b"));
    one.dispatch(b).when(&recorder::go).then(tracing("to b"));
    one.dispatch(a).then(tracing("to a"));
    auto& two = traced(p.add_fsm("2"));
    traced(two.add("c"));
    two.initial(two.add("d")).then(tracing("to d"));
    root->on_enter([](recorder& r) { r.go = true; });
    started m(std::move(root));
    m.stop();
    CHECK(m.start() == "E P, E 1, to b, E b, E 2, to d");
}

TEST_CASE("a region whose choices refuse rests, and is a leaf") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    one.dispatch(traced(one.add("a"))).when(&recorder::go);
    traced(traced(p.add_fsm("2")).add("c"));
    started m(std::move(root));
    CHECK(leaves_of(m.agent) == "1 c");
    CHECK(m.path() == "R/P");
    CHECK(m.stop() == "X c, X 2, X 1, X P");
}

TEST_CASE("a request changes the region of its target, and the others stay") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        two_regions t;
        t.c.on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.change_to("P/1/b"); });
        started m(std::move(t.root), {.order = order});
        CHECK(m.change_to("P/1/b") == "X a, E b");
        CHECK(m.change_to("P/1/b") == "X b, E b");
        CHECK(m.change_to("P/1/a") == "X b, E a");
        CHECK(m.process(event<1>{}) == "X a, E b"); // in a hook of the other region
        CHECK(m.change_to("P/2/d") == "X c, E d");
        CHECK(m.agent.force_to("P/2/c") == hsm::result::taken);
        CHECK(m.r.take() == "X d, E c");
        CHECK(leaves_of(m.agent) == "b c");
    }
}

TEST_CASE("a request to the parallel, or out of it, exits all regions") {
    two_regions t;
    started m(std::move(t.root));
    CHECK(m.change_to("B") == "X c, X 2, X a, X 1, X P, E B");
    CHECK(m.change_to("P/2/d") == "X B, E P, E 1, E a, E 2, E d");
    CHECK(m.change_to("P") == "X d, X 2, X a, X 1, X P, E P, E 1, E a, E 2, E c");
}

TEST_CASE("a request to an active region makes its entry choice again, also if it rests; the others stay") {
    two_regions t;
    t.one.dispatch(t.b).when(&recorder::go);
    started m(std::move(t.root));
    CHECK(leaves_of(m.agent) == "1 c");
    CHECK(m.change_to("P/1") == "");
    m.r.go = true;
    CHECK(m.change_to("P/1") == "E b");
    CHECK(m.change_to("P/1") == "X b, E b");
    m.r.go = false;
    CHECK(m.change_to("P/1") == "X b");
    CHECK(leaves_of(m.agent) == "1 c");
}

TEST_CASE("a request to an active region that is a plain state changes nothing") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        auto root = root_of();
        auto& p = traced(root->add_parallel("P"));
        auto& one = traced(p.add("1"));
        one.on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.change_to("P/1"); });
        auto& two = traced(p.add_fsm("2"));
        traced(two.add("c"));
        traced(two.add("d"));
        started m(std::move(root), {.order = order});
        CHECK(m.change_to("P/2/d") == "X c, E d");
        CHECK(m.change_to("P/1") == "");
        CHECK(m.process(event<1>{}) == "");
        CHECK(m.agent.force_to("P/1") == hsm::result::taken);
        CHECK(m.r.take() == "");
        CHECK(leaves_of(m.agent) == "1 d");
    }
}

TEST_CASE("a request to an active region that is a parallel enters its regions again, by their entry choices; its siblings stay") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& q = traced(p.add_parallel("Q")).remembers_deep();
    auto& one = traced(q.add_fsm("1"));
    traced(one.add("a"));
    traced(one.add("b"));
    traced(q.add("2"));
    auto& other = traced(p.add_fsm("O"));
    traced(other.add("x"));
    traced(other.add("y"));
    traced(root->add("away"));
    started m(std::move(root));
    CHECK(m.change_to("P/O/y") == "X x, E y");
    CHECK(m.change_to("P/Q/1/b") == "X a, E b");
    CHECK(m.change_to("away") == "X y, X O, X 2, X b, X 1, X Q, X P, E away");
    CHECK(m.change_to("P") == "X away, E P, E Q, E 1, E b, E 2, E O, E x");
    CHECK(m.change_to("P/O/y") == "X x, E y");
    CHECK(m.change_to("P/Q") == "X 2, X b, X 1, E 1, E a, E 2"); // not by the history of Q
    CHECK(leaves_of(m.agent) == "a 2 y");
    CHECK(m.path() == "R/P");
}

TEST_CASE("a request to a parallel region whose entry throws exits the parallel around it") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& q = traced(p.add_parallel("Q"));
    auto& one = traced(q.add("1"));
    one.on_enter([](recorder& r) {
        if (r.go) throw std::runtime_error("no");
    });
    traced(q.add("2"));
    traced(p.add("O"));
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.change_to("P/Q"), std::runtime_error);
    CHECK(m.r.take() == "X 2, X 1, E 1, X O, X Q, X P");
    CHECK(m.path() == "R");
}

TEST_CASE("a request into a parallel inside a region changes the innermost region that is active") {
    two_regions t;
    auto& inner = traced(t.one.add_parallel("Q"));
    auto& three = traced(inner.add_fsm("3"));
    traced(three.add("e"));
    traced(three.add("f"));
    traced(traced(inner.add_fsm("4")).add("g"));
    started m(std::move(t.root));
    CHECK(m.change_to("P/1/Q/3/f") == "X a, E Q, E 3, E f, E 4, E g");
    CHECK(m.change_to("P/1/Q/3/e") == "X f, E e");
    CHECK(m.change_to("P/1/Q") == "X g, X 4, X e, X 3, X Q, E Q, E 3, E e, E 4, E g");
    CHECK(m.change_to("P/1/b") == "X g, X 4, X e, X 3, X Q, E b");
    CHECK(leaves_of(m.agent) == "b c");
}

TEST_CASE("a request to a history state of a region restores its record, and the other regions stay") {
    two_regions t;
    t.one.add_history("H");
    started m(std::move(t.root));
    CHECK(m.change_to("P/1/b") == "X a, E b");
    CHECK(m.change_to("B") == "X c, X 2, X b, X 1, X P, E B");
    CHECK(m.change_to("P") == "X B, E P, E 1, E a, E 2, E c");
    CHECK(m.change_to("P/1/H") == "X a, E b");
}

TEST_CASE("finish, release, local and time_in_state without a state mean the innermost state that all regions share") {
    struct of_parallel {};
    struct of_region {};
    two_regions t;
    t.p.local<of_parallel>().hold();
    t.a.local<of_region>();
    t.p.to(t.out).on_finished();
    started m(std::move(t.root));
    CHECK(m.agent.local<of_region>() == nullptr);
    CHECK(m.agent.local<of_parallel>() != nullptr);
    m.agent.tick(1.0);
    m.change_to("P/1/b");
    m.r.take();
    CHECK(m.agent.time_in_state().seconds() == 1.0);
    CHECK(m.agent.time_in_state("P/1/b").seconds() == 0.0);
    CHECK(m.agent.finish() == hsm::result::queued);
    CHECK(m.tick() == "U P, U 1, U b, U 2, U c"); // the parallel holds
    CHECK(m.agent.release() == hsm::result::queued);
    CHECK(m.tick() == "X c, X 2, X b, X 1, X P, E B, U B");
}

TEST_CASE("the active states are the path of each region, and the parallel") {
    two_regions t;
    started m(std::move(t.root));
    for (const auto* s : {"P", "P/1", "P/1/a", "P/2", "P/2/c"}) CHECK(m.agent.is_in(s));
    for (const auto* s : {"P/1/b", "P/2/d", "B"}) CHECK_FALSE(m.agent.is_in(s));
    CHECK(m.agent.current().name() == "P");
    CHECK(m.agent.is_in("R"));
}

TEST_CASE("set_state enters the path without hooks, and only the outermost states of the other regions") {
    two_regions t;
    t.from_outside();
    started m(std::move(t.root));
    SUBCASE("into a region") {
        CHECK(m.agent.set_state("P/1/b") == hsm::result::taken);
        CHECK(leaves_of(m.agent) == "b 2");
        CHECK(m.tick() == "U P, U 1, U b, U 2, E c, U c"); // a machine at rest chooses in the next tick
    }
    SUBCASE("the parallel itself") {
        m.agent.set_state("P");
        CHECK(leaves_of(m.agent) == "1 2");
        CHECK(m.tick() == "U P, U 1, E a, U a, U 2, E c, U c");
    }
    SUBCASE("within an active parallel the other regions stay") {
        m.change_to("P/2/d");
        m.agent.set_state("P/1/b");
        CHECK(leaves_of(m.agent) == "b d");
    }
    SUBCASE("out of it") {
        m.change_to("P");
        m.agent.set_state("B");
        CHECK(leaves_of(m.agent) == "B");
    }
    CHECK(m.r.take() == "");
}

TEST_CASE("reset clears all regions without hooks") {
    two_regions t;
    started m(std::move(t.root));
    CHECK(m.agent.reset() == hsm::result::taken);
    CHECK(m.r.take() == "");
    CHECK_FALSE(m.agent.active());
    CHECK(m.start() == "E P, E 1, E a, E 2, E c");
}
