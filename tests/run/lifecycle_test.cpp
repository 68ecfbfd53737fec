// The life of an instance: on_init and on_destroy, restart, reset, start with a target.

#include <tests/support/family.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

using namespace test;
using namespace std::chrono_literals;

namespace {

auto throwing(std::string token, bool recorder::*when) {
    return [token, when](recorder& r) {
        r.note(token);
        if (r.*when) throw std::runtime_error(token);
    };
}

/// Returns the message of the exception, or nothing.
template <class Call> std::string thrown_by(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("all states are initialized once, before the first start, superstates first") {
    family f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "I A, I x, I y, I B, E A, E x");
    agent.stop();
    CHECK(r.take() == "X x, X A");
    agent.start();
    CHECK(r.take() == "E A, E x");
}

TEST_CASE("destroy stops, then runs on_destroy from last to first; a later start runs on_init again") {
    family f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.destroy() == hsm::result::inactive);
    agent.start();
    r.take();
    SUBCASE("active") {
        CHECK(agent.destroy() == hsm::result::taken);
        CHECK(r.take() == "X x, X A, D B, D y, D x, D A");
    }
    SUBCASE("stopped") {
        agent.stop();
        r.take();
        CHECK(agent.destroy() == hsm::result::taken);
        CHECK(r.take() == "D B, D y, D x, D A");
    }
    CHECK_FALSE(agent.active());
    CHECK(agent.destroy() == hsm::result::inactive);
    CHECK(r.take() == "");
    agent.start();
    CHECK(r.take() == "I A, I x, I y, I B, E A, E x");
}

TEST_CASE("the destructor of an instance runs no hooks") {
    family f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    {
        hsm::instance agent{chart, r};
        agent.start();
        r.take();
    }
    CHECK(r.take() == "");
}

TEST_CASE("an on_init that throws: on_destroy of the earlier states runs, and the instance is not started") {
    family f;
    f.y.on_init(throwing("fails", &recorder::go));
    f.x.on_destroy(throwing("fails as well", &recorder::ready));
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    r.go = r.ready = true;
    hsm::instance agent{chart, r};
    CHECK(thrown_by([&] { agent.start(); }) == "fails"); // the first exception is rethrown
    CHECK(r.take() == "I A, I x, I y, fails, D x, fails as well, D A");
    CHECK_FALSE(agent.active());
    CHECK(agent.destroy() == hsm::result::inactive);
    r.go = false;
    agent.start();
    CHECK(r.take() == "I A, I x, I y, fails, I B, E A, E x");
}

TEST_CASE("destroy runs all hooks even if an exit or one of them throws; the first exception propagates") {
    family f;
    f.x.on_exit(throwing("exit", &recorder::go));
    f.y.on_destroy(throwing("destroy", &recorder::ready));
    started m(std::move(f.root));
    m.r.ready = true;
    SUBCASE("an on_destroy") {
        CHECK(thrown_by([&] { m.agent.destroy(); }) == "destroy");
    }
    SUBCASE("an exit") {
        m.r.go = true;
        CHECK(thrown_by([&] { m.agent.destroy(); }) == "exit");
    }
    CHECK(m.r.take() == "X x, exit, X A, D B, D y, destroy, D x, D A");
    CHECK_FALSE(m.agent.active());
    CHECK(m.agent.destroy() == hsm::result::inactive); // it is destroyed nevertheless
}

TEST_CASE("nothing is active in on_init and on_destroy") {
    auto root = root_of();
    auto& a = root->add("A");
    a.on<event<1>>().then(tracing("event"));
    const auto ask = [](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(to_string(s.reason())) + " in " + s.state().path() + " of " + s.current().path());
        CHECK(s.process(event<1>{}) == hsm::result::inactive);
        CHECK(s.post(event<1>{}) == hsm::result::inactive);
        CHECK(s.change_to("A") == hsm::result::inactive);
        CHECK(s.stop() == hsm::result::inactive);
        CHECK(s.time_in_state() == hsm::time_span());
    };
    a.on_init(ask).on_destroy(ask);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "start in R/A of none");
    CHECK(agent.queued() == 0);
    agent.destroy();
    CHECK(r.take() == "stop in R/A of none");
}

TEST_CASE("restart stops and starts; enter hooks receive the reason restart") {
    auto root = root_of();
    const auto why = [](recorder& r, hsm::step<recorder>& s) { r.note(std::string(s.state().name()) + " " + std::string(to_string(s.reason()))); };
    root->on_init(tracing("init")).on_enter(why).on_exit(why);
    auto& a = root->add("A").on_enter(why).on_exit(why);
    auto& b = root->add("B").on_exit(why);
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    SUBCASE("active") {
        agent.start();
        agent.process(event<1>{});
        agent.tick(1s);
        r.take();
        CHECK(agent.restart() == hsm::result::taken);
        CHECK(r.take() == "B stop, R stop, R restart, A entry");
        CHECK(agent.now() == hsm::time_span(1s)); // the clock continues
    }
    SUBCASE("not started") {
        CHECK(agent.restart() == hsm::result::taken);
        CHECK(r.take() == "init, R restart, A entry");
    }
    CHECK(agent.current().path() == "R/A");
}

TEST_CASE("restart works for a finished root and drops the queues") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(root->add_final("end")).on<event<1>>();
    started m(std::move(root));
    m.agent.process(event<1>{});
    CHECK(m.agent.finished());
    CHECK(m.agent.restart() == hsm::result::taken);
    CHECK_FALSE(m.agent.finished());
    m.agent.post(event<1>{});
    m.agent.restart();
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("an exit that throws in a restart: all states are exited, and the instance is not started") {
    family f;
    f.x.on_exit(throwing("exit", &recorder::go));
    started m(std::move(f.root));
    m.r.go = true;
    CHECK(thrown_by([&] { m.agent.restart(); }) == "exit");
    CHECK(m.r.take() == "X x, exit, X A");
    CHECK_FALSE(m.agent.active());
}

TEST_CASE("reset runs no hooks; the instance is as if never started, but initialized") {
    struct data {
        std::shared_ptr<int> owned;
    };
    const auto counted = std::make_shared<int>();
    family f;
    f.x.local<data>(counted);
    f.x.on<event<1>>().then(tracing("event"));
    f.x.hold();
    f.x.to(f.b).on<event<2>>();
    started m(std::move(f.root));
    CHECK(counted.use_count() == 3); // here, in the prototype, in the instance
    m.agent.tick(1s);
    m.agent.post(event<1>{});
    m.agent.process(event<2>{});
    m.agent.finish("A");
    m.agent.release("A");
    m.r.take();
    CHECK(m.agent.reset() == hsm::result::taken);
    CHECK(m.r.take() == "");
    CHECK(counted.use_count() == 2);
    CHECK_FALSE(m.agent.active());
    CHECK(m.agent.now() == hsm::time_span());
    CHECK(m.agent.queued() == 0);
    CHECK(m.agent.reset() == hsm::result::taken);
    CHECK(m.start() == "E A, E x");
    m.agent.release();
    CHECK(m.tick() == "U A, U x"); // nothing is pending
}

TEST_CASE("restart, destroy, reset and set_state in a hook are busy and change nothing") {
    struct caller : recorder {
        void (*call)(caller&) = nullptr;
        void* agent = nullptr;
    };
    auto root = hsm::make_fsm<caller>("R");
    root->add("A").on_update([](caller& c) { c.call(c); });
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    caller c;
    hsm::instance<caller> agent{chart, c};
    agent.start();
    c.agent = &agent;
    c.call = [](caller& self) {
        auto& it = *static_cast<hsm::instance<caller>*>(self.agent);
        CHECK(it.restart() == hsm::result::busy);
        CHECK(it.destroy() == hsm::result::busy);
        CHECK(it.reset() == hsm::result::busy);
        CHECK(it.set_state("B") == hsm::result::busy);
        self.note("asked");
    };
    agent.tick();
    CHECK(c.take() == "asked");
    CHECK(agent.current().path() == "R/A");
}

namespace {
/// R{ A, M{ x, y }, by{ dispatch q; p, q }, c: choice to p if go, otherwise A, h: history of M }; no dispatch leads to M.
struct places {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::state<recorder>& a = traced(root->add("A"));
    hsm::fsm<recorder>& m = traced(root->add_fsm("M"));
    hsm::state<recorder>& x = traced(m.add("x"));
    hsm::state<recorder>& y = traced(m.add("y"));
    hsm::fsm<recorder>& by = traced(root->add_fsm("by"));
    hsm::state<recorder>& p = traced(by.add("p"));
    hsm::state<recorder>& q = traced(by.add("q"));

    places() {
        root->on_init(tracing("I R")).on_exit(tracing("X R")).on_enter(tracing("E R"));
        by.dispatch(q);
        auto& c = root->add_choice("c");
        c.to(p).when(&recorder::go);
        c.otherwise(a);
        m.add_history("h").otherwise(y);
        x.to(a).on<event<1>>();
    }
};
} // namespace

TEST_CASE("start with a state enters it as a transition to it would") {
    places f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    hsm::instance agent{chart, r};
    SUBCASE("a leaf") {
        CHECK(agent.start(f.y) == hsm::result::taken);
        CHECK(r.take() == "I R, E R, E M, E y");
    }
    SUBCASE("a machine makes its entry choice") {
        agent.start("by");
        CHECK(r.take() == "I R, E R, E by, E q");
        CHECK(agent.current().path() == "R/by/q");
    }
    SUBCASE("a choice decides") {
        r.go = true;
        agent.start("c");
        CHECK(r.take() == "I R, E R, E by, E p");
    }
    SUBCASE("a history state returns to the record, if there is one") {
        agent.start("M/h");
        CHECK(r.take() == "I R, E R, E M, E y");
        agent.stop();
        agent.start("M");
        agent.stop();
        r.take();
        agent.start("M/h");
        CHECK(r.take() == "E R, E M, E x");
    }
    SUBCASE("the root: the same as start()") {
        agent.start("R");
        CHECK(r.take() == "I R, E R, E A");
    }
}

TEST_CASE("a start with a state is busy if the instance is active, and throws if the state is unknown") {
    places f;
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK_THROWS_AS(agent.start("nowhere"), hsm::state_error);
    CHECK(r.take() == "");
    CHECK_FALSE(agent.active());
    CHECK_THROWS_AS(agent.start("M/nowhere"), hsm::state_error);
    agent.start("y"); // the end of one path only
    CHECK(agent.current().path() == "R/M/y");
    CHECK(agent.start("A") == hsm::result::busy);
    CHECK(agent.current().path() == "R/M/y");
}

TEST_CASE("an enter that throws: the superstate rests, or start can be tried again") {
    places f;
    f.y.on_enter(throwing("y fails", &recorder::go));
    const auto chart = hsm::compile(std::move(f.root));
    recorder r;
    r.go = true;
    hsm::instance agent{chart, r};
    CHECK(thrown_by([&] { agent.start(f.y); }) == "y fails");
    CHECK(agent.current().path() == "R/M");
    r.take();
    agent.tick();
    CHECK(r.take() == "U M, E x, U x");
}
