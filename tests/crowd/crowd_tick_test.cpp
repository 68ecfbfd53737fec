// Frames for all agents: the clock, updates and decisions, rates, exceptions.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

/// R{ A, B, C }, without hooks: "Go" leads from each to the next.
hsm::chart<animal> quiet_chart() {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).when("Go");
    b.to(c).when("Go");
    c.to(a).when("Go");
    return hsm::compile(std::move(root));
}

std::string states(const animals& m) {
    std::string text;
    for (const auto id : m.ids) text += m.herd.current(id).name();
    return text;
}

} // namespace

TEST_CASE("a tick ticks all agents in the order of indices") {
    animals m(3);
    CHECK(m.herd.tick() == hsm::result::unhandled);
    CHECK(m.r.take() == "U A 0, U A 1, U A 2");
    m.herd.set(m.ids[1], "Go");
    CHECK(m.herd.tick(16ms) == hsm::result::taken);
    CHECK(m.r.take() == "U A 0, X A 1, E B 1, U B 1, U A 2");
    CHECK(m.herd.tick(0.5) == hsm::result::unhandled);
    CHECK(m.r.take() == "U A 0, U B 1, U A 2");
}

TEST_CASE("a tick returns whether a transition of any agent on any page fired") {
    animals m(5000, quiet_chart());
    CHECK(m.herd.tick() == hsm::result::unhandled);
    m.herd.set(m.ids[4999], "Go");
    CHECK(m.herd.tick() == hsm::result::taken);
    m.herd.clear(m.ids[4999], "Go");
    CHECK(m.herd.tick() == hsm::result::unhandled);
    m.herd.set(m.ids[3], "Go");
    CHECK(m.herd.decide() == hsm::result::taken);
    CHECK(m.herd.update() == hsm::result::unhandled);
}

TEST_CASE("a tick without active agents returns unhandled") {
    animals none(0);
    CHECK(none.herd.tick(1s) == hsm::result::unhandled);
    CHECK(none.herd.now() == 1s);
    animals asleep(2, animal_chart(), {.start = false});
    CHECK(asleep.herd.tick(1s) == hsm::result::unhandled);
    CHECK(asleep.r.take() == "");
}

TEST_CASE("decide handles posted events and transitions without time; update runs hooks with time and decides nothing") {
    animals m(2);
    m.herd.set(m.ids[0], "Go");
    m.herd[m.ids[1]]->post(push{});
    CHECK(m.update(1s) == "U A 0, U A 1");
    CHECK(m.herd.now() == 1s);
    CHECK(m.herd[m.ids[1]]->queued() == 1);
    CHECK(m.decide() == "X A 0, E B 0, X A 1, E B 1");
    CHECK(m.herd.now() == 1s);
    CHECK(m.herd[m.ids[1]]->queued() == 0);
    CHECK(m.decide() == "");
}

TEST_CASE("agents have the clock of the crowd, including later and idle agents") {
    animals m(2);
    m.tick(2s);
    const auto late = m.add();
    m.herd[m.ids[1]]->stop();
    m.r.take();
    CHECK(m.herd[late]->now() == 2s);
    CHECK(m.herd[late]->time_in_state() == 0s);
    CHECK(m.herd[m.ids[0]]->time_in_state() == 2s);
    m.tick(3s);
    CHECK(m.herd.now() == 5s);
    for (const auto id : m.ids) CHECK(m.herd[id]->now() == 5s);
    CHECK(m.herd[late]->time_in_state() == 3s);
    m.herd[m.ids[1]]->start();
    m.tick(1s);
    CHECK(m.herd[m.ids[1]]->time_in_state() == 1s);
    m.herd[m.ids[0]]->process(push{});
    CHECK(m.herd[m.ids[0]]->time_in_state() == 0s);
    m.herd.update(0.25);
    CHECK(m.herd[m.ids[0]]->time_in_state() == 250ms);
    CHECK(m.herd[m.ids[0]]->time_in_state("R") == 6s + 250ms);
}

TEST_CASE("negative time is refused, and changes nothing; time stops at its end") {
    animals m(1);
    CHECK(m.herd.tick(-1ns) == hsm::result::refused);
    CHECK(m.herd.update(-0.5) == hsm::result::refused);
    CHECK(m.r.take() == "");
    CHECK(m.herd.now() == 0s);
    const auto end = hsm::time_span::from_nanoseconds(std::numeric_limits<std::int64_t>::max());
    CHECK(m.herd.tick(end) == hsm::result::unhandled);
    CHECK(m.herd.tick(end) == hsm::result::unhandled);
    CHECK(m.herd[m.ids[0]]->now() == m.herd.now());
    CHECK(m.r.take() == "U A 0, U A 0");
}

TEST_CASE("after is due for each agent at its own time") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(3s);
    b.to(a).after(1s);
    animals m(2, hsm::compile(std::move(root)));
    m.tick(1s);
    m.add();
    CHECK(states(m) == "AAA");
    m.tick(1s);
    m.tick(1s);
    CHECK(states(m) == "BBA");
    m.tick(1s);
    CHECK(states(m) == "AAB");
    m.herd[m.ids[0]]->pause();
    m.tick(3s);
    CHECK(states(m) == "ABA");
    m.herd[m.ids[0]]->resume();
    m.tick(1s);
    CHECK(states(m) == "AAA");
    m.tick(2s);
    CHECK(states(m) == "BAB");
}

TEST_CASE("decide_every: different agents decide in different ticks, all update in each") {
    animals m(6, animal_chart(), {.decide_every = 3});
    m.herd.set_all("Go");
    CHECK(m.tick() == "X A 0, E B 0, U B 0, U A 1, U A 2, X A 3, E B 3, U B 3, U A 4, U A 5");
    CHECK(m.tick() == "U B 0, U A 1, X A 2, E B 2, U B 2, U B 3, U A 4, X A 5, E B 5, U B 5");
    CHECK(m.tick() == "U B 0, X A 1, E B 1, U B 1, U B 2, U B 3, X A 4, E B 4, U B 4, U B 5");
    m.herd.set_all("Go", false);
    m.herd.set_all("Back");
    CHECK(m.tick() == "X B 0, E A 0, U A 0, U B 1, U B 2, X B 3, E A 3, U A 3, U B 4, U B 5");
    CHECK(m.decide() == "X B 1, E A 1, X B 2, E A 2, X B 4, E A 4, X B 5, E A 5"); // a decide is for all
}

TEST_CASE("without hooks, an agent decides in exactly every n-th tick") {
    for (const std::uint16_t every : {std::uint16_t(1), std::uint16_t(2), std::uint16_t(5), std::uint16_t(64)}) {
        CAPTURE(every);
        animals m(0, quiet_chart(), {.decide_every = every});
        const int n = 4096 + 300;
        for (int i = 0; i < n; ++i) m.add();
        m.herd.set_all("Go");
        std::vector<int> steps(m.ids.size());
        for (int t = 0; t < 3 * every; ++t) {
            std::vector<std::string> before;
            for (const auto id : m.ids) before.emplace_back(m.herd.current(id).name());
            m.herd.tick();
            int now = 0;
            for (std::size_t i = 0; i < m.ids.size(); ++i) {
                const bool moved = m.herd.current(m.ids[i]).name() != before[i];
                steps[i] += moved;
                now += moved;
            }
            REQUIRE(now >= n / every);
            REQUIRE(now <= n / every + 1);
            if (t % every == every - 1)
                for (const int s : steps) REQUIRE(s == (t + 1) / every);
        }
    }
}

TEST_CASE("carry_over: agents carry over in the ticks in which they decide") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(100ms);
    b.to(a).after(100ms);
    animals m(2, hsm::compile(std::move(root), {.carry_over = true}));
    const auto times = [&] { return std::vector{m.herd[m.ids[0]]->time_in_state(), m.herd[m.ids[1]]->time_in_state()}; };
    m.herd.set_decide_every(m.ids[1], 2);
    m.tick(350ms);
    CHECK(states(m) == "BA");
    CHECK(times() == std::vector<hsm::time_span>{50ms, 350ms});
    m.tick(360ms); // what was due at 100 is polled
    CHECK(states(m) == "BB");
    CHECK(times() == std::vector<hsm::time_span>{10ms, 0ms});
    m.herd.set_decide_every(m.ids[1], 1);
    m.tick(240ms); // until 950: due at 800 and 900, at 810 and 910
    CHECK(states(m) == "BB");
    CHECK(times() == std::vector<hsm::time_span>{50ms, 40ms});
}

TEST_CASE("set_decide_every applies to one agent; its posted events and pulses wait for the tick in which it decides") {
    animals m(4, quiet_chart());
    CHECK(m.herd.set_decide_every(m.ids[1], 4));
    CHECK(m.herd.set_decide_every(m.ids[2], 4));
    CHECK(m.herd.set_decide_every(m.ids[3], 0)); // as 1
    m.tick();                                    // tick 0; 1 decides in 3, 2 in 2
    m.herd.pulse(m.ids[1], "Go");
    m.herd.set(m.ids[0], "Go");
    m.herd.set(m.ids[2], "Go");
    m.herd.set(m.ids[3], "Go");
    m.tick();
    CHECK(states(m) == "BAAB");
    CHECK(m.herd.get(m.ids[1], "Go"));
    m.tick();
    CHECK(states(m) == "CABC");
    m.tick();
    CHECK(states(m) == "ABBA");
    CHECK_FALSE(m.herd.get(m.ids[1], "Go"));
    CHECK(m.herd.set_decide_every(m.ids[2], 1));
    m.tick();
    CHECK(states(m) == "BBCB");
}

TEST_CASE("if hooks throw, the other agents are ticked, and the exception of the first agent propagates") {
    for (const bool quick : {false, true}) {
        CAPTURE(quick);
        animals m(5, quick ? updating_chart() : animal_chart());
        const std::string u = quick ? "" : "U ", a = quick ? "a" : "A";
        const auto all = u + a + " 0, " + u + a + " 1, " + u + a + " 2, " + u + a + " 3, " + u + a + " 4";
        m.of(1).does = m.of(2).does = m.of(4).does = &throw_at;
        for (int again = 0; again < 3; ++again) {
            CHECK(error_text([&] { m.herd.tick(1s); }) == "1");
            CHECK(m.r.take() == all);
        }
        CHECK(m.herd.now() == 3s);
        for (const auto id : m.ids) CHECK(m.herd[id]->now() == 3s);
        m.of(1).does = nullptr;
        CHECK(error_text([&] { m.herd.update(); }) == "2");
        CHECK(m.r.take() == all);
        m.of(2).does = m.of(4).does = nullptr;
        CHECK(m.tick() == all);
    }
}

TEST_CASE("if hooks throw on several pages, the exception of the first agent propagates, and all agents are ticked") {
    animals m(8192 + 10, updating_chart());
    int ticked = 0;
    for (std::size_t i = 0; i < m.ids.size(); ++i) m.of(i).does = [&](animal&) { ++ticked; };
    for (const std::size_t i : {5000u, 5001u, 8200u}) m.of(i).does = [&](animal& x) { ++ticked, throw_at(x); };
    CHECK(error_text([&] { m.herd.tick(); }) == "5000");
    CHECK(ticked == 8202);
    CHECK(m.herd.tick(-1s) == hsm::result::refused); // not busy
    m.of(5000).does = m.of(5001).does = nullptr;
    CHECK(error_text([&] { m.herd.tick(); }) == "8200");
    m.of(8200).does = nullptr;
    CHECK(error_text([&] { m.herd.tick(); }) == "");
}

TEST_CASE("an action that throws has the same effect as in an instance, and the other agents continue") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = with_trace(root->add("A"));
    auto& b = with_trace(root->add("B"));
    a.to(b).when("Go").then([](animal& x) {
        if (x.go) throw_at(x);
    });
    animals m(3, hsm::compile(std::move(root)));
    m.herd.set_all("Go");
    m.of(1).go = true;
    CHECK(error_text([&] { m.herd.tick(); }) == "1");
    CHECK(m.r.take() == "X A 0, E B 0, U B 0, X A 1, X A 2, E B 2, U B 2");
    m.of(1).go = false;
    recorder r;
    animal x{&r, 1, nullptr, {}, true};
    hsm::instance alone{m.chart, x};
    alone.start();
    alone.set("Go");
    CHECK(error_text([&] { alone.tick(); }) == "1");
    CHECK(m.herd.current(m.ids[1]) == alone.current());
    x.go = false;
    r.take();
    alone.tick();
    m.herd.remove(m.ids[0]);
    m.herd.remove(m.ids[2]);
    m.r.take();
    CHECK(m.tick() == r.take());
}
