// T11, T12 and completion: finals, finish(), a local's finished(), on_finished.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

using namespace test;

TEST_CASE("T11: a machine that reaches its final state is finished; its completion transition follows immediately") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add_fsm("A"));
    auto& x = traced(a.add("X"));
    auto& y = a.add_final("y").on_enter(tracing("E y")).on_exit(tracing("X y"));
    auto& b = traced(root->add("B"));
    x.to(y);
    a.to(b).on_finished();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "U A, X X, E y, X y, X A, E B");
}

TEST_CASE("T12: completion continues from level to level") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto final = [](auto& machine, const char* name) -> hsm::state<recorder>& {
        return machine.add_final(name).on_enter(tracing(std::string("E ") + name)).on_exit(tracing(std::string("X ") + name));
    };
    auto& a = traced(root->add_fsm("A"));
    auto& b = traced(a.add_fsm("B"));
    auto& c = traced(b.add_fsm("C"));
    auto& d = traced(c.add("D"));
    d.to(final(c, "d"));
    c.to(final(b, "c")).on_finished();
    b.to(final(a, "b")).on_finished();
    a.to(traced(root->add("Z"))).on_finished();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "U A, U B, U C, X D, E d, X d, X C, E c, X c, X B, E b, X b, X A, E Z");
}

TEST_CASE("a finished root stays active until it is stopped; it can be started again") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& a = root->add("A");
    auto& end = root->add_final("end");
    a.to(end).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK_FALSE(agent.finished());
    agent.process(event<1>{});
    CHECK(agent.finished());
    CHECK(agent.active());
    CHECK(agent.process(event<1>{}) == hsm::result::inactive);
    CHECK(agent.post(event<1>{}) == hsm::result::inactive);
    CHECK(agent.change_to(a) == hsm::result::inactive);
    CHECK(agent.start() == hsm::result::busy);
    agent.tick(1.0);
    CHECK(r.take() == "");
    CHECK(agent.now().seconds() == 1.0);
    agent.stop();
    CHECK(r.take() == "X R");
    CHECK_FALSE(agent.finished());
    CHECK(agent.start() == hsm::result::taken);
    CHECK_FALSE(agent.finished());
}

TEST_CASE("finish in a hook: the completion transition follows right after that update, or after the transition in progress") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    const auto finish = [](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.finish();
    };
    a.to(b).on_finished();
    SUBCASE("in an update") {
        a.on_update(finish);
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
        agent.tick();
        CHECK(r.take() == "U A");
        r.go = true;
        agent.tick();
        CHECK(r.take() == "U A, X A, E B"); // A was this tick's substate
    }
    SUBCASE("in an enter") {
        a.on_enter(finish);
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        r.go = true;
        hsm::instance agent{chart, r};
        agent.start();
        CHECK(r.take() == "E A, X A, E B");
    }
}

TEST_CASE("finish from outside only sets a mark; the next tick, process or decide fires the transition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add_fsm("A"));
    a.add("x").on<event<1>>();
    auto& b = traced(root->add("B"));
    a.to(b).on_finished();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.finish() == hsm::result::inactive);
    agent.start();
    r.take();
    CHECK(agent.finish(b) == hsm::result::unhandled); // not active
    CHECK(agent.finish(a) == hsm::result::queued);
    CHECK(r.take() == "");
    SUBCASE("tick") {
        agent.tick();
        CHECK(r.take() == "X A, E B, U B");
    }
    SUBCASE("decide") {
        agent.decide();
        CHECK(r.take() == "X A, E B");
    }
    SUBCASE("process") {
        CHECK(agent.process(event<1>{}) == hsm::result::unhandled); // B is active now
        CHECK(r.take() == "X A, E B");
    }
}

TEST_CASE("a completion that a guard refused is tried as a polled transition in later ticks") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add_fsm("A"));
    a.add_final("end");
    auto& b = traced(root->add("B"));
    a.to(b).on_finished().when(&recorder::go);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E A");
    agent.tick();
    CHECK(r.take() == "U A");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "X A, E B, U B");
}

TEST_CASE("a local's finished() is called after its update") {
    struct countdown {
        int left;
        void update(recorder& r) {
            r.note("count");
            --left;
        }
        bool finished() const { return left == 0; }
    };
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add<countdown>("A", 2);
    auto& b = traced(root->add("B"));
    a.to(b).on_finished();
    b.to(a).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    for (int round = 0; round < 2; ++round) { // each activation starts from the prototype
        agent.tick();
        CHECK(r.take() == "count");
        agent.tick();
        CHECK(r.take() == "count, E B");
        agent.process(event<1>{});
        CHECK(r.take() == "X B");
    }
}

TEST_CASE("of several finished states the outermost comes first, with substate_first the innermost") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add_fsm("A"));
    auto& x = traced(a.add("x"));
    auto& y = traced(a.add("y"));
    auto& b = traced(root->add("B"));
    x.to(y).on_finished();
    a.to(b).on_finished();
    const auto finish_both = [](auto& agent) {
        agent.start();
        agent.context().take();
        agent.finish("A");
        agent.finish("A/x");
        agent.decide();
        return agent.context().take();
    };
    recorder r;
    SUBCASE("superstate first") {
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, r};
        CHECK(finish_both(agent) == "X x, X A, E B");
    }
    SUBCASE("substate first") {
        const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
        hsm::instance agent{chart, r};
        CHECK(finish_both(agent) == "X x, E y, X y, X A, E B");
    }
}

TEST_CASE("the first try of a completion fires also if its target is active; later it is an any-state transition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    m.to(x).on_finished();
    x.to(y).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.finish(m);
    r.take();
    agent.tick();
    CHECK(r.take() == "X x, E x, U M, U x");
    agent.tick();
    CHECK(r.take() == "U M, U x"); // M is still finished, so the transition is satisfied
    agent.process(event<1>{});
    CHECK(r.take() == "X x, E y");
    agent.tick();
    CHECK(r.take() == "U M, X y, E x, U x");
}

TEST_CASE("finish in an action marks the innermost state that stays; in an exit it has no effect") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    const auto finish = [](recorder&, hsm::step<recorder>& s) { s.finish(); };
    m.to(b).on_finished();
    x.to(b).on_finished();
    recorder r;
    SUBCASE("in an action") {
        x.to(y).on<event<1>>().then(finish);
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
        agent.process(event<1>{});
        CHECK(r.take() == "X x, E y, X y, X M, E B");
    }
    SUBCASE("in an exit") {
        x.on_exit(finish);
        x.to(y).on<event<1>>();
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
        agent.process(event<1>{});
        CHECK(r.take() == "X x, E y");
        agent.tick();
        CHECK(r.take() == "U M, U y");
    }
}

TEST_CASE("finish on a finished state tries no transition again") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    int asked = 0;
    a.to(b).on_finished().when([&](const recorder&) { return ++asked < 0; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.finish(a);
    agent.drain();
    CHECK(asked == 1);
    agent.finish(a);
    agent.drain();
    CHECK(asked == 1);
}

TEST_CASE("a finished root ends the rest of the chain and queued events") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& end = root->add_final("end");
    root->on<event<2>>().then(tracing("2"));
    a.to(end).on<event<1>>().then([](recorder&, hsm::step<recorder>& s) {
        CHECK(s.process(event<2>{}) == hsm::result::queued);
        CHECK(s.post(event<2>{}) == hsm::result::queued);
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK(agent.process(event<1>{}) == hsm::result::taken);
    CHECK(r.take() == "X A");
    CHECK(agent.finished());
    agent.tick();
    CHECK(agent.drain() == hsm::result::inactive);
    CHECK(r.take() == "");
}

TEST_CASE("T35: an event that is posted while a tick continues earlier work waits for the next tick") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).on_finished().then([](recorder&, hsm::step<recorder>& s) { s.post(event<1>{}); });
    b.to(c).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK(agent.finish(a) == hsm::result::queued);
    CHECK(r.take() == "");
    SUBCASE("tick") {
        agent.tick();
        CHECK(r.take() == "X A, E B, U B");
        agent.tick();
        CHECK(r.take() == "X B, E C, U C");
    }
    SUBCASE("drain") {
        agent.drain();
        CHECK(r.take() == "X A, E B");
        agent.drain();
        CHECK(r.take() == "X B, E C");
    }
    SUBCASE("decide") {
        agent.decide();
        CHECK(r.take() == "X A, E B");
        agent.decide();
        CHECK(r.take() == "X B, E C");
    }
}

TEST_CASE("an exception that stops the instance drops its queues") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    a.on<event<2>>().then(tracing("2"));
    root->to(*root).on<event<1>>().then([](recorder&, hsm::step<recorder>& s) {
        s.process(event<2>{});
        throw 1;
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.post(event<2>{});
    CHECK_THROWS_AS(agent.process(event<1>{}), int);
    CHECK_FALSE(agent.active());
    CHECK(agent.queued() == 0);
    r.take();
    agent.start();
    agent.tick();
    CHECK(r.take() == "E A, U A");
}
