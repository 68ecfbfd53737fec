// Transitions with several targets in different regions, and transitions that require several active states.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

TEST_CASE("a fork enters each of its targets in document order, and other regions by default") {
    auto root = root_of();
    auto& out = traced(root->add("out"));
    auto& p = traced(root->add_parallel("P"));
    const auto region = [&](std::string name) {
        auto& r = traced(p.add_fsm(name));
        traced(r.add(name + "a"));
        return &traced(r.add(name + "b"));
    };
    auto* const one = region("1");
    auto* const two = region("2");
    auto* const three = region("3");
    out.to(*one, *three).on<event<1>>().then(tracing("fork"));
    out.to(*two, *one).on<event<2>>();
    out.to(p, *two).on<event<3>>();
    p.to(out).on<event<9>>();
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X out, fork, E P, E 1, E 1b, E 2, E 2a, E 3, E 3b");
    m.process(event<9>{});
    CHECK(m.process(event<2>{}) == "X out, E P, E 1, E 1b, E 2, E 2b, E 3, E 3a");
    m.process(event<9>{});
    CHECK(m.process(event<3>{}) == "X out, E P, E 1, E 1a, E 2, E 2b, E 3, E 3a");
}

TEST_CASE("a fork into nested parallels enters ancestors before their descendants") {
    auto root = root_of();
    auto& out = traced(root->add("out"));
    auto& p = traced(root->add_parallel("P"));
    auto& one = traced(p.add_fsm("1"));
    traced(one.add("a"));
    auto& q = traced(one.add_parallel("Q"));
    traced(traced(q.add_fsm("q1")).add("x"));
    auto& q2 = traced(q.add_fsm("q2"));
    traced(q2.add("y"));
    auto& z = traced(q2.add("z"));
    auto& two = traced(p.add_fsm("2"));
    traced(two.add("c"));
    auto& d = traced(two.add("d"));
    out.to(d, z).on<event<1>>();
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X out, E P, E 1, E Q, E q1, E x, E q2, E z, E 2, E d");
}

TEST_CASE("an entry choice may name states in several regions; the machines between make no choice") {
    two_regions t;
    t.one.dispatch(t.a).then(tracing("not asked"));
    SUBCASE("initial") { t.root->initial(t.b, t.d).then(tracing("init")); }
    SUBCASE("dispatch") { t.root->dispatch(t.b, t.d).then(tracing("init")); }
    started m(std::move(t.root));
    m.stop();
    CHECK(m.start() == "init, E P, E 1, E b, E 2, E d");
}

TEST_CASE("a choice's branch may be a fork") {
    two_regions t;
    auto& fork = t.root->add_choice("which");
    fork.to(t.b, t.d).when(&recorder::go);
    fork.otherwise(t.p);
    t.out.to(fork).on<event<1>>();
    t.from_outside();
    started m(std::move(t.root));
    SUBCASE("otherwise") { CHECK(m.process(event<1>{}) == "X B, E P, E 1, E a, E 2, E c"); }
    SUBCASE("the fork") {
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "X B, E P, E 1, E b, E 2, E d");
    }
}

TEST_CASE("a fork from a region into its own parallel exits the parallel") {
    two_regions t;
    t.a.to(t.b, t.d).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X 2, X a, X 1, X P, E P, E 1, E b, E 2, E d");
}

TEST_CASE("a polled fork from a superstate is satisfied while all its targets are active") {
    two_regions t;
    t.root->to(t.b, t.d).when(&recorder::go);
    t.b.to(t.a).on<event<1>>();
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "X c, X 2, X a, X 1, X P, E P, E 1, E b, E 2, E d, U P, U 1, U b, U 2, U d");
    CHECK(m.tick() == "U P, U 1, U b, U 2, U d");
    CHECK(m.process(event<1>{}) == "X b, E a");
    CHECK(m.tick() == "X d, X 2, X a, X 1, X P, E P, E 1, E b, E 2, E d, U P, U 1, U b, U 2, U d");
}

TEST_CASE("a join waits for states of other regions") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<2>>();
    t.b.to(t.out).on<event<3>>().in(t.d);
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.agent.process(event<3>{}) == hsm::result::guarded);
    CHECK(m.agent.can(event<3>{}).outcome == hsm::result::guarded);
    m.process(event<2>{});
    CHECK(m.agent.can(event<3>{}).outcome == hsm::result::taken);
    m.r.take();
    CHECK(m.process(event<3>{}) == "X d, X 2, X b, X 1, X P, E B");
}

TEST_CASE("a polled join, with a guard of its own, of three regions") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    hsm::state<recorder>* done[3];
    for (int i = 0; i < 3; ++i) {
        auto& r = p.add_fsm("r" + std::to_string(i));
        auto& wait = r.add("wait" + std::to_string(i));
        done[i] = &r.add("done" + std::to_string(i));
        wait.to(*done[i]).on("done" + std::to_string(i));
    }
    auto& out = traced(root->add("out"));
    done[1]->to(out).in(*done[0], *done[2]).when(&recorder::go);
    started m(std::move(root));
    m.r.go = true;
    m.agent.process("done1");
    m.agent.process("done0");
    CHECK(m.tick() == "");
    m.agent.process("done2");
    m.r.go = false;
    CHECK(m.tick() == "");
    m.r.go = true;
    CHECK(m.tick() == "E out, U out");
}

TEST_CASE("a join without a target reacts only if all its states are active") {
    two_regions t;
    t.c.to(t.d).on<event<2>>();
    t.a.on<event<1>>().in(t.d).then(tracing("both"));
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "");
    m.process(event<2>{});
    CHECK(m.process(event<1>{}) == "both");
}
