// Time: after, every, minimum durations, time_left; pause and time scale.

#include <hsm/chart/view.hpp>
#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>

using namespace test;
using namespace std::chrono_literals;

namespace {
struct archer : recorder {
    std::chrono::milliseconds draw{300};
    double rest = 0.2;
    bool tired = false;
    std::chrono::milliseconds draw_time() const { return tired ? 2 * draw : draw; }
};
struct bow {
    float seconds;
    float draw_time() const { return seconds; }
};

const auto why = [](recorder& r, hsm::step<recorder>& s) { r.note(to_string(s.reason())); };
} // namespace

TEST_CASE("a transition with after fires when its delay has passed since the entry of its source") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B"))).after(500ms);
    started m(std::move(root));
    CHECK(m.tick(499ms) == "U A");
    CHECK(m.tick(1ms) == "X A, E B, U B");
}

TEST_CASE("the elapsed time is zero in the tick of entry") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b);
    SUBCASE("a positive delay is not due yet") {
        b.to(traced(root->add("C"))).after(100ms);
        started m(std::move(root));
        CHECK(m.tick(100ms) == "X A, E B, U B");
        CHECK(m.tick(100ms) == "X B, E C, U C");
    }
    SUBCASE("a delay of zero is due") {
        b.to(traced(root->add("C"))).after(0ms).always();
        started m(std::move(root));
        CHECK(m.tick(100ms) == "X A, E B, X B, E C, U C");
    }
    SUBCASE("a negative delay is due") {
        b.to(traced(root->add("C"))).after([](const recorder&) { return -100ms; }).always();
        started m(std::move(root));
        CHECK(m.tick(100ms) == "X A, E B, X B, E C, U C");
    }
}

TEST_CASE("time passes in ticks and updates only") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B"))).after(1s);
    started m(std::move(root));
    CHECK(m.update(1s) == "U A");
    CHECK(m.decide() == "X A, E B");
}

TEST_CASE("a time may be seconds, a member of the context or of a local, or a callable; it is computed at each entry") {
    auto root = hsm::make_fsm<archer>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    SUBCASE("seconds") { a.to(b).after(0.3); }
    SUBCASE("a member") { a.to(b).after(&archer::draw); }
    SUBCASE("a member function") { a.to(b).after(&archer::draw_time); }
    SUBCASE("a callable") {
        a.to(b).after([](const archer& r) { return r.draw; });
    }
    SUBCASE("a callable that returns seconds") {
        a.to(b).after([](const archer&) { return 0.3f; });
    }
    SUBCASE("a local") {
        a.local<bow>(0.3f);
        a.to(b).after(&bow::draw_time);
    }
    SUBCASE("a local's data") {
        a.local<bow>(0.3f);
        a.to(b).after([](const bow& x, const archer&) { return x.seconds; });
    }
    started_with<archer> m(std::move(root));
    m.tick(299ms);
    CHECK(m.path() == "R/A");
    m.tick(1ms + 1us);
    CHECK(m.path() == "R/B");
}

TEST_CASE("a delay is computed after the enter hooks, and is valid until the next entry") {
    auto root = hsm::make_fsm<archer>("R");
    auto& a = root->add("A").on_enter([](archer& r) { r.tired = r.go; });
    auto& b = root->add("B");
    a.to(b).after(&archer::draw_time);
    b.to(a).on<event<1>>();
    started_with<archer> m(std::move(root));
    m.r.tired = true; // too late
    m.tick(300ms);
    CHECK(m.path() == "R/B");
    m.r.go = true;
    m.process(event<1>{});
    m.tick(300ms);
    CHECK(m.path() == "R/A");
    m.tick(300ms);
    CHECK(m.path() == "R/B");
}

TEST_CASE("if the computation of a delay throws, the state was not entered") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on<event<1>>();
    b.to(a).after([](const recorder& r) {
        if (r.go) throw std::runtime_error("delay");
        return 1s;
    });
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<1>{}), std::runtime_error);
    CHECK(m.r.take() == "X A, E B");
    CHECK(m.path() == "R");
    CHECK(m.tick() == "E A, U A");
}

TEST_CASE("a polled delay fires once per activation of its source") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("A"));
    auto& b = traced(m.add("B"));
    m.to(a).after(1s).reenter();
    m.to(m).on<event<1>>();
    a.to(b).on<event<2>>();
    started s(std::move(root));
    CHECK(s.tick(1s) == "U M, X A, E A, U A");
    CHECK(s.tick(1s) == "U M, U A");
    CHECK(s.process(event<1>{}) == "X A, X M, E M, E A"); // entered again
    CHECK(s.tick(1s) == "U M, X A, E A, U A");
    CHECK(s.process(event<2>{}) == "X A, E B");
    CHECK(s.tick(5s) == "U M, U B"); // local transitions of M do not restart its time
}

TEST_CASE("a due timer whose guard refuses stays due; a satisfied or held transition can still fire later") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    SUBCASE("refused") {
        a.to(b).after(1s).when(&recorder::go);
        started m(std::move(root));
        CHECK(m.tick(2s) == "U A");
        m.r.go = true;
        CHECK(m.tick() == "X A, E B, U B");
    }
    SUBCASE("satisfied") {
        root->to(a).after(1s);
        a.to(b).on<event<1>>();
        started m(std::move(root));
        CHECK(m.tick(2s) == "U A");
        m.process(event<1>{});
        CHECK(m.tick() == "X B, E A, U A");
    }
    SUBCASE("held") {
        a.hold();
        a.to(b).after(1s);
        started m(std::move(root));
        CHECK(m.tick(2s) == "U A");
        m.agent.release();
        CHECK(m.tick() == "X A, E B, U B");
    }
}

TEST_CASE("an event's transition with a delay waits for the event; the delay is a guard, and can hold repeatedly") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.on<event<1>>().after(1s).then(tracing("reaction"));
    started m(std::move(root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::guarded);
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(m.tick(1s) == "U A");
    CHECK(m.process(event<1>{}) == "reaction");
    CHECK(m.process(event<1>{}) == "reaction");
}

TEST_CASE("a polled reaction with a delay runs once") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.when(&recorder::go).after(1s).then(tracing("reaction"));
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.tick(1s) == "U A, reaction");
    CHECK(m.tick(1s) == "U A");
}

TEST_CASE("a completion with a delay waits for both") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B"))).on_finished().after(1s);
    started m(std::move(root));
    m.agent.finish();
    CHECK(m.tick(500ms) == "U A");
    CHECK(m.tick(500ms) == "X A, E B, U B");
}

TEST_CASE("every: at most one run per tick; the remaining time is kept") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.every(1s).then(tracing("beat"));
    started m(std::move(root));
    CHECK(m.tick(999ms) == "U A");
    CHECK(m.tick(1ms) == "U A, beat");
    CHECK(m.tick(2500ms) == "U A, beat"); // at 3.5: due at 2 and 3
    CHECK(m.tick() == "U A, beat");
    CHECK(m.tick() == "U A");
    CHECK(m.tick(500ms) == "U A, beat"); // at 4
    CHECK(m.update(1s) == "U A, beat");
}

TEST_CASE("every starts again with each entry; it stays due if its guard refuses") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.every(1s).when(&recorder::go).then(tracing("beat"));
    a.to(a).on<event<1>>();
    started m(std::move(root));
    CHECK(m.tick(1500ms) == "U A");
    m.r.go = true;
    CHECK(m.tick() == "U A, beat");
    CHECK(m.process(event<1>{}) == "X A, E A");
    CHECK(m.tick(500ms) == "U A");
    CHECK(m.tick(500ms) == "U A, beat");
}

TEST_CASE("reactions run in their order, with or without time") {
    auto root = root_of();
    auto& a = root->add("A");
    a.when([](const recorder&) { return true; }).then(tracing("second"));
    a.every(1s).then(tracing("third"));
    a.every(1s).priority(1).then(tracing("first"));
    started m(std::move(root));
    CHECK(m.tick(1s) == "first, second, third");
}

TEST_CASE("a period can be computed; a period of zero is due in every tick") {
    auto root = hsm::make_fsm<archer>("R");
    root->add("A").every(&archer::rest).then(tracing("beat"));
    SUBCASE("computed") {
        started_with<archer> m(std::move(root));
        CHECK(m.tick(199ms) == "");
        CHECK(m.tick(1ms + 1us) == "beat");
    }
    SUBCASE("zero") {
        archer restless;
        restless.rest = 0;
        started_with<archer> m(std::move(root), {}, restless);
        CHECK(m.tick(1ms) == "beat");
        CHECK(m.tick(1ms) == "beat");
    }
}

TEST_CASE("the reason is time for delays and periods, and completion for completions") {
    auto root = root_of();
    auto& a = root->add("A").on_exit(why);
    auto& b = root->add("B").on_exit(why);
    auto& c = root->add("C").on_exit(why);
    a.every(1s).then(why);
    a.to(b).after(2s);
    b.to(c).on_finished().after(1s);
    c.to(a).on<event<1>>().after(0s);
    started m(std::move(root));
    CHECK(m.tick(1s) == "time");
    CHECK(m.tick(1s) == "time");
    m.agent.finish();
    CHECK(m.tick(1s) == "completion");
    CHECK(m.process(event<1>{}) == "event");
}

TEST_CASE("a least duration holds until it has passed; it may be computed") {
    auto root = hsm::make_fsm<archer>("R");
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B")));
    SUBCASE("fixed") { a.min_duration(300ms); }
    SUBCASE("computed") { a.min_duration(&archer::draw_time); }
    started_with<archer> m(std::move(root));
    CHECK(m.tick(299ms) == "U A");
    CHECK(m.tick(1ms) == "X A, E B, U B");
}

TEST_CASE("time_left returns the time of a transition of an active source, until it has fired") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto timed = a.to(b).after(1s);
    const auto beat = a.every(400ms).then(tracing("beat"));
    const auto untimed = b.to(a).on<event<1>>();
    const auto reaction = root->when([](const recorder&) { return true; }).after(2s).then(tracing("once"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK_FALSE(agent.time_left(timed));
    agent.start();
    CHECK(agent.time_left(timed) == hsm::time_span(1s));
    CHECK(agent.time_left(beat) == hsm::time_span(400ms));
    CHECK_FALSE(agent.time_left(untimed));
    agent.tick(900ms);
    CHECK(agent.time_left(timed) == hsm::time_span(100ms));
    CHECK(agent.time_left(beat) == hsm::time_span(0s)); // due once more
    agent.update(600ms);
    CHECK(agent.time_left(timed) == hsm::time_span(0s)); // due
    agent.tick(500ms);
    CHECK(r.take() == "beat, beat, once");
    CHECK_FALSE(agent.time_left(timed));    // B is active
    CHECK_FALSE(agent.time_left(reaction)); // it has fired
    agent.process(event<1>{});
    CHECK(agent.time_left(timed) == hsm::time_span(1s));
}

TEST_CASE("pause: ticks and updates run with no elapsed time") {
    auto root = root_of();
    auto& a = root->add("A").on_update([](recorder& r, hsm::time_span dt) { r.note(std::to_string(dt.nanoseconds())); });
    a.to(traced(root->add("B"))).after(1s);
    started m(std::move(root));
    CHECK_FALSE(m.agent.paused());
    m.agent.pause();
    CHECK(m.agent.paused());
    CHECK(m.tick(5s) == "0");
    CHECK(m.update(5s) == "0");
    CHECK(m.agent.now() == hsm::time_span());
    CHECK(m.agent.tick(-1s) == hsm::result::refused);
    m.agent.resume();
    CHECK(m.tick(1s) == "E B, U B");
}

TEST_CASE("the time scale multiplies elapsed time, rounded to nanoseconds") {
    auto root = root_of();
    auto& a = root->add("A").on_update([](recorder& r, hsm::time_span dt) { r.note(std::to_string(dt.nanoseconds())); });
    a.to(traced(root->add("B"))).after(1s);
    started m(std::move(root));
    CHECK(m.agent.time_scale() == 1.0);
    CHECK(m.agent.set_time_scale(0.5) == hsm::result::taken);
    CHECK(m.agent.time_scale() == 0.5);
    CHECK(m.tick(3ns) == "2");
    CHECK(m.tick(2s - 6ns) == "999999997");
    CHECK(m.tick(2ns) == "E B, U B");
    CHECK(m.agent.now() == hsm::time_span(1s));
    SUBCASE("an invalid factor is refused and changes nothing") {
        CHECK(m.agent.set_time_scale(-1) == hsm::result::refused);
        CHECK(m.agent.set_time_scale(std::numeric_limits<double>::quiet_NaN()) == hsm::result::refused);
        CHECK(m.agent.set_time_scale(std::numeric_limits<double>::infinity()) == hsm::result::refused);
        CHECK(m.agent.time_scale() == 0.5);
    }
    SUBCASE("zero is one") {
        CHECK(m.agent.set_time_scale(0) == hsm::result::taken);
        m.tick(1s);
        CHECK(m.agent.now() == hsm::time_span(1s));
    }
}

TEST_CASE("very long times saturate; at the maximum time a fired transition does not fire again") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B"))).after(hsm::time_span::from_nanoseconds(std::numeric_limits<std::int64_t>::max()));
    a.when([](const recorder&) { return true; }).after(1s).then(tracing("once"));
    started m(std::move(root));
    m.agent.set_time_scale(1e300);
    CHECK(m.tick(1s) == "U A, once");
    CHECK(m.agent.now().nanoseconds() == std::numeric_limits<std::int64_t>::max());
    CHECK(m.tick(1s) == "U A");
}

TEST_CASE("while a state is being entered, its timers do not run") {
    auto root = root_of();
    static hsm::instance<recorder>* running = nullptr;
    auto& a = root->add("A").on_enter([](recorder& r) { r.note(to_string(running->can(event<1>{}).outcome)); });
    a.to(root->add("B")).on<event<1>>().after(1s);
    a.to(a).on<event<2>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    running = &agent;
    agent.start();
    agent.tick(2s);
    agent.process(event<2>{});
    CHECK(r.take() == "guarded, guarded");
    CHECK(agent.can(event<1>{}).outcome == hsm::result::guarded);
}

namespace {
/// a -> b -> a, after 100 ms each.
auto blinking(bool all) {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto there = a.to(b).after(100ms), back = b.to(a).after(100ms);
    there.then(tracing("on"));
    back.then(tracing("off"));
    if (!all) there.carry_over(), back.carry_over();
    return root;
}
} // namespace

TEST_CASE("carry_over: all due changes happen, however long ticks are") {
    for (const bool all : {false, true})
        for (const auto dt : {16ms, 33ms, 1000ms, 7ms}) {
            CAPTURE(dt.count());
            const auto chart = hsm::compile(blinking(all), {.carry_over = all});
            recorder r;
            hsm::instance agent{chart, r};
            agent.start();
            int changes = 0;
            for (auto passed = 0ms; passed < 60s; passed += dt) {
                agent.tick(dt);
                for (const auto trace = r.take(); const char c : trace) changes += c == 'o';
            }
            const auto end = (60000 + dt.count() - 1) / dt.count() * dt.count();
            CHECK(changes == end / 100);
            CHECK(agent.time_in_state() == std::chrono::milliseconds(end % 100));
        }
}

TEST_CASE("carry_over: in hooks the clock shows the due time; updates run once, afterwards") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    const auto when = [](recorder& r, hsm::step<recorder>&) { r.note("at"); };
    a.to(b).after(100ms).then(when);
    b.to(c).after(50ms).then(when);
    for (auto* s : {&a, &b, &c}) traced(*s);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.tick(170ms);
    CHECK(r.take() == "X A, at, E B, X B, at, E C, U C");
    CHECK(agent.now() == 170ms);
    CHECK(agent.time_in_state() == 20ms);
}

TEST_CASE("carry_over: a guard that refuses ends the sequence") {
    struct gate : recorder {
        bool open = false;
    };
    auto root = hsm::make_fsm<gate>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(100ms).when([](const gate& g) { return g.open; });
    b.to(a).after(100ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    gate g;
    hsm::instance agent{chart, g};
    agent.start();
    agent.tick(150ms);
    g.open = true;
    agent.tick(30ms);
    CHECK(agent.is_in("B"));
    CHECK(agent.time_in_state() == 0ms);
    agent.tick(250ms); // B from 180 to 280, A from there to 380, then B
    CHECK(agent.is_in("B"));
    CHECK(agent.time_in_state() == 50ms);
}

TEST_CASE("carry_over: a state that holds ends the sequence, and a least duration counts from the due time") {
    auto root = root_of();
    auto& a = root->add("A").min_duration(150ms);
    auto& b = root->add("B").min_duration(60ms);
    a.to(b).after(100ms);
    b.to(a).after(60ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick(160ms); // it holds at 100, but not at the end
    CHECK(agent.is_in("B"));
    CHECK(agent.time_in_state() == 0ms);
    agent.tick(80ms);
    CHECK(agent.is_in("A"));
    CHECK(agent.time_in_state() == 20ms);
}

TEST_CASE("carry_over: the transition that is due first fires first; at the same time, decision order applies") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        auto root = root_of();
        auto& m = root->add_fsm("M");
        auto& x = m.add("X");
        auto& y = m.add("Y");
        auto& n = root->add("N");
        x.to(y).after(50ms).then(tracing("x"));
        y.to(x).after(50ms).then(tracing("y"));
        m.to(n).after(200ms).then(tracing("m"));
        const auto chart = hsm::compile(std::move(root), {.order = order, .carry_over = true});
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        agent.tick(1s);
        CHECK(r.take() == (order == hsm::decision_order::superstate_first ? "x, y, x, m" : "x, y, x, y, m"));
    }
}

TEST_CASE("carry_over: regions fire in the order of time, and at the same time in the order of definition") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    const auto add = [&](const char* region, const char* first, const char* second, auto time) {
        auto& r = p.add_fsm(region);
        auto& a = r.add(first);
        auto& b = r.add(second);
        a.to(b).after(time).then(tracing(second));
        b.to(a).after(time).then(tracing(first));
    };
    add("r1", "a", "b", 30ms);
    add("r2", "x", "y", 50ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick(160ms);
    CHECK(r.take() == "b, y, a, b, x, a, b, y");
    CHECK(agent.time_in_state("b") == 10ms);
    CHECK(agent.time_in_state("y") == 10ms);
}

TEST_CASE("carry_over works with pause, a time scale, update and decide") {
    const auto chart = hsm::compile(blinking(true), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.pause();
    agent.tick(1s);
    agent.resume();
    CHECK(r.take().empty());
    agent.set_time_scale(0.5);
    agent.tick(500ms); // 250
    CHECK(r.take() == "on, off");
    agent.set_time_scale(1);
    agent.update(70ms); // 320: due at 300
    CHECK(r.take().empty());
    agent.decide();
    CHECK(r.take() == "on");
    agent.tick(100ms); // from 320, not from 300
    CHECK(r.take() == "off");
    CHECK(agent.time_in_state() == 0ms);
}

TEST_CASE("carry_over: transitions with a delay of zero fire once at one time") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(10ms).then(tracing("a"));
    b.to(a).after(0ms).then(tracing("b"));
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick(35ms);
    CHECK(r.take() == "a, b, a, b, a, b");
    CHECK(agent.time_in_state() == 5ms);
}

TEST_CASE("carry_over: an exception ends the sequence, and the clock is at the end of the tick") {
    struct mine : recorder {
        int left = 2;
    };
    auto root = hsm::make_fsm<mine>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(100ms).then([](mine& m) {
        if (--m.left == 0) throw std::runtime_error("no");
    });
    b.to(a).after(100ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    mine m;
    hsm::instance agent{chart, m};
    agent.start();
    CHECK_THROWS_AS(agent.tick(450ms), std::runtime_error);
    CHECK(agent.now() == 450ms);
}

TEST_CASE("carry_over: states entered before an exception count from their entry time") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& m = root->add_fsm("M");
    m.add("X").on_enter([](recorder&) { throw std::runtime_error("no"); });
    a.to(m).after(100ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK_THROWS_AS(agent.tick(150ms), std::runtime_error);
    CHECK(agent.is_in("M"));
    CHECK(agent.time_in_state("M") == 50ms);
}

TEST_CASE("restart_timer starts the timer again with its whole time, which a function computes again") {
    auto root = hsm::make_fsm<archer>("R");
    auto& a = root->add("A");
    const auto shot = a.to(root->add("B")).after(&archer::draw_time);
    started_with<archer> m(std::move(root));
    m.tick(200ms);
    CHECK(m.agent.restart_timer(shot) == hsm::result::taken);
    CHECK(m.agent.time_left(shot) == hsm::time_span(300ms));
    m.r.tired = true;
    CHECK(m.agent.restart_timer(shot) == hsm::result::taken);
    m.tick(599ms);
    CHECK(m.path() == "R/A");
    m.tick(1ms);
    CHECK(m.path() == "R/B");
}

TEST_CASE("set_time_left makes a timer due after that time, and at once for a negative time") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    const auto timed = a.to(traced(root->add("B"))).after(1s);
    started m(std::move(root));
    CHECK(m.agent.set_time_left(timed, 5s) == hsm::result::taken);
    CHECK(m.tick(4999ms) == "U A");
    CHECK(m.agent.time_left(timed) == hsm::time_span(1ms));
    SUBCASE("it is due") { CHECK(m.tick(1ms) == "X A, E B, U B"); }
    SUBCASE("a negative time counts as zero") {
        m.agent.set_time_left(timed, -1s);
        CHECK(m.agent.time_left(timed) == hsm::time_span(0s));
        CHECK(m.r.take().empty()); // the call fires nothing
        CHECK(m.tick() == "X A, E B, U B");
    }
    SUBCASE("a time beyond the range of the clock never comes") {
        m.agent.set_time_left(timed, hsm::time_span::from_nanoseconds(std::numeric_limits<std::int64_t>::max()));
        CHECK_FALSE(m.agent.time_left(timed));
        CHECK(m.tick(100s) == "U A");
    }
}

TEST_CASE("a canceled timer fires nothing until it is started again") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    const auto polled = a.to(b).after(1s);
    const auto event_delay = a.to(b).on<event<1>>().after(1s);
    a.to(a).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.cancel_timer(polled) == hsm::result::taken);
    CHECK(m.agent.cancel_timer(event_delay) == hsm::result::taken);
    CHECK_FALSE(m.agent.time_left(polled));
    CHECK(m.tick(10s) == "U A");
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    SUBCASE("by restart_timer") { m.agent.restart_timer(polled); }
    SUBCASE("by set_time_left") { m.agent.set_time_left(polled, 1s); }
    SUBCASE("by an entry of its source") { CHECK(m.process(event<2>{}) == "X A, E A"); }
    CHECK(m.tick(999ms) == "U A");
    CHECK(m.tick(1ms) == "X A, E B, U B");
}

TEST_CASE("a polled transition whose time is used up fires again after restart_timer") {
    auto root = root_of();
    auto& a = root->add("A");
    const auto once = a.when([](const recorder&) { return true; }).after(1s).then(tracing("once"));
    started m(std::move(root));
    CHECK(m.tick(1s) == "once");
    CHECK(m.tick(5s).empty());
    m.agent.restart_timer(once);
    CHECK(m.tick(999ms).empty());
    CHECK(m.tick(1ms) == "once");
}

TEST_CASE("set_time_left moves the next time of an every, whose period stays; a reaction can cancel itself") {
    auto root = root_of();
    auto& a = root->add("A");
    const auto beat = a.every(100ms).label("beat").then([](recorder& r, hsm::step<recorder>& s) {
        r.note("beat");
        if (r.go) r.note(to_string(s.cancel_timer("beat")));
    });
    started m(std::move(root));
    m.agent.set_time_left(beat, 30ms);
    CHECK(m.tick(29ms).empty());
    CHECK(m.tick(1ms) == "beat");
    CHECK(m.tick(99ms).empty());
    m.r.go = true;
    CHECK(m.tick(1ms) == "beat, taken");
    CHECK(m.tick(10s).empty());
    m.agent.restart_timer(beat);
    CHECK(m.agent.time_left(beat) == hsm::time_span(100ms));
}

TEST_CASE("calls change only timers whose source is active") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    const auto first = a.to(b).after(1s), second = b.to(a).after(1s);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.restart_timer(first) == hsm::result::inactive);
    agent.start();
    CHECK(agent.set_time_left(second, 0s) == hsm::result::unhandled);
    agent.tick(1s);
    CHECK(agent.time_left(second) == hsm::time_span(1s)); // it starts with the entry
    CHECK(agent.cancel_timer(first) == hsm::result::unhandled);
}

TEST_CASE("a label names the timers of all transitions that have it; time_left is the shortest") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& x = p.add("X");
    auto& y = p.add("Y");
    x.every(300ms).then(tracing("x")).label("pulse");
    y.every(200ms).then(tracing("y")).label("pulse");
    root->add("Z").every(1ms).then(tracing("z")).label("pulse");
    started m(std::move(root));
    CHECK(m.agent.time_left("pulse") == hsm::time_span(200ms));
    CHECK(m.agent.set_time_left("pulse", 50ms) == hsm::result::taken);
    CHECK(m.tick(50ms) == "x, y");
    CHECK(m.tick(199ms).empty());
    CHECK(m.tick(1ms) == "y");
    m.agent.cancel_timer("pulse");
    CHECK_FALSE(m.agent.time_left("pulse"));
    CHECK(m.tick(1s).empty());
}

TEST_CASE("an unknown label, and a transition without a timer, are errors") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(1s).label("cooldown");
    const auto untimed = a.to(b).on<event<1>>().label("untimed");
    started m(std::move(root));
    CHECK_THROWS_AS(m.agent.restart_timer("coldown"), hsm::state_error);
    CHECK_THROWS_AS(m.agent.cancel_timer("untimed"), hsm::state_error);
    CHECK_THROWS_AS((void)m.agent.time_left("untimed"), hsm::state_error);
    CHECK_THROWS_AS((void)m.agent.time_left(""), hsm::state_error);
    CHECK_THROWS_AS(m.agent.set_time_left(untimed, 1s), hsm::state_error);
    CHECK_FALSE(m.agent.time_left(untimed));
}

TEST_CASE("hooks change timers by their step, also during a transition; a state's own timers start after its enter hooks") {
    auto root = root_of();
    auto& outer = root->add_fsm("M");
    outer.to(root->add("end")).after(1s).label("bell");
    auto& a = traced(outer.add("A"));
    auto& b = outer.add("B");
    a.to(b).on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        s.set_time_left("bell", 250ms);
        r.note(std::to_string(s.time_left("bell")->nanoseconds()));
    });
    b.on_enter([](recorder& r, hsm::step<recorder>& s) {
        r.note(to_string(s.set_time_left("own", 1ms)));
        r.note(to_string(s.restart_timer("bell")));
    });
    b.to(a).after(300ms).label("own");
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X A, 250000000, taken, taken");
    CHECK(m.agent.time_left("own") == hsm::time_span(300ms));
    CHECK(m.agent.time_left("bell") == hsm::time_span(1s));
}

TEST_CASE("guards, and functions that compute a time for restart_timer, cannot change timers") {
    static hsm::instance<recorder>* running = nullptr;
    auto root = root_of();
    auto& a = root->add("A");
    const auto answer = [](const recorder& r) { const_cast<recorder&>(r).note(to_string(running->cancel_timer("bell"))); };
    auto& b = root->add("B");
    a.to(b).label("bell").after([answer](const recorder& r) { return running ? answer(r) : void(), 1s; });
    a.to(b).on<event<1>>().when([answer](const recorder& r) { return answer(r), false; });
    started m(std::move(root));
    running = &m.agent;
    CHECK(m.process(event<1>{}) == "busy");
    CHECK(m.agent.restart_timer("bell") == hsm::result::taken);
    CHECK(m.r.take() == "busy");
    CHECK(m.agent.time_left("bell") == hsm::time_span(1s));
    running = nullptr;
}

TEST_CASE("if the computation of a time throws, restart_timer changes nothing") {
    auto root = hsm::make_fsm<archer>("R");
    auto& a = root->add("A").local<bow>(0.5f);
    const auto shot = a.to(root->add("B")).after([](const bow& b, const archer& r) {
        if (r.tired) throw std::runtime_error("tired");
        return b.seconds;
    });
    started_with<archer> m(std::move(root));
    m.tick(200ms);
    m.r.tired = true;
    CHECK_THROWS_AS(m.agent.restart_timer(shot), std::runtime_error);
    CHECK(m.agent.time_left(shot) == hsm::time_span(300ms));
    m.r.tired = false;
    m.agent.restart_timer(shot);
    CHECK(m.agent.time_left(shot) == hsm::time_span(500ms));
}

TEST_CASE("carry_over: a hook moves the moment of another transition within the tick") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    auto& x = p.add_fsm("X");
    auto& y = p.add_fsm("Y");
    auto& x1 = x.add("x1");
    x1.to(x.add("x2")).after(10ms).then([](recorder& r, hsm::step<recorder>& s) {
        r.note("x at 10");
        s.set_time_left("y", 5ms);
    });
    auto& y2 = y.add("y2");
    y.add("y1").to(y2).after(1s).label("y").then(tracing("y"));
    y.initial("y1");
    y2.to(y.add("y3")).after(80ms).then(tracing("y3"));
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick(95ms); // 10 + 5 + 80
    CHECK(r.take() == "x at 10, y, y3");
}

TEST_CASE("calls about timers take the timer of a view") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).after(500ms).label("later");
    a.min_duration(100ms);
    started m(std::move(root));
    const auto timers = m.chart.view().timers();
    REQUIRE(timers.size() == 2);
    CHECK(m.agent.time_left(m.chart.view().transition(0).timer()) == hsm::time_span(500ms));
    CHECK(m.agent.set_time_left(m.chart.view().transition(0).timer(), 200ms) == hsm::result::taken);
    CHECK(m.agent.time_left("later") == hsm::time_span(200ms));
    CHECK_THROWS_AS(m.agent.time_left(m.chart.view().state(1).least_duration()), hsm::state_error);
}
