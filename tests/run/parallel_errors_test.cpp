// T29: after a hook has thrown with active regions, no parallel is active without all of its regions.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {
struct boom : std::runtime_error {
    boom() : std::runtime_error("boom") {}
};
auto throwing() {
    return [](recorder& r) {
        if (r.go) throw boom();
    };
}

/// Processes event 1, during which a hook throws. Returns the trace.
std::string fails(started& m) {
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<1>{}), boom);
    m.r.go = false;
    return m.r.take();
}

/// R{ A, P{ 1{a,b} 2{c,d} } }, with P active.
struct broken {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::state<recorder>& first = traced(root->add("A"));
    hsm::parallel<recorder>& p = traced(root->add_parallel("P"));
    hsm::fsm<recorder>& one = traced(p.add_fsm("1"));
    hsm::state<recorder>& a = traced(one.add("a"));
    hsm::state<recorder>& b = one.add("b").on_enter(throwing());
    hsm::fsm<recorder>& two = traced(p.add_fsm("2"));
    hsm::state<recorder>& c = traced(two.add("c"));
    hsm::state<recorder>& d = two.add("d");

    started begun() {
        first.to(p).on("begin");
        return started(std::move(root));
    }
};
} // namespace

TEST_CASE("T29: a throwing enter in a region: the parallel is exited, and its superstate rests") {
    auto root = root_of();
    auto& first = traced(root->add("A"));
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& a = traced(one.add("a"));
    auto& b = traced(one.add("b").on_enter(throwing()));
    traced(p.add("2"));
    first.to(p).on("begin");
    a.to(b).on<event<1>>();
    started m(std::move(root));
    m.process("begin");
    CHECK(fails(m) == "X a, X 2, X 1, X P");
    CHECK(m.path() == "R");
    CHECK(m.tick() == "E A, U A");
}

TEST_CASE("an exception in a region's step exits the active states of the parallel") {
    broken t;
    SUBCASE("an exit") {
        t.a.on_exit(throwing());
        t.a.to(t.b).on<event<1>>();
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X a, X c, X 2, X 1, X P");
        CHECK(m.path() == "R");
    }
    SUBCASE("an action") {
        t.a.to(t.a).on<event<1>>().then(throwing());
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X a, X c, X 2, X 1, X P");
        CHECK(m.tick() == "E A, U A");
    }
    SUBCASE("an entry choice's guard, of a machine that is being entered") {
        auto& inner = traced(t.one.add_fsm("inner"));
        inner.dispatch(traced(inner.add("x"))).when([](const recorder& r) { return r.go ? throw boom() : true; });
        t.a.to(inner).on<event<1>>();
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X a, E inner, X c, X 2, X inner, X 1, X P");
    }
    SUBCASE("one of the two transitions of a step") {
        t.a.to(t.a).on<event<1>>();
        t.c.to(t.c).on<event<1>>().then(throwing());
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X c, X a, X 2, X 1, X P");
    }
}

TEST_CASE("an exit that throws while its parallel exits, or an enter while it enters: the whole parallel is exited") {
    broken t;
    SUBCASE("the exit of its last region's leaf") {
        t.c.on_exit(throwing());
        t.p.to(t.first).on<event<1>>();
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X c, X 2, X a, X 1, X P");
        CHECK(m.path() == "R");
        CHECK(m.tick() == "E A, U A");
    }
    SUBCASE("the exit of its first region") {
        t.one.on_exit(throwing());
        t.p.to(t.first).on<event<1>>();
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X c, X 2, X a, X 1, X P");
    }
    SUBCASE("its own exit") {
        t.p.on_exit(throwing());
        t.p.to(t.first).on<event<1>>();
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X c, X 2, X a, X 1, X P");
        CHECK(m.path() == "R");
    }
    SUBCASE("the enter of its second region") {
        t.two.on_enter(throwing());
        t.first.to(t.p).on<event<1>>();
        auto m = t.begun();
        CHECK(fails(m) == "X A, E P, E 1, E a, E 2, X a, X 1, X P");
        CHECK(m.path() == "R");
    }
    SUBCASE("its own enter") {
        t.p.on_enter(throwing());
        t.first.to(t.p).on<event<1>>();
        auto m = t.begun();
        CHECK(fails(m) == "X A, E P");
        CHECK(m.path() == "R");
    }
    SUBCASE("the action between its exit and the next entry") {
        t.p.to(t.first).on<event<1>>().then(throwing());
        auto m = t.begun();
        m.process("begin");
        CHECK(fails(m) == "X c, X 2, X a, X 1, X P");
        CHECK(m.path() == "R");
    }
}

TEST_CASE("states that an exception exits run their exits; a second exception is swallowed") {
    broken t;
    t.c.on_exit([](recorder&) { throw std::runtime_error("second"); });
    t.a.to(t.b).on<event<1>>();
    auto m = t.begun();
    m.process("begin");
    CHECK(fails(m) == "X a, X c, X 2, X 1, X P");
    CHECK(m.path() == "R");
}

TEST_CASE("of nested parallels, the innermost one whose superstate is a machine that can rest is exited") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    auto& q = traced(one.add_parallel("Q"));
    auto& s = traced(q.add_parallel("S"));
    auto& s1 = traced(s.add_fsm("s1"));
    auto& x = traced(s1.add("x"));
    traced(s.add("s2"));
    auto& q2 = traced(q.add_fsm("q2"));
    auto& y = traced(q2.add("y"));
    traced(p.add("2"));
    x.to(x).on<event<1>>().then(throwing());
    y.to(y).on<event<2>>().then(throwing());
    started m(std::move(root));
    SUBCASE("a region of S, which is itself a region") { CHECK(fails(m) == "X x, X y, X q2, X s2, X s1, X S, X Q"); }
    SUBCASE("a region of Q") {
        m.r.go = true;
        CHECK_THROWS_AS(m.agent.process(event<2>{}), boom);
        CHECK(m.r.take() == "X y, X q2, X s2, X x, X s1, X S, X Q");
        m.r.go = false;
    }
    CHECK(leaves_of(m.agent) == "1 2");
    CHECK(m.tick() == "U P, U 1, E Q, E S, E s1, E x, E s2, E q2, E y, U Q, U S, U s1, U x, U s2, U q2, U y, U 2");
}

TEST_CASE("a machine outside of parallels that a failed step exits or enters rests") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& p = traced(m.add_parallel("P"));
    traced(p.add("1"));
    traced(p.add("2"));
    auto& other = traced(m.add("other"));
    other.on_enter(throwing());
    p.to(other).on<event<1>>();
    started s(std::move(root));
    CHECK(fails(s) == "X 2, X 1, X P, E other");
    CHECK(s.path() == "R/M");
    CHECK(s.tick() == "U M, E P, E 1, E 2, U P, U 1, U 2");
}

TEST_CASE("reactions, guards and updates that throw change nothing") {
    two_regions t;
    t.a.on<event<1>>().then(throwing());
    t.c.on<event<1>>().then(tracing("not run"));
    t.c.to(t.d).on<event<2>>().when([](const recorder& r) { return r.go ? throw boom() : true; });
    t.a.to(t.b).on<event<2>>();
    t.c.on_update(throwing());
    started m(std::move(t.root));
    CHECK(fails(m) == "");
    CHECK(leaves_of(m.agent) == "a c");
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<2>{}), boom);
    CHECK_THROWS_AS(m.agent.tick(), boom);
    CHECK(m.r.take() == "U P, U 1, U a, U 2, U c");
    CHECK(leaves_of(m.agent) == "a c");
}

TEST_CASE("an on_change that throws leaves the step complete") {
    two_regions t;
    t.one.on_change([](recorder& r, hsm::state_ref, hsm::state_ref, hsm::reason) {
        if (r.go) throw boom();
    });
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<1>>();
    started m(std::move(t.root));
    CHECK(fails(m) == "X c, X a, E b, E d");
    CHECK(leaves_of(m.agent) == "b d");
    CHECK(m.tick() == "U P, U 1, U b, U 2, U d");
}

TEST_CASE("the work that follows a failed step is dropped; deferred events wait for the next step") {
    two_regions t;
    t.root->initial(t.out);
    t.out.to(t.p).on<event<3>>();
    t.p.defer<event<2>>();
    t.a.to(t.a).on<event<1>>().then(throwing());
    t.out.on<event<2>>().then(tracing("2"));
    t.out.to(t.out).on<event<4>>();
    started m(std::move(t.root));
    m.process(event<3>{});
    CHECK(m.agent.process(event<2>{}) == hsm::result::deferred);
    CHECK(fails(m) == "X a, X c, X 2, X 1, X P");
    CHECK(m.agent.queued() == 1);
    CHECK(m.tick() == "E B, 2, U B"); // the root makes its entry choice again: that is the next one
}

TEST_CASE("exits because of an exception receive the transition that failed") {
    two_regions t;
    t.root->initial(t.out);
    t.out.to(t.p).on<event<3>>();
    t.c.to(t.d).on<event<1>>().then(throwing());
    t.p.on_exit([](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(s.source().name()) + ">" + std::string(s.target().name()) + ", " + std::string(to_string(s.reason())));
    });
    started m(std::move(t.root));
    m.process(event<3>{});
    CHECK(fails(m) == "X c, X 2, X a, X 1, X P, c>d, event");
}

TEST_CASE("an exception in a region's entry choice in a tick exits the parallel") {
    two_regions t;
    t.two.dispatch(t.c).when(&recorder::ready);
    t.c.on_enter(throwing());
    started m(std::move(t.root));
    m.r.go = m.r.ready = true;
    CHECK_THROWS_AS(m.agent.tick(), boom);
    CHECK(m.r.take() == "U P, U 1, U a, U 2, E c, X 2, X a, X 1, X P");
    CHECK(m.path() == "R");
}

TEST_CASE("exits because of an exception record nothing") {
    two_regions t;
    t.p.remembers_deep();
    t.root->initial(t.out);
    t.a.to(t.b).on<event<2>>();
    t.b.to(t.b).on<event<1>>().then(throwing());
    t.out.to(t.p).on<event<3>>();
    started m(std::move(t.root));
    m.process(event<3>{});
    m.process(event<2>{});
    CHECK(fails(m) == "X b, X c, X 2, X 1, X P");
    CHECK(m.tick() == "E B, U B");
    CHECK(m.process(event<3>{}) == "X B, E P, E 1, E a, E 2, E c");
}

TEST_CASE("start fails in a region: the root rests") {
    broken t;
    t.root->initial(t.p);
    t.two.on_enter(throwing());
    t.first.to(t.p).on("begin");
    started m(std::move(t.root));
    m.stop();
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.start(), boom);
    CHECK(m.r.take() == "E P, E 1, E a, E 2, X a, X 1, X P");
    CHECK(m.path() == "R");
}

TEST_CASE("stop exits all regions even if exits throw; the first exception propagates") {
    two_regions t;
    t.c.on_exit([](recorder&) { throw std::runtime_error("first"); });
    t.one.on_exit([](recorder&) { throw std::runtime_error("second"); });
    started m(std::move(t.root));
    CHECK_THROWS_WITH(m.agent.stop(), "first");
    CHECK(m.r.take() == "X c, X 2, X a, X 1, X P");
    CHECK_FALSE(m.agent.active());
}

TEST_CASE("a stop in a region's hook takes effect after the step, or after the update") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<1>>();
    const auto stop = [](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.stop();
    };
    SUBCASE("in an exit: all exits, actions and entries of the step come first") {
        t.c.on_exit(stop);
        started m(std::move(t.root));
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "X c, X a, E b, E d, X d, X 2, X b, X 1, X P");
        CHECK_FALSE(m.agent.active());
    }
    SUBCASE("in an update: the later regions are not updated") {
        t.a.on_update(stop);
        started m(std::move(t.root));
        m.r.go = true;
        CHECK(m.tick() == "U P, U 1, U a, X c, X 2, X a, X 1, X P");
    }
    SUBCASE("in a region that is being entered") {
        t.a.on_enter(stop);
        started m(std::move(t.root));
        m.stop();
        m.r.go = true;
        CHECK(m.start() == "E P, E 1, E a, E 2, E c, X c, X 2, X a, X 1, X P");
    }
}

TEST_CASE("a reaction that throws changes nothing, also if nested regions react to the same event") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& q = traced(p.add_parallel("Q"));
    traced(q.add("1")).on<event<1>>().then(throwing());
    traced(q.add("2")).on<event<1>>();
    started m(std::move(root));
    CHECK(fails(m) == "");
    CHECK(leaves_of(m.agent) == "1 2");
}
