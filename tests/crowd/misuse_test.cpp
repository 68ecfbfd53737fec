// Invalid calls to crowds and invalid values: each has a defined result (docs/reference/semantics.md, "What happens if"). Also sizes at which the
// internal layout changes: the size itself, below and above.

#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using hsm::agent_id;
using hsm::result;

namespace {

struct go {};
struct hero {
    int steps = 0;
};

hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A").on_update([](hero& h) { ++h.steps; });
    auto& b = root->add("B");
    a.to(b).on<go>();
    a.to(b).when("Go");
    return hsm::compile(std::move(root));
}

template <class Error = hsm::crowd_error, class Call> int thrown_by(Call call) {
    try {
        call();
    } catch (const Error& e) {
        return static_cast<int>(e.number());
    }
    return 0;
}

} // namespace

TEST_CASE("a crowd cannot be created from an empty chart") {
    auto chart = hero_chart();
    const auto moved = std::move(chart);
    std::array<hero, 2> heroes;
    CHECK(thrown_by<hsm::usage_error>([&] { hsm::crowd<hero>{chart}; }) == 206);
    CHECK(thrown_by<hsm::usage_error>([&] { hsm::crowd<hero>(chart, heroes); }) == 206);
}

TEST_CASE("empty, stale and out-of-range handles are refused") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    const auto gone = herd.add();
    herd.remove(gone);
    herd.add();
    hero h;
    hsm::instance machine{chart, h};
    for (const auto id : {agent_id(), gone, agent_id{5000, 1}, agent_id{0xffff'ffff, 1}, agent_id{0, 0xffff'ffff}}) {
        CHECK_FALSE(herd.has(id));
        CHECK_FALSE(herd.remove(id));
        CHECK_FALSE(herd.set(id, "Go"));
        CHECK_FALSE(herd.pulse(id, "Go"));
        CHECK_FALSE(herd.set_decide_every(id, 2));
        CHECK(herd.set({&id, 1}, "Go") == 0);
        CHECK(thrown_by([&] { static_cast<void>(herd.get(id, "Go")); }) == 220);
        CHECK(thrown_by([&] { static_cast<void>(herd.is_in(id, "A")); }) == 220);
        CHECK(thrown_by([&] { static_cast<void>(herd.current(id)); }) == 220);
        CHECK(thrown_by([&] { static_cast<void>(herd.context(id)); }) == 220);
        CHECK(thrown_by([&] { herd[id]->tick(); }) == 220);
        CHECK(thrown_by([&] { herd.release(id, machine); }) == 220);
    }
    CHECK(herd.count() == 1);
}

TEST_CASE("a handle of another crowd refers to the agent in the same place here") {
    const auto chart = hero_chart();
    hsm::crowd one{chart}, other{chart};
    const auto a = one.add();
    CHECK_FALSE(other.has(a));
    other.add();
    CHECK(other.has(a));
}

TEST_CASE("unknown states and conditions are errors, and bits can be used by number") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    const auto id = herd.add();
    for (const hsm::state_key& key : {hsm::state_key(hsm::state_ref()), hsm::state_key(""), hsm::state_key("nowhere")}) {
        CHECK(thrown_by<hsm::state_error>([&] { static_cast<void>(herd.count(key)); }) == 202);
        CHECK(thrown_by<hsm::state_error>([&] { static_cast<void>(herd.is_in(id, key)); }) == 202);
        CHECK(thrown_by<hsm::state_error>([&] { herd.each(key, [](agent_id, hero&) {}); }) == 202);
        CHECK(thrown_by<hsm::state_error>([&] { herd.process_in(key, go{}); }) == 202);
        CHECK(thrown_by<hsm::state_error>([&] { herd.on_update(key, [](hsm::batch<hero>&) {}); }) == 202);
    }
    for (const hsm::condition_key& key :
         {hsm::condition_key(hsm::condition()), hsm::condition_key("Gone"), hsm::condition_key(2), hsm::condition_key(-1)}) {
        CHECK(thrown_by<hsm::condition_error>([&] { herd.set(id, key); }) == 204);
        CHECK(thrown_by<hsm::condition_error>([&] { herd.set(agent_id(), key); }) == 204);
        CHECK(thrown_by<hsm::condition_error>([&] { herd.pulse(id, key); }) == 204);
        CHECK(thrown_by<hsm::condition_error>([&] { herd.set_all(key); }) == 204);
        CHECK(thrown_by<hsm::condition_error>([&] { static_cast<void>(herd.get(id, key)); }) == 204);
    }
    CHECK(thrown_by<hsm::condition_error>([&] { herd.set(id, hsm::is_over); }) == 204);
    CHECK_FALSE(herd.get(id, hsm::is_over));
    herd.on_update("A", [](hsm::batch<hero>& some) {
        CHECK(thrown_by<hsm::condition_error>([&] { some.set(0, 0xffff'ffff); }) == 204);
        CHECK(thrown_by<hsm::condition_error>([&] { some.set(0, 0); }) == 204);
    });
    herd.tick(0.1);
}

TEST_CASE("elements outside the array, or in use, are errors") {
    const auto chart = hero_chart();
    for (const std::span<hero> none : {std::span<hero>(), std::span<hero>(static_cast<hero*>(nullptr), 7)}) {
        hsm::crowd<hero> herd(chart, none);
        CHECK(thrown_by([&] { herd.add_element(0); }) == 222);
        CHECK(thrown_by([&] { herd.add(); }) == 222);
        CHECK(herd.tick(0.1) == result::unhandled);
    }
    std::array<hero, 3> heroes;
    hsm::crowd<hero> herd(chart, heroes);
    for (const std::size_t element : {std::size_t(3), std::size_t(1) << 32, std::size_t(-1), std::size_t(-2)})
        CHECK(thrown_by([&] { herd.add_element(element); }) == 222);
    CHECK(thrown_by([&] { herd.add(); }) == 222);
    herd.add_element(2);
    CHECK(thrown_by([&] { herd.add_element(2); }) == 221);
    hsm::crowd keeps{chart};
    CHECK(thrown_by([&] { keeps.add_element(0); }) == 222);
}

TEST_CASE("an element beyond the 2^32 that handles can count is refused") {
    const auto chart = hero_chart();
    std::array<hero, 3> heroes;
    hsm::crowd<hero> herd(chart, {heroes.data(), (std::size_t(1) << 32) + 3}); // its elements are never accessed
    CHECK(thrown_by([&] { herd.add_element(std::size_t(1) << 32); }) == 224);
    CHECK(thrown_by([&] { herd.add_element((std::size_t(1) << 32) + 2); }) == 224);
    CHECK(herd.count() == 0);
}

TEST_CASE("decide_every = 0 means 1") {
    const auto chart = hero_chart();
    hsm::crowd<hero> herd(chart, {.decide_every = 0});
    const auto id = herd.add();
    herd.set(id, "Go");
    CHECK(herd.tick(0.1) == result::taken);
    const auto other = herd.add();
    CHECK(herd.set_decide_every(other, 0));
    herd.set(other, "Go");
    CHECK(herd.tick(0.1) == result::taken);
    hsm::crowd<hero> slow(chart, {.decide_every = 65535});
    const auto late = slow.add();
    slow.set(late, "Go");
    slow.tick(0.1);
    for (int i = 1; i < 65535; ++i) REQUIRE(slow.tick(0.1) == result::unhandled);
    CHECK(slow.is_in(late, "B")); // in the first tick, or not before its turn comes again
}

TEST_CASE("the mailbox of a crowd can be absent, and its size is checked") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    CHECK(thrown_by<hsm::usage_error>([&] { static_cast<void>(herd.mailbox()); }) == 205);
    CHECK(thrown_by<hsm::usage_error>([&] { static_cast<void>(herd[herd.add()]->mailbox()); }) == 205);
    CHECK(thrown_by<hsm::usage_error>([&] { hsm::crowd<hero>(chart, {.agent = {.mailbox = 0xffff'ffff}}); }) == 207);
    for (const std::uint32_t slots : {1u, 2u, 3u, 7u}) {
        hsm::crowd<hero> with(chart, {.agent = {.mailbox = slots}});
        const auto id = with.add();
        for (std::uint32_t i = 0; i < slots; ++i) CHECK(with.mailbox().post(id, go{}) == result::queued);
        CHECK(with.mailbox().post(id, go{}) == result::full);
        with.decide();
        CHECK(with.is_in(id, "B"));
        CHECK(with.mailbox().post(agent_id(), go{}) == result::queued); // dropped when it is delivered
        with.decide();
    }
}

TEST_CASE("invalid times are refused") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    herd.add();
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(herd.tick(-1.0) == result::refused);
    CHECK(herd.tick(nan) == result::refused);
    CHECK(herd.update(-1.0) == result::refused);
    CHECK(herd.now().nanoseconds() == 0);
    herd.tick(std::numeric_limits<double>::infinity());
    herd.tick(1.0);
    CHECK(herd.now().nanoseconds() == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("release to the agent itself, or to a machine of another chart, is refused") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    const auto id = herd.add();
    CHECK(herd.release(id, *herd[id]) == result::busy);
    const auto other_chart = hero_chart();
    hero h;
    hsm::instance other{other_chart, h};
    CHECK(herd.release(id, other) == result::refused);
    CHECK(herd.has(id));
    other.start();
    CHECK_FALSE(herd.adopt(other));
    CHECK(herd.count() == 1);
}

TEST_CASE("a place is not reused after 2^31 agents, and its handles stay stale") {
    const auto chart = hero_chart();
    hsm::detail::crowd_core core(chart, hsm::detail::agent_kind_of<hero>, {}, nullptr, 0);
    const auto add = [&] {
        const auto place = core.find_position(0, 0);
        new (core.context(place)) hero;
        return core.add(place, nullptr);
    };
    const auto first = add();
    core.remove(first);
    auto& generation = core.page_number(0).generation(0);
    generation = hsm::detail::page::last_generation - 4;
    std::vector<agent_id> old;
    for (int i = 0; i < 2; ++i) {
        old.push_back(add());
        CHECK(old.back().index == 0);
        CHECK(core.count() == 1);
        CHECK(core.remove(old.back()));
    }
    CHECK(old.back().generation == hsm::detail::page::last_generation - 1);
    CHECK(generation == hsm::detail::page::last_generation);
    for (int i = 0; i < 5; ++i) {
        const auto id = add();
        CHECK(id.index == 1);
        for (const auto o : old) CHECK_FALSE(core.has(o));
        CHECK_FALSE(core.has(first));
        CHECK(core.count() == 1);
        core.remove(id);
    }
}

TEST_CASE("an element accepts no agent after 2^31 agents") {
    const auto chart = hero_chart();
    std::array<hero, 2> heroes;
    hsm::detail::crowd_core core(chart, hsm::detail::agent_kind_of<hero>, {}, reinterpret_cast<std::byte*>(heroes.data()), heroes.size());
    core.add(core.find_position(0, 99), nullptr);
    core.remove(core.id_at(0));
    core.page_number(0).generation(0) = hsm::detail::page::last_generation - 2;
    const auto last = core.add(core.find_position(0, 99), nullptr);
    core.remove(last);
    CHECK(thrown_by([&] { core.find_position(0, 99); }) == 224);
    CHECK_FALSE(core.has(last));
    CHECK(core.find_position(1, 99) == 1);
}

TEST_CASE("a removal in the agent's own call, and a failed add, use a generation") {
    struct shy {
        hsm::crowd<shy>* home = nullptr;
        bool fails = false;
    };
    auto root = hsm::make_fsm<shy>("R");
    root->add("A").on_enter([](const shy& s) {
        if (s.fails) throw 1;
    });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    const auto first = herd.add();
    herd.remove(first);
    for (int i = 0; i < 3; ++i) CHECK_THROWS_AS(herd.add(&herd, true), int);
    const auto next = herd.add();
    CHECK(next.index == first.index);
    CHECK(next.generation > first.generation + 3);
}

namespace {
/// A chart with that many states, including the root; the last but one leads to the last.
hsm::chart<hero> chart_of(std::size_t states) {
    auto root = hsm::make_fsm<hero>("R");
    for (std::size_t i = 1; i + 2 < states; ++i) root->add("s" + std::to_string(i));
    auto& before = root->add("before").on_update([](hero& h) { ++h.steps; });
    auto& last = root->add("last").on_update([](hero& h) { h.steps += 10; });
    before.to(last).when("Go");
    last.to(before).on<go>();
    return hsm::compile(std::move(root));
}

/// Checks all values of an agent's row.
void check_rows(std::size_t states) {
    CAPTURE(states);
    const auto chart = chart_of(states);
    REQUIRE(chart.state_count() == states);
    hsm::crowd<hero> herd(chart, {.start = false});
    const auto id = herd.add();
    const auto neighbor = herd.add();
    CHECK_FALSE(herd.current(id));
    herd.tick(0.1);
    herd[id]->start("before");
    herd.set(id, "Go");
    herd.tick(0.1);
    CHECK(herd.current(id) == chart.find("last"));
    CHECK(herd.count("last") == 1);
    herd.tick(0.1);
    CHECK(herd.context(id).steps == 20); // entered before its turn, and once more
    herd.clear(id, "Go");
    herd[id]->process(go{});
    CHECK(herd.current(id) == chart.find("before"));
    herd[id]->stop();
    CHECK_FALSE(herd.current(id));
    CHECK(herd.count("R") == 0);
    herd.tick(0.1);
    CHECK(herd.context(id).steps == 20);
    CHECK_FALSE(herd[id]->active());
    CHECK(herd[id]->start("last") == result::taken);
    CHECK(herd.has(neighbor));
    herd.remove(id);
    CHECK_FALSE(herd.has(id));
    CHECK(herd.count() == 1);
}
} // namespace

TEST_CASE("rows have one byte for up to 253 states") {
    for (const auto states : std::array<std::size_t, 7>{251, 252, 253, 254, 255, 256, 257}) check_rows(states);
    const auto small = chart_of(253), large = chart_of(254);
    CHECK(hsm::crowd<hero>{small}.hot_bytes() + 1 == hsm::crowd<hero>{large}.hot_bytes());
}

TEST_CASE("a crowd's chart can have up to 65,533 states") {
    check_rows(65'532);
    check_rows(65'533);
    const auto chart = chart_of(65'534);
    CHECK(thrown_by([&] { hsm::crowd<hero>{chart}; }) == 225);
    hero h;
    hsm::instance agent{chart, h}; // an instance of it can be made
    CHECK(agent.start("last") == result::taken);
}

namespace {
/// A chart with that many bits besides bit 0, of which the last one fires a transition.
void check_bits(int bits) {
    CAPTURE(bits);
    auto root = hsm::make_fsm<hero>("R");
    for (int i = 1; i <= bits; ++i) root->condition("c" + std::to_string(i));
    const auto last = "c" + std::to_string(bits);
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(last);
    b.to(a).when("!" + last);
    const auto chart = hsm::compile(std::move(root), {.entry_times = false});
    REQUIRE(chart.condition_count() == static_cast<std::size_t>(bits) + 1);
    hsm::crowd herd{chart};
    const auto id = herd.add(), other = herd.add();
    for (int i = 1; i <= bits; ++i) {
        const auto name = "c" + std::to_string(i);
        CHECK_FALSE(herd.get(id, name));
        herd.set(id, name);
        CHECK(herd.get(id, name));
        CHECK_FALSE(herd.get(other, name));
        herd.tick(0.1);
        CHECK(herd.is_in(id, i == bits ? "B" : "A"));
    }
    herd.tick(0.1);
    CHECK(herd.is_in(id, "B"));
    CHECK(herd.is_in(other, "A"));
    herd.clear(id, last);
    herd.tick(0.1);
    CHECK(herd.is_in(id, "A"));
    herd.pulse(other, last);
    herd.tick(0.1);
    CHECK(herd.is_in(other, "B"));
    CHECK_FALSE(herd.get(other, last));
    for (int i = 1; i < bits; ++i) CHECK(herd.get(id, i));
}
} // namespace

TEST_CASE("conditions work at each limit of their column") {
    for (const int bits : {1, 4, 5, 6, 7, 28, 29, 30, 31, 32, 59, 60, 61, 62, 63, 64, 65, 127, 128, 129}) check_bits(bits);
}

TEST_CASE("agents at the ends of groups and pages tick like others") {
    const auto chart = hero_chart();
    for (const std::size_t agents : {std::size_t(63), std::size_t(64), std::size_t(65), std::size_t(4095), std::size_t(4096), std::size_t(4097),
                                     std::size_t(8192), std::size_t(8193)}) {
        CAPTURE(agents);
        hsm::crowd herd{chart};
        std::vector<agent_id> ids(agents);
        for (auto& id : ids) id = herd.add();
        herd.tick(0.1);
        for (const auto id : ids) REQUIRE(herd.context(id).steps == 1);
        herd.set(ids.back(), "Go");
        CHECK(herd.tick(0.1) == result::taken);
        CHECK(herd.count("B") == 1);
        CHECK(herd.is_in(ids.back(), "B"));
        herd.remove(ids.back());
        CHECK(herd.count() == agents - 1);
        CHECK(herd.add().index == agents - 1);
    }
}

TEST_CASE("a worker's loop that calls no index ticks no agent") {
    const auto chart = hero_chart();
    hsm::crowd herd{chart};
    const auto id = herd.add();
    CHECK(herd.tick(0.1, [](std::size_t, auto) {}) == result::unhandled);
    CHECK(herd.context(id).steps == 0);
    herd.tick(0.1);
    CHECK(herd.context(id).steps == 1);
}

TEST_CASE("a guard cannot change its own agent, in a call or a tick, and can call other agents") {
    struct meddler {
        hsm::crowd<meddler>* herd = nullptr;
        agent_id me;
        agent_id other;
        mutable int refused = 0;
        bool try_all() const {
            const auto self = (*herd)[me];
            refused = (self->process(go{}) == result::busy) + (self->post(go{}) == result::busy) + (self->stop() == result::busy) +
                      (self->finish() == result::busy) + !herd->remove(me);
            herd->set(me, "Other");
            herd->pulse(me, "Other");
            herd->remove(other);
            return true;
        }
    };
    auto root = hsm::make_fsm<meddler>("R");
    root->condition("Other");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<go>().when(&meddler::try_all);
    b.to(a).when(hsm::all("Go", &meddler::try_all));
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<meddler> herd{chart};
    const auto me = herd.add();
    auto other = herd.add();
    auto& context = herd.context(me);
    const auto meddle = [&](auto call) {
        context = {&herd, me, other};
        call();
        CHECK(context.refused == 5);
        CHECK_FALSE(herd.has(other));
        CHECK(herd.has(me));
        CHECK_FALSE(herd.get(me, "Other"));
        CHECK(herd[me]->queued() == 0);
        other = herd.add();
    };
    meddle([&] { CHECK(herd[me]->process(go{}) == result::taken); });
    CHECK(herd.is_in(me, "B"));
    herd.set(me, "Go");
    meddle([&] { CHECK(herd.tick() == result::taken); });
    CHECK(herd.is_in(me, "A"));
}
