// T26-T28: the state of the instance after a hook has thrown.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

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
} // namespace

TEST_CASE("T26: an exit that throws: that state was exited, and its superstate rests and makes its entry choice again") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add_fsm("A"));
    auto& x = a.add("X").on_exit(throwing());
    traced(x);
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(r.take() == "");
    CHECK(agent.current().path() == "R/A");
    agent.tick();
    CHECK(r.take() == "U A, E X, U X");
}

TEST_CASE("T27: an action that throws: the machine of the level rests") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    root->initial(a);
    a.to(b).on<event<1>>().then(throwing());
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(r.take() == "X A");
    CHECK(agent.current().path() == "R");
    agent.tick();
    CHECK(r.take() == "E A, U A");
}

TEST_CASE("T28: an enter that throws: that state was not entered, and is never exited") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = root->add("B").on_enter(throwing());
    traced(b);
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(r.take() == "X A");
    CHECK(agent.current().path() == "R");
    agent.stop();
    CHECK(r.take() == "");
    CHECK(agent.current().path() == "none");
}

TEST_CASE("a guard that throws changes nothing") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>().when([](const recorder& r) -> bool { return r.go ? throw boom() : true; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(agent.current().path() == "R/A");
    r.go = false;
    CHECK(agent.process(event<1>{}) == hsm::result::taken);
    CHECK(r.take() == "X A, E B");
}

TEST_CASE("an update that throws drops the rest of the tick; queues are kept") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    root->on_update([](recorder& r, hsm::step<recorder>& s) {
        s.process(event<1>{});
        s.post(event<1>{});
        if (r.go) throw boom();
    });
    auto& a = traced(root->add("A"));
    a.on<event<1>>().then(tracing("1"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.tick(), boom);
    CHECK(r.take() == "U R");
    CHECK(agent.queued() == 2);
    r.go = false;
    agent.tick(); // the one from the hook first, then the posted one
    CHECK(r.take() == "1, 1, U R, 1, U A");
}

TEST_CASE("an internal reaction's action that throws changes nothing; the event is consumed") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<event<1>>().then(throwing());
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.go = true;
    agent.post(event<1>{});
    CHECK_THROWS_AS(agent.tick(), boom);
    CHECK(agent.queued() == 0);
    CHECK(agent.current().path() == "R/A");
    CHECK(agent.tick() == hsm::result::unhandled);
}

TEST_CASE("an on_change that throws: the transition is complete, later on_change hooks are dropped, and the rest waits for the next call") {
    auto root = hsm::make_fsm<recorder>("R");
    root->on_change([](recorder& r, hsm::state_ref, hsm::state_ref, hsm::reason) {
        if (r.go) throw boom();
    });
    root->on_change([](recorder& r, hsm::state_ref, hsm::state_ref, hsm::reason) { r.note("changed"); });
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.process(event<2>{}); });
    b.on<event<2>>().then(tracing("2"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(r.take() == "X A, E B");
    CHECK(agent.current().path() == "R/B");
    CHECK(agent.queued() == 1);
    agent.drain();
    CHECK(r.take() == "2");
}

TEST_CASE("a root whose enter throws is not started; start can be tried again") {
    auto root = hsm::make_fsm<recorder>("R");
    root->on_enter(throwing());
    traced(root->add("A"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    r.go = true;
    CHECK_THROWS_AS(agent.start(), boom);
    CHECK_FALSE(agent.active());
    CHECK(agent.tick() == hsm::result::inactive);
    r.go = false;
    CHECK(agent.start() == hsm::result::taken);
    CHECK(r.take() == "E A");
}

TEST_CASE("an action above the root that throws leaves the machine inactive") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    traced(root->add("A"));
    root->to(*root).on<event<1>>().then(throwing());
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    r.go = true;
    CHECK_THROWS_AS(agent.process(event<1>{}), boom);
    CHECK(r.take() == "X A, X R");
    CHECK_FALSE(agent.active());
}

TEST_CASE("stop exits all states even if exits throw; the first exception propagates") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& m = traced(root->add_fsm("M"));
    m.on_exit([](recorder&) { throw std::runtime_error("second"); });
    traced(m.add("X")).on_exit([](recorder&) { throw std::runtime_error("first"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK_THROWS_WITH(agent.stop(), "first");
    CHECK(r.take() == "X X, X M, X R");
    CHECK_FALSE(agent.active());
}

TEST_CASE("a hook that requests a stop and then throws stops the machine; the exception propagates") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    a.on_update([](recorder&, hsm::step<recorder>& s) {
        s.stop();
        throw boom();
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK_THROWS_AS(agent.tick(), boom);
    CHECK(r.take() == "U A, X A");
    CHECK_FALSE(agent.active());
    CHECK(agent.start() == hsm::result::taken);
}

TEST_CASE("a local whose copy throws: its state was not entered, and earlier locals are destroyed once") {
    static int alive = 0;
    struct counted {
        counted() { ++alive; }
        counted(const counted&) { ++alive; }
        ~counted() { --alive; }
    };
    struct fragile {
        bool armed = false;
        fragile() = default;
        fragile(const fragile& other) : armed(other.armed) {
            if (armed) throw boom();
        }
        fragile(fragile&&) = default;
    };
    alive = 0;
    {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A").local<counted>();
        auto& b = root->add("B").local<counted>();
        b.on_enter([](recorder&, counted&) {});
        a.to(b).on<event<1>>();
        auto& c = traced(root->add("C").local<counted>());
        c.on_enter([](recorder&, counted&) { throw boom(); });
        b.to(c).on<event<1>>();
        const auto chart = hsm::compile(std::move(root));
        const int prototypes = alive;
        CHECK(prototypes == 3);
        recorder r;
        {
            hsm::instance agent{chart, r};
            agent.start();
            CHECK(alive == prototypes + 1);
            agent.process(event<1>{});
            CHECK(alive == prototypes + 1);
            CHECK_THROWS_AS(agent.process(event<1>{}), boom);
            CHECK(alive == prototypes);
            agent.tick();
            CHECK(agent.current().name() == "A");
            CHECK(alive == prototypes + 1);
        }
        CHECK(alive == prototypes); // destroyed with the active instance
    }
    CHECK(alive == 0);
}
