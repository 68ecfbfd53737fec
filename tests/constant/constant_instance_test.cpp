// The cases of docs/reference/semantics.md that constant charts support, run on both kinds of charts from one definition.

#include <tests/constant/same_text.hpp>

#include <csignal>
#include <cstdio>
#include <functional>
#include <string>

#if __has_include(<sys/wait.h>)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define HSM_TEST_PROCESSES
#endif

using namespace test;

namespace {

constexpr auto t1 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    a.to(add<"B">(root));
});
constexpr auto t2 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add<"B">(root);
    a.to(b);
    b.to(add<"C">(root));
});
constexpr auto t3 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add<"b">(root).transient();
    auto& c = add<"c">(root).transient();
    auto& d = add<"D">(root);
    a.to(b);
    b.to(c);
    c.to(d);
});
constexpr auto t4 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    a.to(add<"B">(root)).then(notes<"action">);
});
constexpr auto t9 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add_machine<"A">(root);
    add<"X">(a);
    a.to(add<"B">(root));
});
constexpr auto t14 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& h = add_machine<"H">(root);
    add<"A">(h);
    h.to(add<"out">(root)).on(key::A);
});
constexpr auto t18 = hsm::constant_chart<trace_context>([](auto& root) { root.to(add<"A">(root)); });
constexpr auto t18_reenter = hsm::constant_chart<trace_context>([](auto& root) { root.to(add<"A">(root)).reenter(); });
constexpr auto t19 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add<"B">(root);
    auto& c = add<"C">(root);
    a.to(b).then([](trace_context& w) {
        w.note("action");
        w.self->process(0);
    });
    b.to(c).on(key::A);
});
constexpr auto t20 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("A");
    auto& b = root.add("b").transient();
    auto& c = root.add("c").transient();
    auto& out = root.add("out");
    a.to(b);
    b.to(c);
    c.to(b);
    b.to(out).on(key::A);
    c.to(out).on(key::A);
});
constexpr auto t37 = [](auto& root) {
    auto& a = add<"A">(root);
    auto& m = add_machine<"M">(root).transient();
    auto& t = add<"t">(m).transient();
    auto& x = add<"x">(m);
    auto& b = add<"B">(root);
    a.to(m).on(key::A);
    t.to(x);
    m.to(b);
};
constexpr auto t37_outer = hsm::constant_chart<trace_context>(t37);
constexpr auto t37_inner = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>(t37);
constexpr auto asked_again = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& m = add_machine<"M">(root).transient();
    auto& t = add<"t">(m).transient();
    auto& x = add<"x">(m);
    auto& b = add<"B">(root);
    a.to(m).on(key::A);
    t.to(x).then([](trace_context& w) { w.go = true; });
    m.to(b).when(&trace_context::go);
});
constexpr auto stayed_inside = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& m = add_machine<"M">(root).transient();
    auto& t = add<"t">(m);
    auto& x = add<"x">(m);
    auto& b = add<"B">(root);
    a.to(m).on(key::A);
    m.to(x).then([](trace_context& w) { w.go = true; });
    m.to(b).when(&trace_context::go).priority(1);
    t.on(key::B);
});
constexpr auto t21 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add_machine<"B">(root);
    auto& x = add<"x">(b);
    auto& y = add<"y">(b);
    a.to(b);
    x.to(y);
});
constexpr auto t22 = hsm::constant_chart<trace_context>([](auto& root) {
    add<"idle">(root);
    auto& dead = add<"dead">(root);
    auto& hurt = add<"hurt">(root);
    root.to(hurt).when(&trace_context::go).priority(1);
    root.to(dead).when(&trace_context::ready).priority(9);
});
constexpr auto t23 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& m = add_machine<"M">(root).on_enter([](trace_context& w) { w.ready = true; });
    auto& first = add<"a">(m);
    auto& b = add<"b">(m);
    m.dispatch(b).when(&trace_context::ready);
    m.dispatch(first);
    a.to(m);
});
template <int Count>
constexpr auto stops_at = [](trace_context& w) {
    if (w.count == Count) w.self->stop();
};
constexpr auto stops = hsm::constant_chart<trace_context>([](auto& root) {
    auto& m = add_machine<"M">(root).on_update(stops_at<1>);
    auto& a = add<"A">(m);
    m.on_update(notes<"later hook">);
    m.when([](const trace_context&) { return true; }).then(stops_at<2>).then(notes<"first">);
    m.when([](const trace_context& w) { return w.count == 2 || w.count == 3; }).then(notes<"second">);
    m.when([](const trace_context& w) { return w.count != 4; }).then(stops_at<3>);
    a.when([](const trace_context& w) { return w.count == 4; }).then(stops_at<4>);
    a.when([](const trace_context&) { return true; }).then(notes<"A reacts">);
});
constexpr auto t24 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add<"B">(root);
    auto& c = add<"C">(root);
    root.on_update([](trace_context& w) {
        w.note("U R");
        w.self->process(0);
    });
    a.to(b).on(key::A);
    a.to(c);
});
constexpr auto t25 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& b = add<"B">(root).on_enter([](trace_context& w) { w.self->stop(); });
    a.to(b);
});
// T11, with final states: a machine exits in the tick in which it finishes.
constexpr auto t11 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add_machine<"A">(root);
    auto& x = add<"X">(a);
    auto& y = a.add_final("y").on_enter(notes<"E y">).on_exit(notes<"X y">);
    auto& b = add<"B">(root);
    x.to(y);
    a.to(b).on_finished();
});
// T12
constexpr auto t12 = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add_machine<"A">(root);
    auto& b = add_machine<"B">(a);
    auto& c = add_machine<"C">(b);
    auto& d = add<"D">(c);
    auto& d_end = c.add_final("d").on_enter(notes<"E d">).on_exit(notes<"X d">);
    auto& c_end = b.add_final("c").on_enter(notes<"E c">).on_exit(notes<"X c">);
    auto& b_end = a.add_final("b").on_enter(notes<"E b">).on_exit(notes<"X b">);
    auto& z = add<"Z">(root);
    d.to(d_end);
    c.to(c_end).on_finished();
    b.to(b_end).on_finished();
    a.to(z).on_finished();
});
constexpr auto root_ends = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"A">(root);
    auto& end = root.add_final("end").on_enter(notes<"E end">).on_exit(notes<"X end">);
    a.to(end).on(key::A);
    root.on(key::B).then(notes<"B">);
});

} // namespace

TEST_CASE("T1: a tick takes one polled transition and updates the new state") {
    same_text<t1> m;
    CHECK(m.start() == "E A");
    CHECK(m.tick() == "X A, E B, U B");
    CHECK(m.tick() == "U B");
    CHECK(m.stop() == "X B");
    CHECK(m.stop() == "");
    CHECK(m.last() == hsm::result::inactive);
    CHECK(m.start() == "E A");
    CHECK(m.start() == "");
    CHECK(m.last() == hsm::result::busy);
}

TEST_CASE("T2: a tick takes one transition per level") {
    same_text<t2> m;
    m.start();
    CHECK(m.tick() == "X A, E B, U B");
    CHECK(m.tick() == "X B, E C, U C");
}

TEST_CASE("T3: a tick passes through transient states") {
    same_text<t3> m;
    m.start();
    CHECK(m.tick() == "X A, E b, X b, E c, X c, E D, U D");
}

TEST_CASE("T37: all active transient states are tried until none fires") {
    same_text<t37_outer> outer;
    outer.start();
    CHECK(outer.process(key::A) == "X A, E M, E t, X t, X M, E B");
    same_text<t37_inner> inner;
    inner.start();
    CHECK(inner.process(key::A) == "X A, E M, E t, X t, E x, X x, X M, E B");
}

TEST_CASE("a transient machine that refused is tried again after another transition; one whose own transition stayed inside it is not") {
    same_text<asked_again> refused;
    refused.start();
    CHECK(refused.process(key::A) == "X A, E M, E t, X t, E x, X x, X M, E B");
    same_text<stayed_inside> stayed;
    stayed.start();
    CHECK(stayed.process(key::A) == "X A, E M, E t, X t, E x");
}

TEST_CASE("T4: an action runs between exit and entry") {
    same_text<t4> m;
    m.start();
    CHECK(m.tick() == "X A, action, E B, U B");
}

TEST_CASE("T9: the substate of a machine exits before the machine") {
    same_text<t9> m;
    CHECK(m.start() == "E A, E X");
    CHECK(m.tick() == "X X, X A, E B, U B");
}

TEST_CASE("T11, T12: a final state causes all completion transitions in the same tick") {
    same_text<t11> one;
    one.start();
    CHECK(one.tick() == "U A, X X, E y, X y, X A, E B");
    same_text<t12> nested;
    nested.start();
    CHECK(nested.tick() == "U A, U B, U C, X D, E d, X d, X C, E c, X c, X B, E b, X b, X A, E Z");
}

TEST_CASE("T14: a machine runs its own hooks") {
    same_text<t14> m;
    CHECK(m.start() == "E H, E A");
    CHECK(m.tick() == "U H, U A");
    CHECK(m.process(key::A) == "X A, X H, E out");
}

TEST_CASE("T18: a transition to an own substate is satisfied while the substate is active, unless it reenters") {
    same_text<t18> m;
    m.start();
    CHECK(m.tick() == "U A");
    same_text<t18_reenter> again;
    again.start();
    CHECK(again.tick() == "X A, E A, U A");
    CHECK(again.tick() == "X A, E A, U A");
}

TEST_CASE("T19: an event from an action waits until the transition is complete") {
    same_text<t19, hsm::queue<4>> m;
    m.start();
    CHECK(m.tick() == "X A, action, E B, X B, E C, U C");
}

TEST_CASE("T20: an endless chain leaves the machine in a state of the cycle, where it takes further events") {
    same_text<t20> m;
    m.start();
    m.tick();
    CHECK((m.path() == "root/b" || m.path() == "root/c"));
    m.tick();
    CHECK((m.path() == "root/b" || m.path() == "root/c"));
    m.process(key::A);
    CHECK(m.path() == "root/out");
    CHECK(m.last() == hsm::result::taken);
}

TEST_CASE("T21: the levels of a tick each take one transition") {
    same_text<t21> m;
    m.start();
    CHECK(m.tick() == "X A, E B, E x, U B, X x, E y, U y");
}

TEST_CASE("T22: the transition with the higher priority fires, and bars the lower one while satisfied") {
    same_text<t22> m;
    m.start();
    m.set(&trace_context::go);
    m.set(&trace_context::ready);
    CHECK(m.tick() == "X idle, E dead, U dead");
    CHECK(m.tick() == "U dead");
    CHECK(m.tick() == "U dead");
}

TEST_CASE("T23: the enter hook of a machine runs before its entry choice") {
    same_text<t23> m;
    m.start();
    CHECK(m.tick() == "X A, E M, E b, U M, U b");
}

TEST_CASE("stop() in an update hook or a reaction ends the later reactions of a constant chart") {
    const auto play = [](auto& m, int count) {
        m.start();
        m.set_count(count);
        return m.tick();
    };
    same_text<stops, hsm::queue<1>> m;
    CHECK(play(m, 0) == "U M, later hook, first, U A, A reacts");
    m.stop();
    CHECK(play(m, 1) == "U M, later hook, X A, X M");
    CHECK(play(m, 2) == "U M, later hook, first, X A, X M");
    CHECK(play(m, 3) == "U M, later hook, first, second, X A, X M");
    CHECK(play(m, 4) == "U M, later hook, first, U A, X A, X M");
}

TEST_CASE("T24: an event from an update is handled before the transitions of that level") {
    same_text<t24, hsm::queue<4>> m;
    m.start();
    CHECK(m.tick() == "U R, X A, E B, U B");
}

TEST_CASE("T25: a stop in a hook waits until the transition is complete") {
    same_text<t25, hsm::queue<1>> m;
    m.start();
    CHECK(m.tick() == "X A, E B, X B");
    CHECK(m.path() == "");
}

namespace {

/// So many leaves that a table selects the tick.
constexpr auto many_leaves = hsm::constant_chart<trace_context>([](auto& root) {
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (std::size_t i = 0; i < 130; ++i) {
        const char name[] = {digits[i / 10], digits[i % 10]};
        root.add({name, 2});
    }
    root.on_update(notes<"U root">);
});
constexpr auto polled_in_regions = hsm::constant_chart<trace_context>([](auto& root) {
    auto& both = root.add_parallel("both");
    for (const auto name : {"one", "other"}) {
        auto& region = both.add_fsm(name);
        auto& a = add<"A">(region);
        a.to(add<"B">(region));
    }
});

template <auto Chart, class Queue = hsm::queue<0>> void ticks_when_not_started() {
    trace_context context;
    hsm::constant_instance<Chart, Queue> agent(context);
    for (const bool stopped : {false, true}) {
        if (stopped) agent.start(), agent.stop();
        context.trace.clear();
        CHECK(agent.tick() == hsm::result::inactive);
        CHECK(agent.tick(hsm::time_span::from_seconds(-1)) == hsm::result::inactive);
        CHECK(agent.decide() == hsm::result::inactive);
        CHECK(agent.update(hsm::time_span::from_seconds(1)) == hsm::result::inactive);
        CHECK(context.take() == "");
    }
    agent.start();
    CHECK(agent.tick(hsm::time_span::from_seconds(-1)) == hsm::result::refused);
}

} // namespace

TEST_CASE("a tick of an instance that is not started returns inactive, even if the time is negative") {
    ticks_when_not_started<t1>();
    ticks_when_not_started<t25, hsm::queue<1, 1>>();
    ticks_when_not_started<many_leaves>();
    ticks_when_not_started<polled_in_regions>();
}

namespace {

constexpr auto lives = hsm::constant_chart<trace_context>([](auto& root) {
    root.on_init(notes<"I root">).on_destroy(notes<"D root">);
    auto& p = root.add_parallel("p").on_init(notes<"I p">).on_destroy([](trace_context& w) { w.note("D p"); });
    add<"A">(p.add_fsm("m").on_destroy(notes<"D m">).tag("t")).on_init(notes<"I A">).on_init(notes<"I A again">);
    p.add("other").on_destroy(notes<"D other">);
});

} // namespace

TEST_CASE("on_init of a constant chart runs before the first start, and on_destroy at destroy") {
    same_text<lives> m;
    const auto destroy = [](auto& agent) {
        const auto outcome = agent.destroy();
        CHECK(agent.process(key::A) == hsm::result::inactive);
        return outcome;
    };
    CHECK(m.both(destroy) == "");
    CHECK(m.last() == hsm::result::inactive);
    CHECK(m.start() == "I root, I p, I A, I A again, E A");
    CHECK(m.stop() == "X A");
    CHECK(m.start() == "E A");
    CHECK(m.tick() == "U A");
    CHECK(m.both(destroy) == "X A, D other, D m, D p, D root");
    CHECK(m.last() == hsm::result::taken);
    CHECK(m.both(destroy) == "");
    CHECK(m.start() == "I root, I p, I A, I A again, E A");
    CHECK(m.stop() == "X A");
    CHECK(m.both(destroy) == "D other, D m, D p, D root");
}

namespace {

/// Each hook reports that it runs.
struct caller {
    std::string out;
    std::function<void(const char*)> in_hook;
    void at(const char* hook) {
        out.append(hook) += ' ';
        in_hook(hook);
    }
};

constexpr auto calling = hsm::constant_chart<caller>([](auto& root) {
    root.on_init([](caller& c) { c.at("Iroot"); }).on_destroy([](caller& c) { c.at("Droot"); });
    auto& a = root.add("a").on_init([](caller& c) { c.at("Ia"); }).on_enter([](caller& c) { c.at("Ea"); });
    a.on_exit([](caller& c) { c.at("Xa"); }).on_destroy([](caller& c) { c.at("Da"); });
    auto& b = root.add("b").on_enter([](caller& c) { c.at("Eb"); }).on_exit([](caller& c) { c.at("Xb"); });
    a.to(b).template on<key::A>();
});

/// Plays a life in which the hook makes a call of its own instance.
template <class Agent, class Call> std::string life(Agent& agent, caller& c, const std::string& in, Call call) {
    c.in_hook = [&](const char* hook) {
        if (hook == in) c.out.append("(").append(hsm::to_string(call(agent))) += ") ";
    };
    agent.start();
    agent.process(key::A);
    agent.destroy();
    c.in_hook = [](const char*) {};
    agent.start();
    agent.destroy();
    return c.out;
}

} // namespace

TEST_CASE("calls in hooks, also of on_init and on_destroy, have the same results as in an ordinary chart") {
    const auto twin = hsm::compile(hsm::definition_of(calling));
    for (const char* in : {"Iroot", "Ia", "Ea", "Xa", "Eb", "Xb", "Da", "Droot"}) {
        const auto compare = [&](auto call) {
            caller ours, theirs;
            hsm::constant_instance<calling, hsm::queue<3, 3>> constant(ours);
            hsm::instance ordinary{twin, theirs};
            CHECK(life(constant, ours, in, call) == life(ordinary, theirs, in, call));
        };
        CAPTURE(in);
        compare([](auto& agent) { return agent.start(); });
        compare([](auto& agent) { return agent.stop(); });
        compare([](auto& agent) { return agent.process(key::A); });
        compare([](auto& agent) { return agent.post(key::A); });
        compare([](auto& agent) { return agent.tick(); });
        compare([](auto& agent) { return agent.drain(); });
        compare([](auto& agent) { return agent.destroy(); });
    }
}

TEST_CASE("a finished root handles no events and no ticks") {
    same_text<root_ends> m;
    m.start();
    CHECK(m.process(key::B) == "B");
    CHECK(m.last() == hsm::result::internal);
    CHECK(m.process(key::A) == "X A, E end");
    CHECK(m.constant_agent().finished());
    CHECK(m.process(key::B) == "");
    CHECK(m.last() == hsm::result::inactive);
    CHECK(m.tick() == "");
    CHECK(m.stop() == "X end");
    CHECK_FALSE(m.constant_agent().finished());
}

namespace {

enum class apart { low = -1'000'000, zero = 0, high = 1'000'000 };

/// Too many leaves for a test of each one; columns from C to E, and of two values that are far apart.
constexpr auto some_events = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    auto& c = add<"c">(root);
    auto& d = add<"d">(root);
    auto& e = add<"e">(root);
    a.to(b).on(key::C).then([](trace_context& w) { w.note(std::to_string(static_cast<int>(w.self->process(w.count)))); });
    b.to(c).on(key::E);
    c.to(d).on(apart::low);
    d.to(e).on(apart::high);
});

template <class Queue> struct some_player : player {
    explicit some_player(trace_context& w) : agent(w) { w.self = this; }
    hsm::result process(int event) override { return agent.process(static_cast<key>(event)); }
    hsm::result stop() override { return agent.stop(); }
    hsm::constant_instance<some_events, Queue> agent;
};

} // namespace

TEST_CASE("an enumerator that no transition waits for is unhandled, whatever its value") {
    trace_context w;
    hsm::constant_instance<some_events> agent(w);
    const auto far = static_cast<key>(2'000'000'000), below = static_cast<key>(-2'000'000'000);
    CHECK(agent.process(far) == hsm::result::inactive);
    agent.start();
    for (const auto k : {key::A, key::B, key::D, key::F, key::I, far, below}) CHECK(agent.process(k) == hsm::result::unhandled);
    for (const auto k : {apart::low, apart::zero, apart::high, static_cast<apart>(1)}) CHECK(agent.process(k) == hsm::result::unhandled);
    CHECK(agent.current().name() == "a");
    CHECK(w.take() == "E a");
}

TEST_CASE("an enumerator that no transition waits for is not queued in a hook") {
    for (const int value : {0, 1, 5, 8, 2'000'000'000, -2'000'000'000}) {
        CAPTURE(value);
        trace_context w;
        some_player<hsm::queue<1>> p(w);
        w.count = value;
        p.agent.start();
        w.take();
        CHECK(p.agent.process(key::C) == hsm::result::taken);
        CHECK(w.take() == "X a, " + std::to_string(static_cast<int>(hsm::result::unhandled)) + ", E b");
        w.count = static_cast<int>(key::E); // a transition waits for this one
        p.agent.stop();
        p.agent.start();
        w.take();
        CHECK(p.agent.process(key::C) == hsm::result::taken);
        CHECK(w.take() == "X a, " + std::to_string(static_cast<int>(hsm::result::queued)) + ", E b, X b, E c");
    }
}

#if !defined(NDEBUG) && defined(HSM_TEST_PROCESSES)
namespace {

constexpr auto calls_itself = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b").on_enter([](trace_context& w) {
        if (w.go) w.self->process(static_cast<int>(key::A));
        if (w.ready) w.self->stop();
    });
    a.to(b).on(key::A);
});
struct itself : player {
    explicit itself(trace_context& w) : agent(w) { w.self = this; }
    hsm::result process(int event) override { return agent.process(static_cast<key>(event)); }
    hsm::result stop() override { return agent.stop(); }
    hsm::constant_instance<calls_itself> agent;
};

/// The signal that ends a process that runs this case, or 0 if the process exits normally.
int ends_with(bool trace_context::*what) {
    const auto child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        if (!std::freopen("/dev/null", "w", stderr)) _exit(2);
        trace_context w;
        itself one(w);
        w.*what = true;
        one.agent.start();
        one.agent.process(key::A);
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

TEST_CASE("without a queue, a debug build aborts in a hook that calls its own instance") {
    CHECK(ends_with(&trace_context::go) == SIGABRT);
    CHECK(ends_with(&trace_context::ready) == SIGABRT);
    trace_context quiet;
    itself one(quiet);
    one.agent.start();
    CHECK(one.agent.process(key::A) == hsm::result::taken);
}
#endif
