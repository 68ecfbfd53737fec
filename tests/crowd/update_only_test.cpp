// Adjacent agents whose tick is one update hook: they are updated in one loop, without an observable difference.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

std::string numbers(const char* what, int begin, int end) {
    std::string text;
    for (int i = begin; i < end; ++i) text += (text.empty() ? "" : ", ") + std::string(what) + ' ' + std::to_string(i);
    return text;
}

/// Numbers of agents: hooks of few agents are called one by one, those of many adjacent ones in one loop.
constexpr int few_and_many[] = {0, 20};

/// Appends the updates of the agents from `begin` on to a trace.
std::string and_more(const std::string& trace, int begin, int more) { return trace + (more ? ", " : "") + numbers("a", begin, begin + more); }

/// Counts updates, and checks their order.
struct counter {
    int updates = 0;
    int* last = nullptr;
    int number = 0;
    bool in_order = true;
    double time = 0;
};

hsm::chart<counter> counter_chart() {
    auto root = hsm::make_fsm<counter>("R");
    root->add("a").on_update([](counter& c, double dt) {
        ++c.updates;
        c.time += dt;
        c.in_order = *c.last < c.number;
        *c.last = c.number;
    });
    root->add("b").on_update([](double, counter& c) {
        ++c.updates;
        c.in_order = *c.last < c.number;
        *c.last = c.number;
    });
    return hsm::compile(std::move(root), {.entry_times = false});
}

} // namespace

TEST_CASE("hooks run in the order of indices, over page borders, despite removals, in both states") {
    const auto chart = counter_chart();
    hsm::crowd herd{chart};
    int last = -1;
    const int n = 3 * 4096 + 77;
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < n; ++i) ids.push_back(herd.add(0, &last, i));
    std::uint64_t random = 88172645463325252ull;
    const auto next = [&] { return random ^= random << 13, random ^= random >> 7, random ^= random << 17; };
    std::vector<int> wanted(ids.size());
    int ticks = 0;
    double time = 0;
    const auto check = [&] {
        last = -1;
        ++ticks;
        REQUIRE(herd.tick(0.25) == hsm::result::unhandled);
        time += 0.25;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!herd.has(ids[i])) continue;
            ++wanted[i];
            const auto& c = herd.context(ids[i]);
            REQUIRE(c.updates == wanted[i]);
            REQUIRE(c.in_order);
        }
    };
    check();
    CHECK(herd.context(ids[5000]).time == time);
    for (int round = 0; round < 6; ++round) {
        // long runs and short ones
        const std::size_t step = round < 3 ? 500 : 3;
        for (std::size_t i = next() % step; i < ids.size(); i += 1 + next() % step) {
            if (!herd.has(ids[i])) continue;
            if (next() % 4 == 0)
                herd.remove(ids[i]);
            else
                herd[ids[i]]->change_to(next() % 2 ? "a" : "b");
        }
        check();
    }
}

TEST_CASE("a hook in a run receives the context and the time as its parameters require") {
    auto root = hsm::make_fsm<animal>("R");
    root->add("float").on_update([](animal& a, float dt) { a.note(std::to_string(dt)); });
    root->add("span").on_update([](const hsm::time_span& t, animal& a) { a.note(std::to_string(t.nanoseconds())); });
    root->add("chrono").on_update([](animal& a, std::chrono::milliseconds t) { a.note(std::to_string(t.count())); });
    root->add("none").on_update([] {});
    animals m(4, hsm::compile(std::move(root), {.entry_times = false}));
    const char* const states[] = {"float", "span", "chrono", "none"};
    for (std::size_t i = 0; i < 4; ++i) m.herd[m.ids[i]]->change_to(states[i]);
    CHECK(m.tick(1500ms) == "1.500000 0, 1500000000 1, 1500 2");
    CHECK(m.update(20ms) == "0.020000 0, 20000000 1, 20 2");
}

TEST_CASE("hooks in a run can be members of the context, or callables with data") {
    struct dog : recorder {
        int steps = 0;
        void walk(float) { ++steps; }
    };
    auto root = hsm::make_fsm<dog>("R");
    root->add("walks").on_update(&dog::walk);
    root->add("by two").on_update([two = 2](dog& d) { d.steps += two; });
    const auto chart = hsm::compile(std::move(root), {.entry_times = false});
    hsm::crowd herd{chart};
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 10; ++i) ids.push_back(herd.add());
    herd[ids[4]]->change_to("by two");
    herd.tick();
    herd.tick();
    for (std::size_t i = 0; i < 10; ++i) CHECK(herd.context(ids[i]).steps == (i == 4 ? 4 : 2));
}

TEST_CASE("an event of an agent to itself in the run is handled when its update is complete, and the run continues") {
    for (const int more : few_and_many) {
        CAPTURE(more);
        animals m(6 + more, updating_chart());
        m.of(2).does = m.of(3).does = [&](animal& a) {
            CHECK(m.herd[a.self]->busy());
            CHECK(m.herd[a.self]->process(push{}) == hsm::result::queued);
            a.note("queued");
        };
        CHECK(m.tick(1s) == and_more("a 0, a 1, a 2, queued 2, X a 2, E b 2, a 3, queued 3, X a 3, E b 3, a 4, a 5", 6, more));
        m.of(2).does = m.of(3).does = nullptr;
        CHECK(m.tick() == and_more("a 0, a 1, b 2, b 3, a 4, a 5", 6, more));
        for (const auto id : m.ids) CHECK(m.herd[id]->now() == 1s);
    }
}

TEST_CASE("a hook in a run can query and change its agent") {
    animals m(3, updating_chart());
    m.of(1).does = [&](animal& a) {
        CHECK(m.herd.current(a.self).name() == "a");
        CHECK(m.herd.is_in(a.self, "a"));
        CHECK(m.herd.count("a") == 3);
        CHECK(m.herd[a.self]->now() == 2s);
        CHECK(m.herd[m.ids[0]]->now() == 2s);
        CHECK(m.herd[m.ids[2]]->now() == 0s);
        CHECK(m.herd[a.self]->post(push{}) == hsm::result::queued);
        CHECK(m.herd[a.self]->change_to("b") == hsm::result::queued);
    };
    CHECK(m.tick(2s) == "a 0, a 1, X a 1, E b 1, a 2");
    m.of(1).does = nullptr;
    CHECK(m.herd[m.ids[1]]->queued() == 1);
    CHECK(m.tick() == "a 0, b 1, a 2");
    CHECK(m.herd[m.ids[1]]->queued() == 0);
}

TEST_CASE("a hook in a run can stop, pause or finish its own agent") {
    animals m(4, updating_chart());
    m.of(0).does = [&](animal& a) { m.herd[a.self]->stop(); };
    m.of(1).does = [&](animal& a) { m.herd[a.self]->pause(); };
    m.of(2).does = [&](animal& a) { m.herd[a.self]->finish(); };
    CHECK(m.tick(1s) == "a 0, X a 0, a 1, a 2, a 3");
    m.of(0).does = m.of(1).does = m.of(2).does = nullptr;
    CHECK(m.tick(1s) == "a 1, a 2, a 3");
    CHECK(m.herd[m.ids[1]]->now() == 1s);
    CHECK(m.herd[m.ids[1]]->paused());
    CHECK(m.herd[m.ids[3]]->now() == 2s);
    CHECK_FALSE(m.herd[m.ids[0]]->active());
}

TEST_CASE(
    "an event for another agent of the run is handled immediately: a later agent then ticks in its new state, an earlier one in the next tick") {
    for (const int more : few_and_many) {
        CAPTURE(more);
        animals m(6 + more, updating_chart());
        m.of(2).does = [&](animal&) {
            m.herd[m.ids[4]]->process(push{});
            m.herd[m.ids[1]]->process(push{});
        };
        CHECK(m.tick() == and_more("a 0, a 1, a 2, X a 4, E b 4, X a 1, E b 1, a 3, b 4, a 5", 6, more));
        m.of(2).does = [&](animal&) { m.herd[m.ids[3]]->post(push{}); };
        CHECK(m.tick() == and_more("a 0, b 1, a 2, X a 3, E b 3, b 3, b 4, a 5", 6, more));
        m.of(2).does = [&](animal&) { m.herd[m.ids[5]]->stop(); };
        CHECK(m.tick() == and_more("a 0, b 1, a 2, X a 5, b 3, b 4", 6, more));
    }
}

TEST_CASE("if a hook throws in a run, each other agent is updated once") {
    for (const int more : few_and_many) {
        CAPTURE(more);
        animals m(7 + more, updating_chart());
        m.of(0).does = m.of(3).does = m.of(6).does = &throw_at;
        for (int i = 0; i < 3; ++i) {
            CHECK(error_text([&] { m.herd.tick(1s); }) == "0");
            CHECK(m.r.take() == numbers("a", 0, 7 + more));
        }
        for (const auto id : m.ids) CHECK(m.herd[id]->now() == 3s);
        m.of(0).does = nullptr;
        m.of(3).does = [&](animal& a) { // interrupted before
            m.herd[a.self]->process(push{});
            throw_at(a);
        };
        CHECK(error_text([&] { m.herd.tick(); }) == "3");
        CHECK(m.r.take() == numbers("a", 0, 7 + more));
        m.of(3).does = m.of(6).does = nullptr;
        CHECK(m.tick() == and_more("a 0, a 1, a 2, X a 3, E b 3, b 3, a 4, a 5, a 6", 7, more)); // remaining work comes first
    }
}

TEST_CASE("an exception in a run has the same effect as in an instance") {
    const auto play = [](auto tick, auto process, animal& a) {
        a.does = [&](animal& x) {
            process();
            throw_at(x);
        };
        std::string text = error_text(tick);
        a.does = nullptr;
        tick();
        return text + ": " + a.all->take();
    };
    animals m(1, updating_chart());
    const auto of_agent = play([&] { m.herd.tick(1s); }, [&] { m.herd[m.ids[0]]->process(push{}); }, m.of(0));
    recorder r;
    animal a{&r};
    hsm::instance alone{m.chart, a};
    alone.start();
    r.take();
    CHECK(of_agent == play([&] { alone.tick(1s); }, [&] { alone.process(push{}); }, a));
}

TEST_CASE("a hook in a run can remove its agent, the next, an earlier one, or all") {
    for (const int more : few_and_many) {
        CAPTURE(more);
        animals m(8 + more, updating_chart());
        m.of(1).does = [&](animal& a) {
            m.herd.remove(a.self);
            a.note("goes on");
        };
        m.of(3).does = [&](animal&) { m.herd.remove(m.ids[4]); };
        m.of(5).does = [&](animal&) {
            m.herd.remove(m.ids[0]);
            m.herd.remove(m.ids[7]);
        };
        CHECK(m.tick() == and_more("a 0, a 1, goes on 1, X a 1, a 2, a 3, X a 4, a 5, X a 0, X a 7, a 6", 8, more));
        CHECK(m.herd.count() == 4u + static_cast<unsigned>(more));
        m.of(5).does = [&](animal& a) {
            m.herd.remove(a.self);
            throw_at(a);
        };
        CHECK(error_text([&] { m.herd.tick(); }) == "5");
        CHECK(m.r.take() == and_more("a 2, a 3, a 5, X a 5, a 6", 8, more));
        m.of(3).does = [&](animal&) { m.herd.clear(); };
        CHECK(m.tick() == "a 2, a 3, X a 2, X a 6, " + (more ? numbers("X a", 8, 8 + more) + ", " : "") + "X a 3");
        CHECK(m.herd.count() == 0);
    }
}

TEST_CASE("an agent that is added in a run is not in it, also if later places are free") {
    animals m(3, updating_chart());
    m.of(0).does = [&](animal& a) {
        a.does = nullptr;
        m.add();
        m.add();
    };
    CHECK(m.tick() == "a 0, E a 3, E a 4, a 1, a 2");
    CHECK(m.tick() == "a 0, a 1, a 2, a 3, a 4");
}

TEST_CASE("agents in another state, paused, or with a post interrupt a run") {
    animals m(80, updating_chart());
    m.herd[m.ids[20]]->process(push{});
    m.herd[m.ids[65]]->stop();
    m.herd[m.ids[70]]->post(push{});
    m.herd[m.ids[75]]->pause();
    m.r.take();
    CHECK(m.tick() ==
          numbers("a", 0, 20) + ", b 20, " + numbers("a", 21, 65) + ", " + numbers("a", 66, 70) + ", X a 70, E b 70, b 70, " + numbers("a", 71, 80));
}

TEST_CASE("runs work across the borders of words and pages") {
    for (const int n : {1, 63, 64, 65, 127, 128, 129, 4095, 4096, 4097, 4160, 8192, 8193}) {
        CAPTURE(n);
        animals m(n, updating_chart());
        CHECK(m.tick() == numbers("a", 0, n));
        const auto middle = static_cast<std::size_t>(n / 2);
        m.herd[m.ids[middle]]->process(push{});
        m.r.take();
        const auto before = numbers("a", 0, n / 2), behind = numbers("a", n / 2 + 1, n);
        CHECK(m.tick() == before + (before.empty() ? "" : ", ") + "b " + std::to_string(n / 2) + (behind.empty() ? "" : ", ") + behind);
    }
}

TEST_CASE("a hook in a run can change agents of earlier and later pages") {
    animals m(4096 + 4, updating_chart());
    m.of(4097).does = [&](animal&) {
        m.herd[m.ids[4095]]->process(push{});
        m.herd[m.ids[4098]]->process(push{});
    };
    m.of(4094).does = [&](animal&) { m.herd[m.ids[4096]]->process(push{}); };
    m.herd.tick();
    const auto trace = m.r.take();
    const std::string end = "a 4094, X a 4096, E b 4096, a 4095, b 4096, a 4097, X a 4095, E b 4095, X a 4098, E b 4098, b 4098, a 4099";
    CHECK(trace.substr(trace.size() - end.size()) == end);
}

TEST_CASE("decide_every does not affect updates, and lists stay correct") {
    animals m(6, updating_chart(), {.lists = true, .decide_every = 3});
    m.herd.set_decide_every(m.ids[2], 7);
    for (int i = 0; i < 4; ++i) CHECK(m.tick() == numbers("a", 0, 6));
    m.of(1).does = [&](animal& a) { m.herd[a.self]->process(push{}); };
    m.of(4).does = [&](animal& a) { throw_at(a); };
    CHECK(error_text([&] { m.herd.tick(); }) == "4");
    CHECK(m.herd.count("b") == 1);
    CHECK(m.herd.count("a") == 5);
    CHECK(m.herd.is_in(m.ids[1], "b"));
}
