// T23 and the entry of machines: dispatch, initial, rest.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

using namespace test;

TEST_CASE("T23: dispatch is decided after the machine's own enter") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    m.on_enter([](recorder& r) { r.ready = true; });
    auto& low = traced(m.add("a"));
    auto& high = traced(m.add("b"));
    m.dispatch(high).when(&recorder::ready);
    m.dispatch(low);
    a.to(m);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E M, E b, U M, U b");
}

TEST_CASE("dispatch is tried by priority, then definition; then comes initial; otherwise the machine rests") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    auto& c = root->add("c");
    root->dispatch(a).when(&recorder::go);
    root->dispatch(b).when(&recorder::ready).priority(1);
    const auto where = [](const auto& chart, recorder r) {
        hsm::instance agent{chart, r};
        agent.start();
        return agent.current().path();
    };
    recorder neither, first, both;
    first.go = true;
    both.go = both.ready = true;
    SUBCASE("with an initial") {
        root->initial(c);
        const auto chart = hsm::compile(std::move(root));
        CHECK(where(chart, neither) == "R/c");
        CHECK(where(chart, first) == "R/a");
        CHECK(where(chart, both) == "R/b");
    }
    SUBCASE("without") {
        const auto chart = hsm::compile(std::move(root));
        CHECK(where(chart, neither) == "R");
        CHECK(where(chart, first) == "R/a");
        CHECK(where(chart, both) == "R/b");
    }
}

TEST_CASE("a machine at rest tries its dispatch after its polled transitions, as that level's one transition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    m.dispatch(x).when(&recorder::go);
    m.to(y).when(&recorder::ready);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E M");
    agent.tick();
    CHECK(r.take() == "U M");
    r.go = true;
    SUBCASE("dispatch") {
        agent.tick();
        CHECK(r.take() == "U M, E x, U x");
    }
    SUBCASE("polled first") {
        r.ready = true;
        agent.tick();
        CHECK(r.take() == "U M, E y, U y");
    }
}

TEST_CASE("substate first: a machine at rest tries its dispatch only if nothing on its path fired") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& b = traced(root->add("B"));
    m.dispatch(x).when(&recorder::go);
    m.to(b).when(&recorder::ready);
    const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    SUBCASE("nothing fired") {
        agent.tick();
        CHECK(r.take() == "E x, U M, U x");
    }
    SUBCASE("something fired") {
        r.ready = true;
        agent.tick();
        CHECK(r.take() == "X M, E B, U B");
    }
}

TEST_CASE("only a tick or decide makes an entry choice at rest; it counts as a transition, and a reaction does not") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    root->dispatch(a).when(&recorder::go);
    a.when(&recorder::ready).then(tracing("reaction"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.go = true;
    agent.process(event<1>{});
    agent.drain();
    agent.update();
    CHECK(r.take() == "");
    CHECK(agent.tick() == hsm::result::taken);
    CHECK(r.take() == "E A, U A");
    r.ready = true;
    CHECK(agent.tick() == hsm::result::unhandled);
    CHECK(r.take() == "U A, reaction");
}

TEST_CASE("initial and dispatch may name a deep substate: the initials of the states between are ignored") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = traced(root->add_fsm("M"));
    auto& n = traced(m.add_fsm("N"));
    auto& deep = traced(n.add("deep"));
    auto& first = traced(n.add("first"));
    n.initial(first).then(tracing("N's initial"));
    root->initial(deep).then(tracing("action"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "action, E M, E N, E deep");
}

TEST_CASE("the entry choice's action runs after the machine's enter and before the substate's") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& a = traced(root->add("A"));
    root->dispatch(a).then(tracing("action"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E R, action, E A");
}
