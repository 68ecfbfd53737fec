// Ticks by several threads: the result does not depend on their number.

#include <tests/support/crowd.hpp>
#include <tests/support/sanitized.hpp>

#if HSM_TEST_WORKERS
#include <hsm/crowd/workers.hpp>
#endif

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

constexpr int ticks = is_sanitized ? 16 : 50;

/// Runs in the calling thread, in reverse order.
struct backwards {
    template <class F> void operator()(std::size_t n, const F& f) const {
        while (n > 0) f(--n);
    }
};

struct cell {
    hsm::crowd<cell>* home = nullptr;
    std::uint64_t random = 0;
    hsm::agent_id self = {};
    std::uint64_t seen = 0;

    std::uint64_t next() { return random ^= random << 13, random ^= random >> 7, random ^= random << 17; }
    void see(std::uint64_t what) { seen = (seen ^ what) * 0x100000001b3; }
};
struct memory {
    std::uint64_t steps = 0;
    std::string text = "longer than what a string keeps in itself";
};

void act(cell& c) {
    c.see(1);
    auto& herd = *c.home;
    switch (c.next() % 32) {
    case 0: herd[c.self]->post(push{}); break;
    case 1: herd.pulse(c.self, "Go"); break;
    case 2: herd.set(c.self, "Back", c.next() % 2); break;
    case 3: herd[c.self]->process(pull{}); break;
    case 4:
        if (c.next() % 4 == 0) herd.remove(c.self);
        break;
    case 5: herd.set_decide_every(c.self, static_cast<std::uint16_t>(1 + c.next() % 4)); break;
    case 6: herd[c.self]->set_time_scale(0.5 + static_cast<double>(c.next() % 3)); break;
    case 7: c.see(herd.is_in(c.self, "A")); break;
    case 8:
        if (c.next() % 8 == 0) throw std::runtime_error(std::to_string(c.self.index));
        break;
    default: break;
    }
}

/// R{ A, B, C, D }: A and D do what cells do, B has a local, C waits.
hsm::chart<cell> cell_chart(bool plain) {
    auto root = hsm::make_fsm<cell>("R");
    auto& a = root->add("A").on_update(&act);
    auto& b = plain ? root->add("B") : static_cast<hsm::state<cell>&>(root->add<memory>("B"));
    auto& c = root->add("C");
    auto& d = root->add("D").on_update(&act);
    for (auto* s : {&a, &b, &c, &d})
        s->on_enter([](cell& x, hsm::step<cell>& at) { x.see(static_cast<unsigned char>(at.state().name()[0])); }).on_exit([](cell& x) { x.see(2); });
    b.on_update([](cell& x) { x.see(3); });
    a.to(b).on<push>();
    a.to(c).when("Go");
    a.to(d).on<pull>();
    b.to(a).when("Back");
    b.to(c).on<pull>();
    c.to(a).when("!Back");
    d.to(a).on<push>();
    if (!plain) {
        c.to(a).after(300ms);
        d.every(500ms).then([](cell& x) { x.see(4); });
    }
    return hsm::compile(std::move(root), {.entry_times = !plain});
}

struct outcome {
    std::uint64_t states = 0, contexts = 0xcbf29ce484222325;
    std::size_t count = 0, thrown = 0;
    friend bool operator==(const outcome&, const outcome&) = default;
};

template <class Tick> outcome play(bool plain, hsm::update_order order, Tick tick) {
    const bool lists = plain;
    const auto chart = cell_chart(plain);
    hsm::crowd herd{chart, hsm::crowd_options{.lists = lists, .decide_every = std::uint16_t(lists ? 3 : 1), .update_order = order}};
    for (int i = 0; i < 20'000; ++i) {
        const auto id = herd.add(&herd, 88172645463325252ull * static_cast<std::uint64_t>(2 * i + 1));
        herd.context(id).self = id;
        if (i % 3 == 0) herd[id]->change_to("D");
    }
    outcome all;
    for (int t = 0; t < ticks; ++t) {
        try {
            tick(herd);
        } catch (const std::runtime_error& e) {
            ++all.thrown;
            all.contexts = (all.contexts ^ static_cast<std::uint64_t>(std::stoll(e.what()))) * 0x100000001b3; // always that of the first agent
        }
        if (t % 10 == 5) {
            for (int i = 0; i < 300; ++i) { // into the places of those that removed themselves
                const auto id = herd.add(&herd, 88172645463325252ull * static_cast<std::uint64_t>(2 * (t * 1000 + i) + 1));
                herd.context(id).self = id;
                all.contexts = (all.contexts ^ id.index) * 0x100000001b3;
            }
            herd.process_in("C", pull{});
        }
    }
    all.states = herd.state_hash();
    all.count = herd.count();
    std::size_t listed = 0;
    for (const auto* s : {"A", "B", "C", "D"}) listed += herd.count(s);
    CHECK(listed == all.count);
    herd.each([&](hsm::agent_id id, const cell& c) {
        all.contexts = (all.contexts ^ c.seen) * 0x100000001b3;
        all.contexts = (all.contexts ^ static_cast<std::uint64_t>(herd[id]->now().nanoseconds())) * 0x100000001b3;
    });
    return all;
}

} // namespace

TEST_CASE("the result is the same for any number of workers, in any order") {
    for (const bool plain : {true, false})
        for (const auto order : {hsm::update_order::by_index, hsm::update_order::by_state}) {
            CAPTURE(plain);
            CAPTURE(static_cast<int>(order));
            const auto alone = play(plain, order, [](auto& herd) { herd.tick(0.1f); });
            CHECK(alone.count < 20'000);
            CHECK(alone.count > 5'000);
            CHECK(alone.thrown > 0);
            CHECK(play(plain, order, [](auto& herd) { herd.tick(0.1f, backwards()); }) == alone);
            for (unsigned threads = is_sanitized ? 2 : 1; threads <= (is_sanitized ? 3u : 4u); ++threads) {
                CAPTURE(threads);
                CHECK(play(plain, order, [&](auto& herd) { herd.tick(0.1f, own_threads{threads}); }) == alone);
            }
#if HSM_TEST_WORKERS
            hsm::workers two(2);
            CHECK(play(plain, order, [&](auto& herd) { herd.tick(0.1f, two); }) == alone);
#endif
        }
}

TEST_CASE("the time can be a duration, seconds or a time_span; for_each is called once with the number of pages") {
    animals m(9000, updating_chart());
    m.herd.clear();
    for (int i = 0; i < 9000; ++i) m.herd.add(&m.r, i);
    std::vector<std::size_t> calls;
    auto count = [&](std::size_t n, const auto& f) {
        calls.push_back(n);
        for (std::size_t i = 0; i < n; ++i) f(i);
    };
    m.herd.tick(16ms, count);
    m.herd.tick(0.5, count);
    m.herd.tick(hsm::time_span(1s), count);
    CHECK(m.herd.tick(-1s, count) == hsm::result::refused);
    CHECK(m.herd.now() == 1516ms);
    CHECK(calls == std::vector<std::size_t>{3, 3, 3});
}

TEST_CASE("an add while workers tick is an error, and the crowd continues") {
    struct adder {
        hsm::crowd<adder>* home = nullptr;
        int updates = 0;
    };
    auto root = hsm::make_fsm<adder>("R");
    root->add("A").on_update([](adder& a) {
        ++a.updates;
        if (a.home) a.home->add();
    });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 9000; ++i) ids.push_back(herd.add());
    herd.context(ids[5000]).home = herd.context(ids[8500]).home = &herd;
    CHECK(code_of([&] { herd.tick(1s, own_threads{2}); }) == 223);
    CHECK(herd.count() == 9000);
    for (const auto id : ids) REQUIRE(herd.context(id).updates == 1);
    CHECK(herd.tick(1s) == hsm::result::unhandled); // without workers it may
    CHECK(herd.count() == 9002);
    herd.context(ids[5000]).home = herd.context(ids[8500]).home = nullptr;
    CHECK(herd.tick(1s, own_threads{3}) == hsm::result::unhandled);
}

TEST_CASE("a tick in a hook returns busy while workers tick, too") {
    struct ticker {
        hsm::crowd<ticker>* home = nullptr;
        hsm::result returned = hsm::result::taken;
    };
    auto root = hsm::make_fsm<ticker>("R");
    root->add("A").on_update([](ticker& t) { t.returned = t.home->tick(1s); });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    for (int i = 0; i < 5000; ++i) herd.add(&herd);
    herd.tick(1s, own_threads{2});
    CHECK(herd.now() == 1s);
    int busy = 0;
    herd.each([&](hsm::agent_id, const ticker& t) { busy += t.returned == hsm::result::busy; });
    CHECK(busy == 5000);
}

TEST_CASE("workers run batch hooks") {
    animals m(0);
    std::vector<int> updates(9000);
    auto root = hsm::make_fsm<int>("R");
    root->add("A");
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<int> herd(chart, updates);
    for (std::size_t i = 0; i < updates.size(); ++i) herd[herd.add_element(i)]->change_to(i % 2 ? "A" : "B");
    herd.on_update("A", [](hsm::batch<int>& some) {
        for (int& n : some) ++n;
    });
    for (int i = 0; i < 3; ++i) herd.tick(1s, own_threads{2});
    for (std::size_t i = 0; i < updates.size(); ++i) REQUIRE(updates[i] == (i % 2 ? 3 : 0));
}

#if HSM_TEST_WORKERS
TEST_CASE("hsm::workers makes each call once, and exceptions propagate") {
    for (const unsigned threads : {0u, 1u, 2u, 5u}) {
        hsm::workers some(threads);
        std::vector<std::atomic<int>> calls(1000);
        some(calls.size(), [&](std::size_t i) { ++calls[i]; });
        some(0, [&](std::size_t i) { ++calls[i]; });
        for (const auto& c : calls) REQUIRE(c == 1);
        CHECK(error_text([&] {
                  some(10, [](std::size_t i) {
                      if (i == 7) throw std::runtime_error("seven");
                  });
              }) == "seven");
    }
}
#endif

namespace {
struct dancer {
    std::uint64_t steps = 0; ///< a hash of the chosen steps
    void dance(std::uint64_t step) { steps = (steps ^ step) * 0x100000001b3; }
};

/// Each tick chooses a step by chance.
hsm::chart<dancer> dance() {
    auto root = hsm::make_fsm<dancer>("R");
    auto& m = root->add_fsm("M").choose(hsm::weighted);
    m.to(m);
    for (std::uint64_t step = 1; step <= 5; ++step)
        m.dispatch(m.add("s" + std::to_string(step)).on_enter([step](dancer& d) { d.dance(step); })).weight(static_cast<double>(step));
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("agents choose like instances with the same stream, with any number of workers") {
    const auto chart = dance();
    constexpr std::size_t count = 5000;
    std::vector<hsm::agent_id> ids;
    const auto play = [&](const auto& tick) {
        ids.clear();
        std::vector<dancer> dancers(count);
        hsm::crowd<dancer> herd(chart, dancers, {.agent = {.seed = 3, .stream = 100}});
        for (std::uint32_t i = 0; i < count; ++i) ids.push_back(herd.add_element(i));
        for (int t = 0; t < 10; ++t) tick(herd);
        std::vector<std::uint64_t> steps;
        for (const auto& d : dancers) steps.push_back(d.steps);
        return steps;
    };
    const auto steps = play([](auto& herd) { herd.tick(0.1f); });
    for (const unsigned threads : {1u, 4u}) CHECK(play([&](auto& herd) { herd.tick(0.1f, own_threads{threads}); }) == steps);
    CHECK(play([](auto& herd) { herd.tick(0.1f, backwards()); }) == steps);
    std::size_t different = 0;
    for (std::uint32_t i = 0; i < count; i += 97) {
        dancer d;
        hsm::instance<dancer> alone(chart, d, {.seed = 3});
        alone.set_stream(100 + (std::uint64_t(ids[i].generation) << 32) + ids[i].index);
        alone.start();
        for (int t = 0; t < 10; ++t) alone.tick(0.1f);
        CHECK(d.steps == steps[i]);
        different += d.steps != steps[0];
    }
    CHECK(different > 40);
}
