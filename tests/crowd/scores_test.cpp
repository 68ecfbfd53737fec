// Scores that are computed for many agents in one call.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

struct boss {
    std::uint32_t dice = 1;
    double values[3] = {};
    std::uint64_t past = 0; ///< a hash of what it did

    void roll() {
        dice = dice * 1664525 + 1013904223;
        for (std::uint32_t i = 0; i < 3; ++i) values[i] = dice >> (10 + 4 * i) & 15;
    }
    void remember(std::uint64_t what) { past = (past ^ what) * 0x100000001b3; }
    double score(int i) const { return values[i] == 13 && dice % 64 == 5 ? throw std::runtime_error("13") : values[i]; }
};

std::atomic<std::size_t> most = 0; ///< the size of the largest call

void set_all(const hsm::scores<boss>& some, int i) {
    if (some.size() > most) most = some.size();
    for (std::size_t k = 0; k < some.size(); ++k) some.set(k, some[k].score(i));
}

struct variant {
    hsm::choosing how = hsm::choosing::best;
    bool periodic = false;   ///< M chooses again after a time
    bool updates = false;    ///< a hook of R changes the context before M chooses
    bool interrupts = false; ///< a transition of R changes it
    hsm::decision_order order = hsm::decision_order::superstate_first;
    bool bare = false; ///< states have no updates and do not hold, and choices have no guards
};

/// R{ M{ s0, s1, s2, s3 } }: M chooses again; s0 holds. The score of s3 is fixed.
hsm::chart<boss> boss_chart(const variant& v, bool by_many) {
    auto root = hsm::make_fsm<boss>("R");
    auto& m = root->add_fsm("M").choose(v.how).stay_bonus(1);
    v.periodic ? m.rechoose_every(200ms) : m.rechoose();
    if (v.updates) root->on_update([](boss& b) { b.roll(); });
    if (v.interrupts) root->to(m).when([](const boss& b) { return b.values[2] == 5; }).then([](boss& b) { b.roll(); }).reenter();
    for (int i = 0; i < 3; ++i) {
        auto& s = m.add("s" + std::to_string(i));
        s.on_enter([i](boss& b) { b.remember(static_cast<std::uint64_t>(i) + 1); });
        if (!v.bare) s.on_update([](boss& b) { b.remember(b.dice); });
        if (!v.bare && i == 0) s.min_duration(250ms);
        const auto choice = m.dispatch(s);
        if (!v.bare) choice.when([i](const boss& b) { return b.values[i] != 7; });
        if (by_many)
            choice.score([i](hsm::scores<boss>& some) { set_all(some, i); });
        else
            choice.score([i](const boss& b) { return b.score(i); });
    }
    m.dispatch(m.add("s3").on_enter([](boss& b) { b.remember(4); })).weight(9);
    return hsm::compile(std::move(root), {.order = v.order});
}

template <class Tick> std::vector<std::uint64_t> play(const hsm::chart<boss>& chart, hsm::update_order order, Tick tick) {
    hsm::crowd<boss> herd(chart, {.agent = {.seed = 5}, .decide_every = 2, .update_order = order});
    herd.on_update("R", [](hsm::batch<boss>& some) {
        for (boss& b : some) b.roll();
    });
    for (std::uint32_t i = 0; i < 5000; ++i) herd.add(boss{i * 7919 + 1});
    std::vector<std::uint64_t> all;
    for (int t = 0; t < 12; ++t) {
        try {
            tick(herd);
        } catch (const std::runtime_error&) {
            all.push_back(static_cast<std::uint64_t>(t));
        }
        all.push_back(herd.state_hash());
    }
    herd.each([&](hsm::agent_id, const boss& b) { all.push_back(b.past); });
    return all;
}

} // namespace

TEST_CASE("agents choose alike by scores of one call for all and by scores of single agents, with any number of workers") {
    using enum hsm::choosing;
    constexpr auto inner_first = hsm::decision_order::substate_first;
    const variant variants[] = {{},
                                {weighted},
                                {best, true},
                                {weighted, true},
                                {best, false, true},
                                {best, false, false, true},
                                {best, false, false, true, inner_first},
                                {best, false, true, false, inner_first},
                                {.bare = true},
                                {.interrupts = true, .bare = true},
                                {.order = inner_first, .bare = true}};
    for (const variant& v : variants)
        for (const auto order : {hsm::update_order::by_index, hsm::update_order::by_state}) {
            CAPTURE(v.how);
            CAPTURE(v.periodic);
            CAPTURE(v.updates);
            CAPTURE(v.interrupts);
            CAPTURE(v.order);
            CAPTURE(v.bare);
            CAPTURE(order);
            const auto single = play(boss_chart(v, false), order, [](auto& herd) { herd.tick(0.1f); });
            const auto many = boss_chart(v, true);
            most = 0;
            CHECK(play(many, order, [](auto& herd) { herd.tick(0.1f); }) == single);
            const bool changes_first = v.updates && v.order != inner_first;
            CHECK((most > 100) == !changes_first);
            CHECK(play(many, order, [](auto& herd) { herd.tick(0.1f, own_threads{4}); }) == single);
        }
}

namespace {

struct counted : recorder {
    int number = 0;
    double value = 1;
};

} // namespace

TEST_CASE("a score that takes hsm::scores is called once for all agents that choose again, and for one agent that enters the machine") {
    std::vector<std::string> calls;
    auto root = hsm::make_fsm<counted>("R");
    auto& m = root->add_fsm("M").choose(hsm::best).rechoose();
    const auto called = [&](const char* name) {
        return [name, &calls](hsm::scores<counted>& some) {
            calls.emplace_back(name);
            for (std::size_t i = 0; i < some.size(); ++i) {
                calls.back() += ' ' + std::to_string(some[i].number);
                if (some[i].value > 0) some.set(i, some[i].value);
            }
        };
    };
    m.dispatch(m.add("a")).score(called("a"));
    m.dispatch(m.add("b")).weight(2);
    m.dispatch(m.add("c")).score(called("c"));
    auto& idle = root->add("idle");
    root->to(m).on<push>();
    m.to(idle).on<pull>();
    root->initial(idle);
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<counted> herd(chart);
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 4; ++i) {
        ids.push_back(herd.add());
        herd.context(ids.back()).number = i;
    }
    for (const int i : {0, 2, 3}) herd[ids[static_cast<std::size_t>(i)]]->process(push{});
    CHECK(calls == std::vector<std::string>{"a 0", "c 0", "a 2", "c 2", "a 3", "c 3"});
    calls.clear();
    herd.context(ids[2]).value = 3;
    herd.context(ids[3]).value = 0;
    herd.tick(0.1f);
    CHECK(calls == std::vector<std::string>{"a 0 2 3", "c 0 2 3"});
    CHECK(herd[ids[0]]->current().name() == "b");
    CHECK(herd[ids[2]]->current().name() == "a");
    CHECK(herd[ids[3]]->current().name() == "b"); // an unset score is 0, also if the place had a score before
}

TEST_CASE("a call that changes an agent before its turn makes it compute its scores again") {
    std::vector<std::size_t> sizes;
    hsm::crowd<boss>* all = nullptr;
    std::vector<hsm::agent_id> ids;
    auto root = hsm::make_fsm<boss>("R");
    auto& m = root->add_fsm("M").choose(hsm::best).rechoose();
    m.on<push>().then([](boss& b) { b.values[1] = 9; });
    auto& a = m.add("a").on_update([&](boss& b) {
        if (b.dice == 0) (*all)[ids[1]]->process(push{});
    });
    m.dispatch(a).score([&](hsm::scores<boss>& some) {
        sizes.push_back(some.size());
        set_all(some, 0);
    });
    m.dispatch(m.add("b")).score([](hsm::scores<boss>& some) { set_all(some, 1); });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<boss> herd(chart);
    all = &herd;
    for (const std::uint32_t i : {0u, 1u, 2u}) ids.push_back(herd.add(boss{i, {5, 1, 0}}));
    sizes.clear();
    herd.tick(0.1f);
    CHECK(sizes == std::vector<std::size_t>{3, 1});
    CHECK(herd[ids[1]]->current().name() == "b");
    CHECK(herd[ids[2]]->current().name() == "a");
}

TEST_CASE("outside crowds, a score that takes hsm::scores computes one score") {
    auto root = hsm::make_fsm<boss>("R");
    root->choose(hsm::best).rechoose();
    for (int i = 0; i < 3; ++i)
        root->dispatch(root->add("s" + std::to_string(i))).score([i](hsm::scores<boss>& some) {
            CHECK(some.size() == 1);
            if (some[0].values[i] > 0) some.set(0, some[0].values[i]);
        });
    root->initial(root->add("none"));
    const auto chart = hsm::compile(std::move(root));
    boss b;
    hsm::instance<boss> alone(chart, b);
    alone.start();
    CHECK(alone.current().name() == "none");
    b.values[1] = 2;
    alone.tick(0.1f);
    CHECK(alone.current().name() == "s1");
    b.values[2] = 3;
    alone.tick(0.1f);
    CHECK(alone.current().name() == "s2");
}
