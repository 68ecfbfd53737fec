// T1-T4, T14, T18, T21, T22: polled transitions, one per level and tick.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

using namespace test;

TEST_CASE("T1: start enters the first substate; a tick fires the transition and updates the entered state") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.start() == hsm::result::taken);
    CHECK(r.take() == "E A");
    CHECK(agent.tick() == hsm::result::taken);
    CHECK(r.take() == "X A, E B, U B");
    CHECK(agent.tick() == hsm::result::unhandled);
    CHECK(r.take() == "U B");
}

TEST_CASE("T2: one transition per level and tick") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b);
    b.to(c);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E B, U B");
    agent.tick();
    CHECK(r.take() == "X B, E C, U C");
}

TEST_CASE("T3: transient states are left immediately") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("b")).transient();
    auto& c = traced(root->add("c")).transient();
    auto& d = traced(root->add("D"));
    a.to(b);
    b.to(c);
    c.to(d);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E b, X b, E c, X c, E D, U D");
}

TEST_CASE("a transient state whose transitions all refuse is an ordinary leaf") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("b")).transient();
    auto& c = traced(root->add("C"));
    a.to(b);
    b.to(c).when(&recorder::go);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E b, U b");
    agent.tick();
    CHECK(r.take() == "U b");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "X b, E C, U C");
}

TEST_CASE("a transient state is left immediately, also in start and in process") {
    auto root = root_of();
    auto& b = traced(root->add("b")).transient();
    auto& c = traced(root->add("C"));
    b.to(c);
    c.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E b, X b, E C");
    CHECK(agent.process(event<1>{}) == hsm::result::taken);
    CHECK(r.take() == "X C, E b, X b, E C");
}

TEST_CASE("T4: the action runs between the exits and the entries") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).then(tracing("action"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, action, E B, U B");
}

TEST_CASE("T9: a transition of the superstate also exits the substate") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    traced(a.add("X"));
    auto& b = traced(root->add("B"));
    a.to(b);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X X, X A, E B, U B");
}

TEST_CASE("T14: a machine's own hooks run around those of its substates") {
    auto root = root_of();
    auto& h = traced(root->add_fsm("H"));
    traced(h.add("A"));
    auto& out = root->add("out");
    h.to(out).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E H, E A");
    agent.tick();
    CHECK(r.take() == "U H, U A");
    agent.process(event<1>{});
    CHECK(r.take() == "X A, X H");
}

TEST_CASE("T18: from a superstate to its own active substate: satisfied, unless reenter") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    bool reenters = false;
    SUBCASE("satisfied") { root->to(a); }
    SUBCASE("reenter") {
        root->to(a).reenter();
        reenters = true;
    }
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    for (int i = 0; i < 3; ++i) {
        agent.tick();
        CHECK(r.take() == (reenters ? "X A, E A, U A" : "U A"));
    }
}

TEST_CASE("T21: a state that a transition entered decides at its own level in the same tick") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add_fsm("B"));
    auto& x = traced(b.add("x"));
    auto& y = traced(b.add("y"));
    a.to(b);
    x.to(y);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E B, E x, U B, X x, E y, U y");
}

TEST_CASE("T22: a satisfied transition blocks later ones of its source and level") {
    auto root = root_of();
    traced(root->add("idle"));
    auto& dead = traced(root->add("dead"));
    auto& hurt = traced(root->add("hurt"));
    root->to(hurt).when(&recorder::ready).priority(1);
    root->to(dead).when(&recorder::go).priority(9);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    r.go = r.ready = true;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X idle, E dead, U dead");
    for (int i = 0; i < 3; ++i) {
        agent.tick();
        CHECK(r.take() == "U dead");
    }
}

TEST_CASE("a satisfied transition does not block those of substates") {
    auto root = root_of();
    auto& dead = traced(root->add("dead"));
    auto& grave = traced(root->add("grave"));
    root->to(dead).when(&recorder::go).priority(9);
    dead.to(grave).when(&recorder::ready);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    r.go = r.ready = true;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X dead, E grave, U grave");
    agent.tick();
    CHECK(r.take() == "X grave, E dead, U dead");
}

TEST_CASE("polled transitions are tried by the depth of their level, then of their source, then priority, then definition") {
    auto root = root_of();
    auto& m = root->add_fsm("M");
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    auto& d = traced(root->add("D"));
    x.to(y).priority(9);                        // inner level
    x.to(b).priority(8).when(&recorder::ready); // outer level, inner source
    m.to(c).when(&recorder::go);                // outer level, outer source
    m.to(d).when(&recorder::go).priority(1);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    SUBCASE("priority decides last") {
        r.go = r.ready = true;
        agent.tick();
        CHECK(r.take() == "X x, E D, U D");
    }
    SUBCASE("the level decides first") {
        r.ready = true;
        agent.tick();
        CHECK(r.take() == "X x, E B, U B");
    }
    SUBCASE("the inner level decides if no transition of the outer one fires") {
        agent.tick();
        CHECK(r.take() == "X x, E y, U y");
    }
}

TEST_CASE("substate first: the innermost source decides, once per tick, before any update") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    m.to(b).priority(9);
    x.to(y);
    const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X x, E y, U M, U y");
    agent.tick();
    CHECK(r.take() == "X y, X M, E B, U B");
}

TEST_CASE("a transition to its own source exits and enters it; a transition to its superstate makes the entry choice again") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    y.to(y).on<event<1>>();
    y.to(m).on<event<2>>();
    x.to(y).on<event<3>>();
    m.to(y).on<event<4>>();
    y.to(m).on<event<5>>().external();
    m.to(y).on<event<6>>().external();
    m.to(m).on<event<7>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process(event<3>{});
    r.take();
    const auto trace_of = [&](auto e) {
        agent.process(e);
        return r.take();
    };
    CHECK(trace_of(event<1>{}) == "X y, E y");
    CHECK(trace_of(event<2>{}) == "X y, E x");
    CHECK(trace_of(event<4>{}) == "X x, E y");
    CHECK(trace_of(event<4>{}) == "X y, E y");
    CHECK(trace_of(event<5>{}) == "X y, X M, E M, E x");
    CHECK(trace_of(event<6>{}) == "X x, X M, E M, E y");
    CHECK(trace_of(event<7>{}) == "X y, X M, E M, E x");
}

TEST_CASE("a transition of the root to itself exits and enters all states, before the root's update") {
    auto root = root_of();
    traced(*root);
    traced(root->add("A"));
    root->to(*root).when(&recorder::go).then(tracing("action"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    agent.tick();
    CHECK(r.take() == "X A, X R, action, E R, E A, U R, U A");
}

TEST_CASE("polled reactions run right after their source's update, all that are enabled, by priority") {
    auto root = root_of();
    traced(*root);
    auto& a = traced(root->add("A"));
    a.when(&recorder::go).then(tracing("second"));
    a.when(&recorder::ready).then(tracing("never"));
    a.when([](const recorder&) { return true; }).then(tracing("first")).priority(1);
    root->when(&recorder::go).then(tracing("root"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    agent.tick();
    CHECK(r.take() == "U R, root, U A, first, second");
    agent.decide();
    CHECK(r.take() == "");
    agent.update();
    CHECK(r.take() == "U R, root, U A, first, second");
}

TEST_CASE("a state that its superstate exited is not updated, and a machine updates one substate per tick") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    traced(m.add("x"));
    auto& b = traced(root->add("B"));
    m.on_update([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
    m.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "U M, X x, X M, E B"); // M was this tick's substate of R
    agent.tick();
    CHECK(r.take() == "U B");
}

TEST_CASE("a tick does not continue inside a state that was exited and entered again") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    traced(m.add("x"));
    m.on_update([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
    m.to(m).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "U M, X x, X M, E M, E x");
}

TEST_CASE("a stop in an update comes before the reactions of that state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_exit(tracing("X A")).on_update([](recorder& r, hsm::step<recorder>& s) {
        r.note("U A");
        s.stop();
    });
    a.when([](const recorder&) { return true; }).then(tracing("reaction"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(r.take() == "U A, X A");
    CHECK_FALSE(agent.active());
}

TEST_CASE("T37: each transient state that was entered is tried until none fires, the innermost or the outermost first") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    auto& t = traced(m.add("t"));
    auto& x = traced(m.add("x"));
    auto& b = traced(root->add("B"));
    a.to(m).on<event<1>>();
    m.transient().to(b);
    t.transient().to(x);
    const auto trace_of = [&](hsm::decision_order order) {
        const auto chart = hsm::compile(std::move(root), {.order = order});
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
        agent.process(event<1>{});
        return r.take();
    };
    SUBCASE("substate_first") { CHECK(trace_of(hsm::decision_order::substate_first) == "X A, E M, E t, X t, E x, X x, X M, E B"); }
    SUBCASE("superstate_first") { CHECK(trace_of(hsm::decision_order::superstate_first) == "X A, E M, E t, X t, X M, E B"); }
}

TEST_CASE("a transient machine whose own transition stayed inside it is not tried again; a machine that refused is") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    auto& t = traced(m.add("t"));
    auto& x = traced(m.add("x"));
    auto& b = traced(root->add("B"));
    a.to(m).on<event<1>>();
    m.transient();
    const auto trace_of = [&] {
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
        agent.process(event<1>{});
        return r.take();
    };
    SUBCASE("its own transition stayed inside") {
        m.to(x).then([](recorder& r) { r.go = true; });
        m.to(b).when(&recorder::go).priority(1);
        CHECK(trace_of() == "X A, E M, E t, X t, E x");
    }
    SUBCASE("a machine that refused is tried again after another transition has fired") {
        m.to(b).when(&recorder::go);
        t.transient().to(x).then([](recorder& r) { r.go = true; });
        CHECK(trace_of() == "X A, E M, E t, X t, E x, X x, X M, E B");
    }
    SUBCASE("a machine with a transition to itself is entered again") {
        m.to(m).when([](const recorder& r) { return r.trace.size() < 20; });
        CHECK(trace_of() == "X A, E M, E t, X t, X M, E M, E t");
    }
}
