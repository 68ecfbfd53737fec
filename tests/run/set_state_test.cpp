// set_state: moves an instance into a state without hooks.

#include <tests/support/family.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;
using namespace std::chrono_literals;

TEST_CASE("set_state runs no hooks; the active states around the target stay") {
    struct data {
        int value;
    };
    family f;
    f.a.local<data>(1);
    f.y.local<data>(2);
    started m(std::move(f.root));
    m.agent.local<data>()->value = 5;
    SUBCASE("to a sibling") {
        CHECK(m.agent.set_state(f.y) == hsm::result::taken);
        CHECK(m.path() == "R/A/y");
        CHECK(m.agent.local<data>()->value == 2);
        m.agent.set_state("A/x");
        CHECK(m.agent.local<data>()->value == 5); // A has not exited
    }
    SUBCASE("to another branch and back") {
        m.agent.set_state(f.b);
        CHECK(m.path() == "R/B");
        m.agent.set_state(f.x);
        CHECK(m.path() == "R/A/x");
        CHECK(m.agent.local<data>()->value == 1);
    }
    SUBCASE("to an active state: it stays") {
        m.agent.set_state(f.x);
        CHECK(m.path() == "R/A/x");
        CHECK(m.agent.local<data>()->value == 5);
    }
    CHECK(m.r.take() == "");
    CHECK(m.stop() != "");
}

TEST_CASE("set_state to a machine: it rests, and makes its entry choice in the next tick") {
    family f;
    started m(std::move(f.root));
    m.agent.set_state(f.a);
    CHECK(m.path() == "R/A");
    CHECK(m.tick() == "U A, E x, U x");
}

TEST_CASE("set_state starts an inactive instance without on_init") {
    family f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.set_state(f.y);
    CHECK(agent.current().path() == "R/A/y");
    agent.tick();
    CHECK(r.take() == "U A, U y");
    CHECK(agent.start() == hsm::result::busy);
    CHECK(agent.destroy() == hsm::result::taken);
    CHECK(r.take() == "X y, X A"); // there was no on_init, so there is no on_destroy
    agent.start();
    CHECK(r.take() == "I A, I x, I y, I B, E A, E x");
}

TEST_CASE("hooks can use the whole instance that set_state started without on_init") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.on_update([&](recorder& r, hsm::step<recorder>& s) {
        if (r.go) CHECK(s.stop() == hsm::result::queued);
        if (r.ready) CHECK(s.change_to(b) == hsm::result::queued);
    });
    root->on_init(tracing("I"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.set_state(a);
    SUBCASE("stop") {
        r.go = true;
        agent.tick();
        CHECK(r.take() == "U A, X A");
    }
    SUBCASE("change_to") {
        r.ready = true;
        agent.tick();
        CHECK(r.take() == "U A, X A, E B");
    }
}

TEST_CASE("set_state starts timers, removes marks and releases of exited states, and records nothing") {
    family f;
    f.a.remembers();
    f.y.hold();
    const auto timed = f.y.to(f.b).after(2s);
    f.x.to(f.b).on_finished();
    started m(std::move(f.root));
    m.agent.finish();
    m.agent.set_state(f.y);
    CHECK(m.agent.time_left(timed) == hsm::time_span(2s));
    m.agent.release();
    m.agent.set_state(f.x);
    CHECK(m.tick() == "U A, U x"); // not marked as finished any more
    m.agent.set_state(f.y);
    CHECK(m.tick(2s) == "U A, U y"); // holds again
    m.agent.set_state(f.b);
    m.change_to(f.a);
    CHECK(m.path() == "R/A/x"); // A was not recorded in y
}

TEST_CASE("set_state into a final state finishes its machine, whose completion fires in the next call") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    traced(a.add("x"));
    auto& end = a.add_final("end");
    a.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    m.agent.set_state(end);
    CHECK(m.r.take() == "");
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("no work follows set_state until the next call; a transient state is a leaf, and the next tick polls it") {
    auto root = root_of();
    traced(root->add("A"));
    auto& t = traced(root->add("t")).transient();
    auto& b = traced(root->add("B"));
    t.to(b);
    b.on<event<1>>();
    t.on<event<2>>().then(tracing("reaction"));
    started m(std::move(root));
    m.agent.set_state(t);
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
    CHECK(m.path() == "R/t");
    CHECK(m.tick() == "X t, E B, U B");
}

TEST_CASE("after set_state, a transient state that was not tried because its machine finished is not tried after the next step either") {
    auto root = root_of();
    root->transient();
    auto& f = root->add_final("F");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    auto& u = traced(root->add("u")).transient();
    u.to(b).when(&recorder::go);
    root->to(c);
    started m(std::move(root));
    CHECK(m.agent.finished());
    m.agent.set_state(a);
    m.agent.change_to(b);
    CHECK(m.path() == "R/B");
    m.agent.set_state(f);
    m.agent.set_state(a);
    m.agent.change_to(u); // its transition is tried, and refuses
    CHECK(m.path() == "R/u");
    CHECK(m.tick() == "X A, E B, X A, E u, X u, E C, U C");
}

TEST_CASE("set_state drops pending events of the states that it exits") {
    family f;
    f.x.hold();
    f.x.to(f.b).on<event<1>>();
    started m(std::move(f.root));
    m.agent.process(event<1>{});
    m.agent.set_state(f.y);
    m.agent.set_state(f.x);
    m.agent.release();
    CHECK(m.tick() == "U A, U x");
}

TEST_CASE("set_state to a choice, a history state or an unknown state is an error, and changes nothing") {
    auto root = root_of();
    auto& a = root->add("A");
    root->add_choice("c").otherwise(a);
    root->add_history("h");
    started m(std::move(root));
    CHECK_THROWS_AS(m.agent.set_state("c"), hsm::state_error);
    CHECK_THROWS_AS(m.agent.set_state("h"), hsm::state_error);
    CHECK_THROWS_AS(m.agent.set_state("nowhere"), hsm::state_error);
    CHECK(m.path() == "R/A");
}

TEST_CASE("T41: set_state removes the mark that a final state set in its machine") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("m"));
    traced(m.add("x"));
    m.add_final("done");
    m.to(traced(root->add("a"))).on_finished();
    started s(std::move(root));
    CHECK(s.agent.set_state("m/done") == hsm::result::taken);
    CHECK(s.agent.set_state("m/x") == hsm::result::taken);
    CHECK(s.tick() == "U m, U x");
    SUBCASE("the mark of a final state that stays active is kept") {
        s.agent.set_state("m/done");
        s.agent.set_state("m/done");
        CHECK(s.process(event<7>{}) == "X m, E a");
    }
}

TEST_CASE("set_state removes the root's mark: a finished machine continues") {
    auto root = root_of();
    auto& a = traced(root->add("a"));
    auto& b = traced(root->add("b"));
    auto& end = root->add_final("end");
    a.to(end).on<event<1>>();
    b.on<event<1>>().then(tracing("1"));
    started m(std::move(root));
    m.process(event<1>{});
    CHECK(m.agent.finished());
    SUBCASE("to another state") {
        m.agent.set_state("b");
        CHECK_FALSE(m.agent.finished());
        CHECK(m.process(event<1>{}) == "1");
        CHECK(m.tick() == "U b");
    }
    SUBCASE("to the same final state: it is finished") {
        m.agent.set_state(end);
        CHECK(m.agent.finished());
    }
    SUBCASE("reset and start") {
        m.agent.reset();
        CHECK_FALSE(m.agent.finished());
        m.agent.start();
        CHECK_FALSE(m.agent.finished());
    }
}

TEST_CASE("set_state removes the mark of a parallel with that of its region") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = p.add_fsm("1");
    one.add("x");
    one.add_final("f");
    auto& two = p.add("2");
    p.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    m.agent.finish(two);
    m.agent.set_state("P/1/f");
    m.agent.set_state("P/1/x");
    m.agent.finish("P/2"); // set_state has exited and entered the other regions
    CHECK(m.tick() == "U P");
}
