// A crowd allocates nothing if it had as much to do before; without memory, a call changes nothing.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/recorder.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <array>

namespace {

using test::memory::allocations;
using test::memory::allowed;

struct push {};
struct pull {};

struct mob {
    hsm::crowd<mob>* home = nullptr;
    hsm::agent_id self = {};
    int updates = 0;
    bool leaves = false; ///< removes itself, and adds another agent
    bool throws = false;
    mob(hsm::crowd<mob>* h, int* of) : home(h), alive(of) { ++*alive; }
    mob(const mob&) = delete;
    ~mob() { --*alive; }

    int* alive;
};
struct bag {
    int things[3] = {};
};

/// R{ A, B{ C, D } }: B has a local; push leads from A to B and further, pull leads back, "Go" leads from A to B.
hsm::chart<mob> mob_chart() {
    auto root = hsm::make_fsm<mob>("R");
    auto& a = root->add("A").on_update([](mob& m) {
        ++m.updates;
        if (!m.leaves) return;
        m.leaves = false;
        auto& herd = *m.home;
        auto* const alive = m.alive;
        herd.remove(m.self);
        const auto id = herd.add(&herd, alive);
        herd.context(id).self = id;
    });
    auto& b = root->add_fsm("B");
    auto& c = b.add<bag>("C");
    auto& d = b.add("D").defer<pull>();
    a.on_enter([](mob& m) {
        if (m.throws) throw 1;
    });
    a.to(b).on<push>();
    c.to(d).on<push>();
    b.to(a).on<pull>();
    a.to(b).when("Go");
    c.to(a).when("Back");
    d.to(c).after(0.3);
    return hsm::compile(std::move(root));
}

/// R{ A, B, C }: "Go" from A to B, "Back" to A, and updates in A and C.
hsm::chart<mob> plain_chart() {
    auto root = hsm::make_fsm<mob>("R");
    auto& a = root->add("A").on_update([](mob& m) { ++m.updates; });
    auto& b = root->add("B");
    auto& c = root->add("C").on_update([](mob& m) { m.home->set(m.self, "Go", ++m.updates % 2); });
    a.to(b).on<push>();
    a.to(b).when("Go");
    b.to(a).when("Back");
    b.to(c).on<push>();
    c.to(a).on<pull>();
    return hsm::compile(std::move(root), {.entry_times = false});
}

struct crowd_of {
    explicit crowd_of(hsm::chart<mob> c, const hsm::crowd_options& options) : chart(std::move(c)), herd(chart, options) {}
    hsm::agent_id add() {
        const auto id = herd.add(&herd, &alive);
        herd.context(id).self = id;
        return id;
    }
    int alive = 0;
    hsm::chart<mob> chart;
    hsm::crowd<mob> herd;
};

constexpr std::size_t agents = 5000;

/// Adds and removes agents, sets conditions, gives events of all kinds, ticks, and ends as it began.
void round(crowd_of& h, std::array<hsm::agent_id, agents>& ids) {
    auto& herd = h.herd;
    for (auto& id : ids) id = h.add();
    for (std::size_t i = 0; i < agents; i += 3) {
        herd.set(ids[i], "Go");
        herd.pulse(ids[(i + 1) % agents], "Go");
        herd[ids[(i + 2) % agents]]->post(push{});
        herd.set_decide_every(ids[i], 2);
    }
    for (int t = 0; t < 6; ++t) herd.tick(0.1);
    herd.set_all("Go", false);
    herd.set(ids, "Back");
    herd.process_in("B", push{});
    herd.process_all(push{});
    herd.process_all(pull{});
    for (std::size_t i = 0; i < agents; i += 7) {
        herd[ids[i]]->pause();
        herd[ids[i]]->post(pull{});
        herd[ids[i]]->post(push{});
        herd.context(ids[i]).leaves = true;
    }
    herd.decide();
    herd.update(0.1);
    for (int t = 0; t < 6; ++t) herd.tick(0.1);
    std::size_t seen = 0;
    herd.each([&](hsm::agent_id id, const mob&) { seen += static_cast<bool>(herd.current(id)); });
    seen += herd.count("A") + herd.state_hash() % 2;
    herd.each([&](hsm::agent_id id, const mob& m) {
        if (m.updates % 2) herd.remove(id);
    });
    herd.clear();
}

} // namespace

TEST_CASE("after the first round, ticks, conditions, events, adds and removals allocate nothing, also in hooks") {
    for (const bool plain : {false, true})
        for (const bool lists : {false, true}) {
            CAPTURE(plain);
            CAPTURE(lists);
            crowd_of h(plain ? plain_chart() : mob_chart(), {.agent = {.posted_queue = 4}, .lists = lists});
            static std::array<hsm::agent_id, agents> ids;
            h.herd.on_update("A", [](hsm::batch<mob>& some) {
                for (auto& m : some) ++m.updates;
            });
            round(h, ids);
            round(h, ids); // places are used in another order now, which persists
            const auto before = allocations.load();
            for (int i = 0; i < 4; ++i) round(h, ids);
            CHECK(allocations == before);
            CHECK(h.alive == 0);
            CHECK(h.herd.count() == 0);
        }
}

TEST_CASE("a tick of idle agents allocates nothing, not even the first one") {
    crowd_of h(plain_chart(), {});
    for (std::size_t i = 0; i < agents; ++i) h.herd[h.add()]->process(push{});
    const auto before = allocations.load();
    for (int i = 0; i < 10; ++i) h.herd.tick(0.1);
    CHECK(allocations == before);
}

TEST_CASE("an agent without memory is not added, its context is destroyed, and the crowd continues") {
    {
        crowd_of h(mob_chart(), {});
        int failures = 0;
        for (std::size_t memory = 0; h.herd.count() < 3; ++memory) {
            const auto count = h.herd.count();
            allowed = memory;
            bool failed = false;
            try {
                h.add();
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            allowed = std::size_t(-1);
            CHECK(h.herd.count() == count + !failed);
            CHECK(h.alive == static_cast<int>(count) + !failed);
            CHECK(h.herd.tick(0.1) == hsm::result::unhandled);
            failures += failed;
        }
        CHECK(failures > 1);
        CHECK(h.herd.count("A") == 3);
        h.herd.clear();
        CHECK(h.alive == 0);
    }
}

TEST_CASE("a removal that gets no memory is complete") {
    crowd_of h(mob_chart(), {});
    std::array<hsm::agent_id, 200> ids;
    for (auto& id : ids) id = h.add();
    for (const auto id : ids) {
        allowed = 0;
        bool thrown = false;
        try {
            h.herd.remove(id);
        } catch (...) {
            thrown = true;
        }
        allowed = std::size_t(-1);
        CHECK_FALSE(thrown);
        CHECK_FALSE(h.herd.has(id));
    }
    CHECK(h.herd.count() == 0);
    CHECK(h.alive == 0);
}

TEST_CASE("a start that throws frees the place and memory of its agent") {
    struct shy {
        bool throws = false;
    };
    auto root = hsm::make_fsm<shy>("R");
    root->add<bag>("A").on_enter([](const shy& s) {
        if (s.throws) throw 1;
    });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    const auto fail = [&] {
        bool thrown = false;
        try {
            herd.add(true);
        } catch (int) {
            thrown = true;
        }
        return thrown;
    };
    herd.add(false);
    CHECK(fail());
    const auto first = herd.bytes();
    for (int i = 0; i < 10'000; ++i) REQUIRE(fail());
    CHECK(herd.bytes() == first);
    CHECK(herd.add(false).index == 1);
}

TEST_CASE("hot_bytes, cold_bytes and bytes return the memory of agents") {
    crowd_of h(plain_chart(), {});
    CHECK(h.herd.hot_bytes() == 2);
    CHECK(h.herd.cold_bytes() == 4);
    const auto empty = h.herd.bytes();
    h.add();
    CHECK(h.herd.bytes() >= empty + 4096 * (2 + 4 + sizeof(mob)));
    crowd_of with_more(mob_chart(), {});
    CHECK(with_more.herd.hot_bytes() == 2 + 8); // a due time: it waits for time
    CHECK(with_more.herd.cold_bytes() >= 4 + sizeof(bag) + 3 * 8);
}
