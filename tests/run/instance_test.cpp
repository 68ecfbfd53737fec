// T15, T25 and instances in general: start, stop, calls in hooks, requests, time, lookups, locals.

#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

TEST_CASE("T15: on_change runs once per change, at any depth, and not for refused transitions") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto noting_change = [](std::string who) {
        return [who](recorder& r, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
            r.note(who + ": " + std::string(from.name()) + "->" + std::string(to.name()) + " " + std::string(to_string(why)));
        };
    };
    root->on_change(noting_change("R"));
    auto& a = root->add("A");
    auto& b = root->add_fsm("B").on_change(noting_change("B"));
    auto& x = b.add("x");
    auto& y = b.add("y");
    a.to(b).when(&recorder::go);
    x.to(y).on<event<1>>().when(&recorder::ready);
    y.on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "R: none->A start");
    agent.tick();
    CHECK(r.take() == "");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "R: A->x poll, B: A->x poll");
    agent.process(event<1>{}); // guarded
    CHECK(r.take() == "");
    r.ready = true;
    agent.process(event<1>{});
    CHECK(r.take() == "R: x->y event, B: x->y event");
    agent.process(event<1>{}); // internal
    CHECK(r.take() == "");
    agent.change_to("A");
    CHECK(r.take() == "R: y->A request");
}

TEST_CASE("on_change runs after the entries and for each link of a chain") {
    auto root = hsm::make_fsm<recorder>("R");
    root->on_change([](recorder& r, hsm::state_ref, hsm::state_ref to, hsm::reason) { r.note("to " + std::string(to.name())); });
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("b")).transient();
    auto& c = traced(root->add("C"));
    a.to(b);
    b.to(c);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E b, to b, X b, E C, to C, U C");
}

TEST_CASE("on_change runs when a machine at rest makes its entry choice") {
    auto root = hsm::make_fsm<recorder>("R");
    root->on_change([](recorder& r, hsm::state_ref, hsm::state_ref to, hsm::reason why) {
        r.note("to " + std::string(to.name()) + " " + std::string(to_string(why)));
    });
    root->dispatch("A").when(&recorder::go);
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "");
    agent.tick();
    CHECK(r.take() == "");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "to A entry");
}

TEST_CASE("T25: a stop in an enter takes effect after the transition, and no other work follows") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B")).on_enter([](recorder&, hsm::step<recorder>& s) { CHECK(s.stop() == hsm::result::queued); });
    a.to(b);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E B, X B");
    CHECK_FALSE(agent.active());
    CHECK(agent.tick() == hsm::result::inactive);
}

TEST_CASE("a stop in the middle of a transition: all its states are entered first") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    m.on_enter([](recorder&, hsm::step<recorder>& s) { s.stop(); });
    traced(m.add("x"));
    a.to(m);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick();
    CHECK(r.take() == "X A, E M, E x, X x, X M");
}

TEST_CASE("events that hooks of a stop queue are dropped") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_exit([](recorder& r, hsm::step<recorder>& s) {
        r.note("X A");
        s.process(event<1>{});
        s.post(event<1>{});
    });
    a.on<event<1>>().then(tracing("1"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.stop();
    CHECK(r.take() == "X A");
    CHECK(agent.queued() == 0);
    agent.start();
    agent.tick();
    CHECK(r.take() == "");
}

TEST_CASE("the life of an instance: start, stop, start again") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    traced(root->add("A"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.current().path() == "none");
    CHECK_FALSE(agent.active());
    CHECK(agent.leaves().empty());
    CHECK(agent.stop() == hsm::result::inactive);
    CHECK(agent.start() == hsm::result::taken);
    CHECK(agent.start() == hsm::result::busy);
    CHECK(agent.active());
    CHECK(agent.leaves() == std::vector{agent.current()});
    CHECK(agent.stop() == hsm::result::taken);
    CHECK(agent.start() == hsm::result::taken);
    CHECK(r.take() == "E R, E A, X A, X R, E R, E A");
}

TEST_CASE("calls to the own instance in a hook are busy or queued") {
    auto root = hsm::make_fsm<recorder>("R");
    static hsm::instance<recorder>* self = nullptr;
    auto& a = root->add("A").on_update([](recorder& r) {
        CHECK(self->tick() == hsm::result::busy);
        CHECK(self->start() == hsm::result::busy);
        CHECK(self->decide() == hsm::result::busy);
        CHECK(self->update() == hsm::result::busy);
        CHECK(self->drain() == hsm::result::busy);
        CHECK(self->process(event<1>{}) == hsm::result::queued);
        CHECK(self->post(event<1>{}) == hsm::result::queued);
        CHECK(self->change_to("B") == hsm::result::queued);
        CHECK(self->current().name() == "A");
        r.note("update");
    });
    a.on<event<1>>().then(tracing("1"));
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    self = &agent;
    agent.start();
    agent.tick();
    CHECK(r.take() == "update, 1");
    CHECK(agent.current().name() == "B");
    CHECK(agent.queued() == 1);
}

TEST_CASE("current, is_in and locals follow the exits and entries, also seen from hooks") {
    struct data {
        int value = 1;
    };
    auto root = hsm::make_fsm<recorder>("R");
    static hsm::instance<recorder>* self = nullptr;
    const auto where = [](recorder& r) { r.note(std::string(self->current().name())); };
    auto& a = root->add_fsm("A").on_exit(where);
    a.local<data>();
    a.add("x").on_exit(where);
    auto& b = root->add_fsm("B").on_enter(where);
    b.add("y").on_enter(where);
    a.to(b).on<event<1>>().then(where);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    self = &agent;
    agent.start();
    CHECK(agent.is_in("A"));
    CHECK(agent.is_in("A/x"));
    CHECK(agent.is_in(a));
    CHECK_FALSE(agent.is_in(b));
    REQUIRE(agent.local<data>());
    CHECK(agent.local<data>()->value == 1);
    agent.process(event<1>{});
    CHECK(r.take() == "x, A, R, B, y");
    CHECK_FALSE(agent.local<data>());
    CHECK_FALSE(agent.is_in(a));
}

TEST_CASE("change_to is a transition by the usual rules") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& m = traced(root->add_fsm("M"));
    traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.change_to(b) == hsm::result::inactive);
    agent.start();
    r.take();
    CHECK(agent.change_to(y) == hsm::result::taken);
    CHECK(r.take() == "X x, E y");
    agent.change_to(y); // itself: exits and enters
    CHECK(r.take() == "X y, E y");
    agent.change_to(m); // the superstate stays and makes its entry choice again
    CHECK(r.take() == "X y, E x");
    agent.change_to("B");
    CHECK(r.take() == "X x, X M, E B");
    agent.change_to("R/M/y");
    CHECK(r.take() == "X B, E M, E y");
}

namespace {
struct guarded_choice : recorder {
    bool inside = false;
};
struct fragile {
    std::string fails;
};
auto failing(std::string name) {
    return [name](fragile& f) {
        if (f.fails == name) throw std::runtime_error(name);
    };
}
} // namespace

TEST_CASE("change_to by reference and by path do the same: entry choices, timers, locals, completion, the root") {
    struct counter {
        int entered = 0;
    };
    auto root = hsm::make_fsm<guarded_choice>("R");
    traced(*root);
    auto& m = traced(root->add_fsm("M"));
    auto& inner = traced(m.add_fsm("inner"));
    auto& x = traced(inner.add("x"));
    traced(inner.add("y"));
    auto& over = m.add_final("over").on_enter(tracing("E over")).on_exit(tracing("X over"));
    auto& late = traced(root->add("late")).local<counter>();
    m.dispatch(inner).when([](const guarded_choice& g) { return g.inside; });
    m.dispatch(over);
    late.to(x).after(2s);
    const auto done = [](guarded_choice& g) { g.note("done"); };
    m.to(late).on_finished().then(done);
    const auto chart = hsm::compile(std::move(root));
    REQUIRE(chart.core().steps_are_plain);

    const auto trace = [&](bool by_reference) {
        guarded_choice g;
        hsm::instance agent{chart, g};
        std::string all;
        const auto go = [&](const char* path) {
            CHECK((by_reference ? agent.change_to(chart.find(path)) : agent.change_to(path)) == hsm::result::taken);
            all += g.take() + "; ";
        };
        agent.start();
        g.take();
        g.inside = true;
        go("M");
        go("M/inner/y");
        go("late");
        agent.tick(1s);
        g.take();
        go("late");
        agent.tick(1s);
        CHECK(agent.current().path() == "R/late");
        agent.tick(1s);
        CHECK(agent.current().path() == "R/M/inner/x");
        g.take();
        go("R");
        g.inside = false;
        go("M");
        CHECK(agent.current().path() == "R/late");
        CHECK(agent.local<counter>());
        return all;
    };
    CHECK(trace(true) == trace(false));
    CHECK(trace(true) == "X late, E M, E inner, E x; X x, E y; X y, X inner, X M, E late; X late, E late; "
                         "X x, X inner, X M, E M, E inner, E x; X x, X inner, E over, X over, X M, done, E late; ");

    guarded_choice g;
    hsm::instance agent{chart, g};
    CHECK(agent.change_to(chart.find("late")) == hsm::result::inactive);
    agent.start();
    CHECK_THROWS_AS(agent.change_to(hsm::state_ref()), hsm::state_error);
    CHECK_THROWS_AS(agent.force_to(hsm::state_ref()), hsm::state_error);
    CHECK(agent.force_to(chart.find("late")) == hsm::result::taken);
    CHECK(agent.current().path() == "R/late");
}

TEST_CASE("a hook that throws in a request leaves the remaining and the entered states active") {
    auto root = hsm::make_fsm<fragile>("R");
    root->add_fsm("A").add("x").on_exit(failing("x"));
    auto& b = root->add_fsm("B").on_enter(failing("B"));
    auto& y = b.add("y").on_enter(failing("y"));
    const auto chart = hsm::compile(std::move(root));
    REQUIRE(chart.core().steps_are_plain);
    for (const auto& [fails, ends] : {std::pair("x", std::string("R/A")), std::pair("B", std::string("R")), std::pair("y", std::string("R/B"))}) {
        fragile f;
        hsm::instance agent{chart, f};
        agent.start();
        f.fails = fails;
        CHECK_THROWS_WITH(agent.change_to(y), fails);
        CHECK(agent.current().path() == ends);
        f.fails = "";
        CHECK(agent.change_to(y) == hsm::result::taken);
        CHECK(agent.current().path() == "R/B/y");
    }
}

TEST_CASE("a name that is not in the chart is an error with a suggestion, and changes nothing") {
    auto root = hsm::make_fsm<recorder>("character");
    root->add_fsm("attack").add("slash");
    auto other_root = hsm::make_fsm<recorder>("other");
    auto& foreign = other_root->add("x");
    const auto chart = hsm::compile(std::move(root));
    const auto other = hsm::compile(std::move(other_root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK_THROWS_WITH_AS(agent.change_to("atack"),
                         "HSM-202 error at character: \"atack\" is not a state of this chart; hint: did you mean \"character/attack\"?",
                         hsm::state_error);
    CHECK_THROWS_AS(static_cast<void>(agent.is_in("slas")), hsm::state_error);
    CHECK_THROWS_AS(static_cast<void>(agent.is_in(foreign)), hsm::state_error);
    CHECK_THROWS_AS(agent.change_to(foreign), hsm::state_error);
    CHECK_THROWS_AS((void)agent.time_in_state("nowhere"), hsm::state_error);
    CHECK(agent.current().path() == "character/attack/slash");
}

TEST_CASE("time is whole nanoseconds, begins at zero in the tick of entry, and never runs backwards") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(&recorder::go);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.time_in_state() == 0ns);
    agent.tick(16ms);
    agent.tick(0.5f);
    agent.tick(0.25);
    CHECK(agent.now() == 766ms);
    CHECK(agent.time_in_state(a) == 766ms);
    r.go = true;
    agent.tick(std::chrono::seconds(2));
    CHECK(agent.time_in_state(b) == 0ns);
    CHECK(agent.time_in_state(a) == 0ns);
    agent.update(7us);
    CHECK(agent.time_in_state(b) == 7us);
    CHECK(agent.time_in_state("R") >= 2s);
    CHECK(agent.tick(-1ms) == hsm::result::refused);
    CHECK(agent.tick(std::numeric_limits<double>::quiet_NaN()) == hsm::result::refused);
    CHECK(agent.time_in_state(b) == 7us);
    agent.tick(std::numeric_limits<double>::infinity()); // saturates
    agent.tick(std::numeric_limits<double>::infinity());
    CHECK(agent.now().nanoseconds() == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("decide and update are the two halves of a tick") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& n = traced(root->add_fsm("N"));
    auto& z = traced(n.add("z"));
    auto& w = traced(n.add("w"));
    m.to(n).when(&recorder::go);
    x.to(y);
    z.to(w);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK(agent.update(1s) == hsm::result::unhandled);
    CHECK(r.take() == "U R, U M, U x");
    CHECK(agent.now() == 1s);
    CHECK(agent.decide() == hsm::result::taken);
    CHECK(r.take() == "X x, E y");
    CHECK(agent.decide() == hsm::result::unhandled);
    r.go = true;
    CHECK(agent.decide() == hsm::result::taken); // inwards, down to the entered state
    CHECK(r.take() == "X y, X M, E N, E z, X z, E w");
    CHECK(agent.now() == 1s);
}

TEST_CASE("the step returns the reason why a hook runs") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto why = [](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(to_string(s.reason())) + " " + std::string(s.source().name()) + "->" + std::string(s.target().name()) + " was " +
               std::string(s.previous().name()));
    };
    auto& a = root->add("A").on_enter(why).on_update(why);
    auto& b = root->add("B").on_enter(why).on_exit(why);
    a.to(b).on<event<1>>();
    b.to(a).when(&recorder::go);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "entry none->R was none");
    agent.tick();
    CHECK(r.take() == "none none->none was none");
    agent.process(event<1>{});
    CHECK(r.take() == "event A->B was A");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "poll B->A was B, poll B->A was B, none none->none was none");
    r.go = false;
    agent.change_to(b);
    CHECK(r.take() == "request A->B was A");
    agent.stop();
    CHECK(r.take() == "stop none->none was B");
}

TEST_CASE("instances of one chart are independent, and can be moved") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r1, r2;
    std::vector<hsm::instance<recorder>> agents;
    agents.emplace_back(chart, r1);
    agents[0].start();
    agents[0].process(event<1>{});
    for (int i = 0; i < 10; ++i) agents.emplace_back(chart, r2);
    agents[1].start();
    CHECK(agents[0].current().name() == "B");
    CHECK(agents[1].current().name() == "A");
    CHECK(&agents[0].context() == &r1);
    CHECK(r1.take() == "E A, X A, E B");
    CHECK(r2.take() == "E A");
}

TEST_CASE("calls from the action of the root's transition to itself are queued") {
    auto root = hsm::make_fsm<recorder>("R");
    traced(*root);
    auto& a = traced(root->add("a"));
    auto& b = traced(root->add("b"));
    a.on<event<2>>().then(tracing("2"));
    root->to(*root).on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        CHECK(s.state().path() == "none");
        CHECK(s.process(event<2>{}) == hsm::result::queued);
        if (r.go) CHECK(s.change_to("b") == hsm::result::queued);
        if (r.ready) CHECK(s.stop() == hsm::result::queued);
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    SUBCASE("an event") {
        agent.process(event<1>{});
        CHECK(r.take() == "X a, X R, E R, E a, 2");
    }
    SUBCASE("a request") {
        r.go = true;
        agent.process(event<1>{});
        CHECK(r.take() == "X a, X R, E R, E a, 2, X a, E b");
        CHECK(agent.is_in(b));
    }
    SUBCASE("a stop") {
        r.ready = true;
        agent.process(event<1>{});
        CHECK(r.take() == "X a, X R, E R, E a, X a, X R");
        CHECK_FALSE(agent.active());
        CHECK(agent.queued() == 0);
    }
}
