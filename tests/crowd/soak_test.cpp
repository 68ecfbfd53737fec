// Compares a crowd with a simple model: random operations from outside and from hooks, and everything observable.
//
//     HSM_OPERATIONS=10000000    number of operations
//     HSM_SEED=17                another sequence

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/mob_model.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace test;

namespace {

constexpr int most_agents = 150;
constexpr int most_handles = 64;

struct push {};
struct letter {
    std::shared_ptr<int> stamp;
};

struct fixture;
/// The context of an agent.
struct mob {
    fixture* w = nullptr;
    int number = -1; ///< in the model
    int updates = 0;
    int letters = 0;
};
struct bag {
    std::shared_ptr<int> stamp;
    std::string text = "longer than what a string keeps in itself";
};

struct fixture {
    const bool times; ///< a sleeping agent wakes up after a while
    hsm::chart<mob> chart;
    hsm::crowd<mob> herd;
    std::vector<wanted> model{static_cast<std::size_t>(most_agents)};
    std::vector<int> at; ///< by place
    std::vector<hsm::agent_id> stale;
    random_numbers random;
    std::shared_ptr<int> stamp = std::make_shared<int>();

    std::uint64_t ticks = 0;
    int kind = -1; ///< of the frame in progress: 0 tick, 1 update, 2 decide; -1: none is
    std::int64_t elapsed = 0;
    std::size_t next = 0; ///< the first place that was not ticked in it
    int hook_of = -1;
    std::uint64_t added = 0, removed = 0, in_hooks = 0, fired = 0;

    fixture(std::uint64_t seed, bool lists, bool with_times);
    wanted& of(int n) { return model[static_cast<std::size_t>(n)]; }
    void act(bool inside);
    void act_on(int n, bool inside);
    void give_many();
    void add(int n);
    void remove(int n);
    void frame(int what);
    void pass(std::size_t place);
    void handle(wanted& w, bool is_letter) { fired += w.handle(is_letter); }
    void change(int n, int bit, int to) { of(n).change(bit, to); }
    void check(int n);
    void check_all();
};

void updated(mob& m) {
    auto& w = *m.w;
    auto& agent = w.of(m.number);
    while (w.next <= agent.id.index) w.pass(w.next++); // the places up to this one were ticked in this frame
    ++m.updates;
    w.hook_of = m.number;
    if (w.random.below(40) == 0)
        for (int n = 1 + w.random.below(2); n > 0 && agent.exists; --n) w.act(true);
    w.hook_of = -1;
    agent.bits &= ~agent.ending;
    agent.ending = 0;
}

hsm::chart<mob> mob_chart(bool times) {
    auto root = hsm::make_fsm<mob>("R");
    for (const auto* c : conditions) root->condition(c);
    auto& idle_state = root->add("idle").on_update(&updated);
    auto& moves = root->add_fsm("moves");
    auto& walking = moves.add<bag>("walks").on_enter([](mob& m, bag& b) { b.stamp = m.w->stamp; });
    auto& running = moves.add("runs");
    auto& sleeping = root->add("sleeps");
    auto& over = root->add("dead").on_update(&updated);
    const auto read = [](mob& m, const letter& l) { m.letters += static_cast<bool>(l.stamp); };
    idle_state.to(moves).when("Go");
    walking.to(running).when("Fast");
    running.to(walking).when("!Fast");
    moves.to(sleeping).when("Tired").priority(1);
    moves.to(idle_state).when("!Go");
    if (times)
        sleeping.to(idle_state).after(hsm::time_span::from_nanoseconds(1000));
    else
        sleeping.to(idle_state).when("!Tired");
    idle_state.to(over).on<push>();
    over.to(idle_state).on<push>();
    idle_state.on<letter>().then(read);
    moves.on<letter>().then(read);
    return hsm::compile(std::move(root), {.entry_times = times});
}

fixture::fixture(std::uint64_t seed, bool lists, bool with_times)
    : times(with_times), chart(mob_chart(with_times)), herd(chart, {.agent = {.posted_queue = 4}, .lists = lists}), random{seed} {}

void fixture::add(int n) {
    const auto id = herd.add(this, n);
    if (at.size() <= id.index) at.resize(id.index + 1, -1);
    REQUIRE(at[id.index] == -1);
    for (const auto& gone : stale) REQUIRE(gone != id);
    at[id.index] = n;
    of(n) = {true, id, idle};
    of(n).newcomer = kind >= 0;
    ++added;
}

void fixture::remove(int n) {
    auto& w = of(n);
    REQUIRE(herd.remove(w.id));
    REQUIRE_FALSE(herd.has(w.id));
    ++removed;
    if (stale.size() < most_handles)
        stale.push_back(w.id);
    else
        stale[static_cast<std::size_t>(random.below(most_handles))] = w.id;
    w.exists = false;
    at[w.id.index] = -1;
}

/// Ticks the agent in the model.
void fixture::pass(std::size_t place) {
    if (at[place] < 0) return;
    auto& w = of(at[place]);
    if (w.newcomer) return;
    if (!w.paused) w.now += elapsed;
    const bool decides = kind == 2 || (kind == 0 && (w.rate <= 1 || (ticks + place) % w.rate == 0));
    if (decides) {
        w.ending = w.pulsed;
        w.pulsed = 0;
        const auto posted = std::exchange(w.posted, {});
        for (const bool is_letter : posted) handle(w, is_letter);
        fired += w.decide(times);
    }
    const bool updates = kind != 2 && (w.state == idle || w.state == dead);
    if (updates) {
        ++w.updates; // pulses end after its hook
    } else {
        w.bits &= ~w.ending;
        w.ending = 0;
    }
}

void fixture::frame(int what) {
    kind = what;
    elapsed = what == 2 ? 0 : random.below(600);
    next = 0;
    const auto before = fired;
    const auto time = hsm::time_span::from_nanoseconds(elapsed);
    const auto outcome = what == 0 ? herd.tick(time) : what == 1 ? herd.update(time) : herd.decide();
    while (next < at.size()) pass(next++);
    if (outcome == hsm::result::taken) REQUIRE(fired > before);
    kind = -1;
    if (what != 1) ++ticks;
    for (auto& w : model) w.newcomer = false;
}

void fixture::act(bool inside) {
    in_hooks += inside;
    const int n = random.below(most_agents);
    const auto bit = random.below(bits_of_all);
    switch (random.below(12)) {
    case 0:
        if (inside) {
            REQUIRE(herd.tick() == hsm::result::busy);
            return;
        }
        return frame(random.below(8) == 0 ? 2 : random.below(6) == 0 ? 1 : 0);
    case 1: {
        if (random.below(20) != 0) return;
        const bool on = random.below(2);
        herd.set_all(conditions[bit], on);
        for (int i = 0; i < most_agents; ++i)
            if (of(i).exists) change(i, bit, on);
        return;
    }
    case 2: {
        std::array<hsm::agent_id, 6> some;
        std::size_t there = 0;
        const bool on = random.below(2);
        for (auto& id : some) {
            const int i = random.below(most_agents);
            id = of(i).id;
            if (!of(i).exists) continue;
            ++there;
            change(i, bit, on);
        }
        REQUIRE(herd.set(some, conditions[bit], on) == there);
        return;
    }
    case 3:
        if (inside || random.below(10) != 0) return;
        {
            const int state = random.below(5);
            const bool is_letter = random.below(2);
            std::vector<int> in;
            for (int i = 0; i < most_agents; ++i)
                if (of(i).exists && of(i).state == state) in.push_back(i);
            const auto outcome = is_letter ? herd.process_in(paths[state], letter{stamp}) : herd.process_in(paths[state], push{});
            std::size_t counted = 0;
            for (const auto c : outcome.counts) counted += c;
            REQUIRE(counted == in.size());
            for (const int i : in) handle(of(i), is_letter);
        }
        return;
    case 4:
        if (inside || random.below(10) != 0) return;
        return give_many();
    case 5:
        if (stale.empty()) return;
        {
            const auto gone = stale[static_cast<std::size_t>(random.below(static_cast<int>(stale.size())))];
            REQUIRE_FALSE(herd.has(gone));
            REQUIRE_FALSE(herd.remove(gone));
            REQUIRE_FALSE(herd.set(gone, conditions[bit]));
        }
        return;
    default: return act_on(n, inside);
    }
}

/// Gives an event to all agents, or to a list in random order with repeated and stale handles.
void fixture::give_many() {
    const bool is_letter = random.below(2);
    std::vector<hsm::agent_id> ids;
    if (random.below(2)) {
        for (const int n : at)
            if (n >= 0) ids.push_back(of(n).id);
        is_letter ? herd.process_all(letter{stamp}) : herd.process_all(push{});
    } else {
        for (int i = random.below(20); i > 0; --i) ids.push_back(of(random.below(most_agents)).id);
        is_letter ? herd.process(ids, letter{stamp}) : herd.process(ids, push{});
    }
    for (const auto id : ids)
        if (herd.has(id)) handle(of(at[id.index]), is_letter);
}

void fixture::act_on(int n, bool inside) {
    auto& w = of(n);
    const bool itself = n == hook_of;
    if (!w.exists) {
        if (!itself) add(n);
        return;
    }
    const auto bit = random.below(bits_of_all);
    const bool is_letter = random.below(2);
    switch (random.below(inside ? 11 : 12)) {
    case 0:
    case 1:
    case 2: {
        const bool on = random.below(2);
        REQUIRE(herd.set(w.id, conditions[bit], on));
        return change(n, bit, on);
    }
    case 3: REQUIRE(herd.pulse(w.id, conditions[bit])); return change(n, bit, 2);
    case 4:
    case 5:
        if (itself) return; // it would be queued
        is_letter ? herd[w.id]->process(letter{stamp}) : herd[w.id]->process(push{});
        return handle(w, is_letter);
    case 6: {
        const auto outcome = is_letter ? herd[w.id]->post(letter{stamp}) : herd[w.id]->post(push{});
        REQUIRE(outcome == (w.posted.size() < 4 ? hsm::result::queued : hsm::result::full));
        if (w.posted.size() < 4) w.posted.push_back(is_letter);
        return;
    }
    case 7:
        REQUIRE(herd[w.id]->paused() == w.paused);
        w.paused ? herd[w.id]->resume() : herd[w.id]->pause();
        w.paused = !w.paused;
        return;
    case 8:
        w.rate = static_cast<std::uint64_t>(1 + random.below(3));
        REQUIRE(herd.set_decide_every(w.id, static_cast<std::uint16_t>(w.rate)));
        return;
    case 9:
        if (random.below(3) == 0) remove(n);
        return;
    default:
        if (!itself && kind < 0) check(n);
        return;
    }
}

void fixture::check(int n) {
    const auto& w = of(n);
    REQUIRE(herd.has(w.id) == w.exists);
    if (!w.exists) return;
    REQUIRE(herd.context(w.id).number == n);
    REQUIRE(herd.current(w.id).path() == std::string("R/") + paths[w.state]);
    REQUIRE(herd.is_in(w.id, paths[w.state]));
    for (int b = 0; b < bits_of_all; ++b) REQUIRE(herd.get(w.id, conditions[b]) == ((w.bits >> b & 1) != 0));
    REQUIRE(herd[w.id]->queued() == w.posted.size());
    REQUIRE(herd.context(w.id).updates == w.updates);
    REQUIRE(herd.context(w.id).letters == w.letters);
}

void fixture::check_all() {
    std::size_t count = 0;
    std::array<std::size_t, 5> in{};
    long stamps = 1;
    for (int n = 0; n < most_agents; ++n) {
        check(n);
        if (!of(n).exists) continue;
        ++count;
        ++in[static_cast<std::size_t>(of(n).state)];
        stamps += of(n).state == walks;
        for (const bool is_letter : of(n).posted) stamps += is_letter;
    }
    REQUIRE(herd.count() == count);
    for (std::size_t s = 0; s < in.size(); ++s) REQUIRE(herd.count(paths[s]) == in[s]);
    REQUIRE(herd.count("moves") == in[walks] + in[runs]);
    REQUIRE(stamp.use_count() == stamps);
    std::size_t visited = 0;
    herd.each([&](hsm::agent_id id, const mob& m) {
        REQUIRE(of(m.number).id == id);
        ++visited;
    });
    REQUIRE(visited == count);
}

} // namespace

TEST_CASE("a crowd behaves like a simple model of it") {
    const auto operations = number_from("HSM_OPERATIONS", 100'000) / 4;
    for (const bool lists : {false, true})
        for (const bool times : {false, true}) {
            CAPTURE(lists);
            CAPTURE(times);
            const auto stamp = [&] {
                fixture w(number_from("HSM_SEED", 1) * 0x9e37'79b9'7f4a'7c15 + 1 + lists * 2 + times, lists, times);
                for (std::uint64_t i = 0; i < operations; ++i) {
                    w.act(false);
                    if (i % 64 == 0) w.check_all();
                }
                w.check_all();
                CHECK(w.in_hooks > operations / 100);
                CHECK(w.added > operations / 100);
                CHECK(w.removed > operations / 100);
                CHECK(w.fired > operations / 10);
                return w.stamp;
            }();
            CHECK(stamp.use_count() == 1);
        }
}
