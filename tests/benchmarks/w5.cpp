// W5: many agents with three conditions, each ticked once per frame: nothing changes, or one of twenty agents has a condition flipped
// before each frame. An idle agent's tick is a look at its state and its bits; the references are columns scanned by
// AVX2, with 4-byte conditions, and by plain code. Besides: agents all of whom wait for an `after` that is far away, beside the idle
// columns; and who wait about a second each time, beside a column of moments.

#include "bench.hpp"
#include "w5_columns.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include <memory>

namespace {

using namespace w5;

struct nothing {};

const char* const conditions[] = {"IsRun", "IsJump", "IsAttack"};

auto make_chart() {
    auto root = hsm::make_fsm<nothing>("animation");
    for (const auto* name : conditions) root->condition(name);
    const auto counted = [&]<state State>(const char* name, std::integral_constant<state, State>) -> auto& {
        return root->add(name).on_enter([] { bench::count(State); });
    };
    auto& idle = counted("idle", std::integral_constant<state, state_idle>());
    auto& run = counted("run", std::integral_constant<state, state_run>());
    auto& jump = counted("jump", std::integral_constant<state, state_jump>());
    auto& attack = counted("attack", std::integral_constant<state, state_attack>());
    idle.to(attack).when("IsAttack");
    idle.to(jump).when("IsJump");
    idle.to(run).when("IsRun");
    run.to(idle).when("!IsRun");
    run.to(jump).when("IsJump");
    run.to(attack).when("IsAttack");
    jump.to(idle).when("!IsJump");
    attack.to(idle).when("!IsAttack");
    return hsm::compile(std::move(root), {.entry_times = false});
}

class herd {
public:
    herd(std::size_t n, bool vector_code)
        : chart_(make_chart()), agents_(chart_, {.agent = {.internal_queue = 0, .posted_queue = 0}, .vector_code = vector_code}) {
        for (std::size_t i = 0; i < n; ++i) ids_.push_back(agents_.add());
        for (std::uint32_t c = 0; c < 3; ++c) numbers_[c] = agents_.number_of(conditions[c]);
    }
    void flip(std::uint32_t agent, std::uint32_t c) {
        const hsm::condition number(static_cast<int>(numbers_[c]));
        agents_.set(ids_[agent], number, !agents_.get(ids_[agent], number));
    }
    void tick() { agents_.tick(); }
    std::size_t hot() const { return agents_.hot_bytes(); }
    std::size_t cold() const { return agents_.cold_bytes(); }

private:
    hsm::chart<nothing> chart_;
    hsm::crowd<nothing> agents_;
    std::vector<hsm::agent_id> ids_;
    std::uint32_t numbers_[3];
};

struct sleeper {
    std::uint32_t period; ///< milliseconds
};

/// Two states, each of which waits for the other.
auto make_waiting_chart() {
    auto root = hsm::make_fsm<sleeper>("sleeper");
    auto& asleep = root->add("asleep").on_enter([] { bench::count(state_idle); });
    auto& awake = root->add("awake").on_enter([] { bench::count(state_run); });
    const auto period = [](const sleeper& s) { return std::chrono::milliseconds(s.period); };
    asleep.to(awake).after(period);
    awake.to(asleep).after(period);
    return hsm::compile(std::move(root), {.entry_times = false});
}

class waiting_crowd {
public:
    explicit waiting_crowd(const std::vector<std::uint32_t>& periods)
        : chart_(make_waiting_chart()), agents_(chart_, {.agent = {.internal_queue = 0, .posted_queue = 0}}) {
        for (const auto p : periods) agents_.add(p);
    }
    void tick() { agents_.tick(frame_time); }
    std::size_t hot() const { return agents_.hot_bytes(); }
    std::size_t cold() const { return agents_.cold_bytes(); }

private:
    hsm::chart<sleeper> chart_;
    hsm::crowd<sleeper> agents_;
};

struct size {
    const char* name;
    std::size_t agents;
    std::uint64_t checksum;
};
constexpr size sizes[] = {{"1e3", 1'000, 0xc25fab782a227be9}, {"1e5", 100'000, 0x90357c6fe2b9b503}, {"1e6", 1'000'000, 0x3b2aa99d1fa006d7}};

/// Agents that have settled, and what is flipped from then on.
template <class Agents> struct contestant {
    template <class Make> contestant(std::size_t n, Make make) : count(n) {
        bench::counters.fill(0);
        agents = make();
        xorshift random;
        for (std::uint32_t i = 0; i < n; ++i)
            if (const auto k = random() % 4) agents->flip(i, k - 1);
        for (int i = 0; i < 4; ++i) agents->tick();
        const auto per_frame = std::max<std::size_t>(1, n / 20);
        for (auto left = std::max<std::size_t>(65536, per_frame * 8); left > 0; --left) {
            const auto agent = static_cast<std::uint32_t>(random() % n);
            flips.push_back({agent, random() % 3});
        }
    }

    void flip_some() {
        for (auto left = std::max<std::size_t>(1, count / 20); left > 0; --left, next = (next + 1) % flips.size())
            agents->flip(flips[next].first, flips[next].second);
    }
    /// Nanoseconds per agent and tick.
    double time(bool flipping) {
        using clock = std::chrono::steady_clock;
        std::chrono::duration<double> spent{};
        std::size_t ticks = 0;
        const int at_once = flipping || count > 20'000 ? 1 : 20;
        while (spent.count() < 0.01) {
            if (flipping) flip_some();
            const auto begin = clock::now();
            for (int i = 0; i < at_once; ++i) agents->tick();
            spent += clock::now() - begin;
            ticks += static_cast<std::size_t>(at_once);
        }
        return spent.count() * 1e9 / static_cast<double>(ticks * count);
    }

    std::size_t count;
    std::unique_ptr<Agents> agents;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> flips;
    std::size_t next = 0;
};

template <class Agents, class Make> bool is_right(const size& s, Make make) {
    contestant<Agents> c(s.agents, make);
    for (int frame = 0; frame < 50; ++frame) {
        c.flip_some();
        c.agents->tick();
    }
    return bench::checksum() == s.checksum;
}

template <class Agents> double time_of(Agents& agents, std::size_t count) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    int ticks = 0;
    for (; clock::now() - begin < std::chrono::milliseconds(10); ++ticks) agents.tick();
    return std::chrono::duration<double>(clock::now() - begin).count() * 1e9 / static_cast<double>(count) / ticks;
}

template <class Agents> std::uint64_t checksum_after(Agents&& agents, int frames) {
    for (; frames > 0; --frames) agents.tick();
    return bench::checksum();
}

std::vector<std::uint32_t> periods_of(std::size_t n, bool far) {
    xorshift random;
    std::vector<std::uint32_t> periods(n, 1'000'000'000);
    for (auto& p : periods)
        if (!far) p = 500 + random() % 1001;
    return periods;
}

template <class Reference> bool compare_waiting(const size& s, const char* name, bool far, Reference& reference) {
    const auto periods = periods_of(s.agents, far);
    bool right = true;
    for (const bool once_more : {false, true}) {
        bench::counters.fill(0);
        const auto ours = checksum_after(waiting_crowd(periods), 150 + once_more);
        bench::counters.fill(0);
        right &= ours == checksum_after(moments(periods), 150 + once_more);
    }
    waiting_crowd agents(periods);
    for (int i = 0; i < 200; ++i) agents.tick(), reference.tick(); // until they no longer go together
    double best = 1e9, theirs = 1e9;
    for (int round = 0; round < 30; ++round) {
        best = std::min(best, time_of(agents, s.agents));
        theirs = std::min(theirs, time_of(reference, s.agents));
    }
    std::printf("BENCH W5 param=%s_%s ours_ns=%.3f reference_ns=%.3f ratio=%.2f hot=%zu cold=%zu checksum=%s\n", name, s.name, best, theirs,
                best / theirs, agents.hot(), agents.cold(), right ? "ok" : "wrong");
    return right;
}

template <class Reference> bool compare(const size& s, const char* suffix, bool vector_code) {
    const auto ours = [&] { return std::make_unique<herd>(s.agents, vector_code); };
    const auto theirs = [&] { return std::make_unique<Reference>(s.agents); };
    const bool right = is_right<herd>(s, ours) && is_right<Reference>(s, theirs);
    contestant<herd> a(s.agents, ours);
    contestant<Reference> b(s.agents, theirs);
    for (const bool flipping : {false, true}) {
        double best = 1e9, reference = 1e9;
        for (int round = 0; round < 30; ++round) {
            best = std::min(best, a.time(flipping));
            reference = std::min(reference, b.time(flipping));
        }
        std::printf("BENCH W5 param=%s_%s%s ours_ns=%.3f reference_ns=%.3f ratio=%.2f hot=%zu cold=%zu checksum=%s\n", flipping ? "flips5" : "idle",
                    s.name, suffix, best, reference, best / reference, a.agents->hot(), a.agents->cold(), right ? "ok" : "wrong");
    }
    return right;
}

/// For tools that count: as many ticks of 65,536 agents, all of whom wait: for something far away, or not.
int only_waiting_ticks(bool far, bool ours, int ticks) {
    const auto periods = periods_of(65536, far);
    ours ? checksum_after(waiting_crowd(periods), ticks) : checksum_after(moments(periods), ticks);
    return 0;
}

/// Of which one in twenty is flipped before each, or none.
int only_ticks(bool flipping, bool ours, int ticks) {
    const auto play = [&](auto make) {
        contestant<std::remove_reference_t<decltype(*make())>> c(65536, make);
        for (; ticks > 0; --ticks) {
            if (flipping) c.flip_some();
            c.agents->tick();
        }
    };
    if (ours)
        play([] { return std::make_unique<herd>(65536, false); });
    else
        play([] { return std::make_unique<plain_columns>(65536); });
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 5 && std::string_view(argv[2]).starts_with("waits"))
        return only_waiting_ticks(true, std::string_view(argv[3]) == "ours", std::atoi(argv[4]));
    if (argc == 5 && std::string_view(argv[2]).starts_with("timers"))
        return only_waiting_ticks(false, std::string_view(argv[3]) == "ours", std::atoi(argv[4]));
    if (argc == 5) return only_ticks(std::string_view(argv[2]).starts_with("flips5"), std::string_view(argv[3]) == "ours", std::atoi(argv[4]));
    bool right = true;
    for (const auto& s : sizes) {
        if (vector_columns::available()) right &= compare<vector_columns>(s, "", true);
        right &= compare<plain_columns>(s, ",plain", false);
        if (!vector_columns::available() || s.agents < 100'000) continue;
        vector_columns idle(s.agents);
        right &= compare_waiting(s, "waits", true, idle);
        moments timed(periods_of(s.agents, false));
        right &= compare_waiting(s, "timers", false, timed);
    }
    return right ? 0 : 1;
}
