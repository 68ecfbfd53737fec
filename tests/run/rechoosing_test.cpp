// Machines that choose again while they are active, and candidates that rest after their exit.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;
using namespace test;

namespace {

struct fighter : recorder {
    double scores[3] = {3, 2, 1};
    bool locked = false;
};

/// R{M{a, b, c}}: M chooses the best.
struct arena {
    hsm::owned<hsm::fsm<fighter>> root = hsm::make_fsm<fighter>("R");
    hsm::fsm<fighter>& m = traced_hooks(root->add_fsm("M")).choose(hsm::best);
    hsm::state<fighter>& a = traced(m.add("a"));
    hsm::state<fighter>& b = traced(m.add("b"));
    hsm::state<fighter>& c = traced(m.add("c"));
    hsm::entry_choice<fighter> to_a = add(a, 0), to_b = add(b, 1), to_c = add(c, 2);

    hsm::entry_choice<fighter> add(hsm::state<fighter>& to, int i) {
        return m.dispatch(to).score([i](const fighter& f) { return f.scores[i]; });
    }
    started_with<fighter> start() { return started_with<fighter>(std::move(root)); }
};

void set(fighter& f, double a, double b, double c) { f.scores[0] = a, f.scores[1] = b, f.scores[2] = c; }

} // namespace

TEST_CASE("without rechoose, an active machine keeps its substate") {
    arena x;
    auto m = x.start();
    set(m.r, 1, 2, 3);
    CHECK(m.tick() == "U a");
}

TEST_CASE("rechoose enters another candidate in a tick; the active one is not entered again") {
    arena x;
    x.m.rechoose();
    auto m = x.start();
    CHECK(m.tick() == "U a");
    set(m.r, 1, 2, 3);
    CHECK(m.tick() == "X a, E c, U c");
    CHECK(m.tick() == "U c");
    set(m.r, 0, 0, 0);
    CHECK(m.tick() == "U c");
    set(m.r, 0, 1, 0);
    CHECK(m.update() == "U c");
    CHECK(m.decide() == "X c, E b");
}

TEST_CASE("a rechoice is the one transition of its level in a tick, and waits for states that hold") {
    arena x;
    x.m.rechoose();
    x.a.hold();
    x.a.to(x.b).when([](const fighter& f) { return f.locked; }).force();
    auto m = x.start();
    set(m.r, 1, 2, 3);
    CHECK(m.tick() == "U a");
    m.agent.release();
    CHECK(m.tick() == "X a, E c, U c");
    m.r.locked = true;
    set(m.r, 3, 2, 1);
    CHECK(m.tick() == "X c, E a, U a");
    CHECK(m.tick() == "X a, E b, U b");
}

TEST_CASE("rechoose_every chooses again after each period, counted from the entry of the machine and from the last choice") {
    arena x;
    x.m.rechoose_every(10ms);
    auto m = x.start();
    set(m.r, 1, 2, 3);
    CHECK(m.tick(9ms) == "U a");
    CHECK(m.tick(1ms) == "X a, E c, U c");
    set(m.r, 3, 2, 1);
    CHECK(m.tick(9ms) == "U c");
    CHECK(m.tick(25ms) == "X c, E a, U a"); // late
    set(m.r, 1, 2, 3);
    CHECK(m.tick(9ms) == "U a");
    CHECK(m.tick(1ms) == "X a, E c, U c");
}

TEST_CASE("rechoose_every remains due while a state holds the chosen candidate, and while a score throws") {
    arena x;
    x.m.rechoose_every(10ms);
    x.a.hold();
    x.m.dispatch(x.b).rank(1).score([](const fighter& f) -> double { return f.locked ? throw std::runtime_error("score") : 0; });
    auto m = x.start();
    set(m.r, 1, 2, 3);
    CHECK(m.tick(10ms) == "U a");
    m.agent.release();
    CHECK(m.tick(1ms) == "X a, E c, U c"); // its period begins now
    set(m.r, 1, 3, 2);
    CHECK(m.tick(9ms) == "U c");
    m.r.locked = true;
    CHECK_THROWS_WITH(m.tick(1ms), "score");
    m.r.locked = false;
    m.r.take();
    CHECK(m.tick(0ms) == "X c, E b, U b");
}

TEST_CASE("stay_bonus is added to the score of the active candidate, but not if it is 0, and not when the machine is entered") {
    arena x;
    x.m.rechoose().stay_bonus(1.5);
    x.m.to(x.m).on("again");
    auto m = x.start();
    set(m.r, 2, 3, 1);
    CHECK(m.tick() == "U a");
    set(m.r, 2, 3.5, 1);
    CHECK(m.tick() == "U a"); // equal
    set(m.r, 2, 3.6, 1);
    CHECK(m.tick() == "X a, E b, U b");
    set(m.r, 0.5, 0, 0.25);
    CHECK(m.tick() == "X b, E a, U a");
    set(m.r, 2, 3, 1);
    CHECK(m.process("again") == "X a, X M, E M, E b");
}

TEST_CASE("a candidate with a cooldown is not chosen until the time has passed since its last exit") {
    arena x;
    x.m.rechoose();
    x.to_a.cooldown(10ms);
    auto m = x.start();
    CHECK(m.tick(100ms) == "U a"); // it counts from the exit
    set(m.r, 1, 2, 0);
    CHECK(m.tick(1ms) == "X a, E b, U b");
    set(m.r, 3, 2, 0);
    CHECK(m.tick(9ms) == "U b");
    CHECK(m.tick(1ms) == "X b, E a, U a");
    m.stop();
    CHECK(m.start() == "E M, E b"); // also after a stop
    m.agent.reset();
    CHECK(m.start() == "E M, E a");
}

TEST_CASE("a rechoice by chance is a draw, also if it chooses the active candidate") {
    const auto choices = [](hsm::choosing how, bool again, int count) {
        auto root = root_of();
        auto& m = root->add_fsm("M").choose(how);
        if (again) m.rechoose();
        m.to(m).on("go");
        for (const auto* name : {"a", "b", "c", "d"}) m.dispatch(m.add(name));
        started s(std::move(root));
        std::string all;
        for (int i = 0; i < count; ++i) {
            again ? s.tick() : s.process("go");
            all += s.agent.current().name();
        }
        return all;
    };
    for (const auto how : {hsm::weighted, hsm::random}) CHECK(choices(how, true, 100) == choices(how, false, 100));
}

TEST_CASE("options of rechoices that have no effect are reported") {
    const auto problem = [](const auto& change) {
        arena x;
        change(x);
        const auto found = hsm::check(*x.root);
        return found.empty() ? std::string() : found.front().to_string();
    };
    CHECK(problem([](arena&) {}) == "");
    CHECK(problem([](arena& x) { x.m.stay_bonus(1); }).find("the stay_bonus 1 has no effect or is invalid") != std::string::npos);
    CHECK(problem([](arena& x) { x.m.rechoose().stay_bonus(-1); }).find("the stay_bonus -1 has no effect or is invalid") != std::string::npos);
    CHECK(problem([](arena& x) { x.m.rechoose_every(0ms); }).find("rechoose_every is 0 ns") != std::string::npos);
    CHECK(problem([](arena& x) { x.to_a.cooldown(-1ms); }).find("a cooldown is negative") != std::string::npos);
    CHECK(problem([](arena& x) { x.m.choose(hsm::choosing::first).rechoose(); }).find("the machine chooses again") != std::string::npos);
}

TEST_CASE("the handle of a candidate names no timer, also if its machine chooses again periodically") {
    auto root = root_of();
    auto& m = root->add_fsm("M").choose(hsm::best).rechoose_every(10ms);
    const auto to_a = m.dispatch(m.add("a")).cooldown(1s);
    m.dispatch(m.add("b")).weight(0.5);
    started agent(std::move(root));
    CHECK_FALSE(agent.agent.time_left(to_a));
    CHECK_THROWS_AS(agent.agent.cancel_timer(to_a), hsm::state_error);
}
