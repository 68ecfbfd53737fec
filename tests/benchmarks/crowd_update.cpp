// A million agents each of which moves in every tick, by an update hook of its state: all in the same one, or each in one of four at
// random. The reference is an array of structs and a loop. By two workers: how much faster than by one, ours and the reference.

#include "bench.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#if HSM_BENCH_WORKERS
#include <hsm/crowd/workers.hpp>
#endif

#include <span>

namespace {

constexpr std::size_t agent_count = 1'000'000;

struct monster {
    float x = 0, y = 0;
    float speed = 1;
    std::uint32_t steps = 0;
};

// What the states do.
void walk(monster& m, float dt) { m.x += m.speed * dt; }
void climb(monster& m, float dt) { m.y += m.speed * dt; }
void slow_down(monster& m, float dt) { m.speed -= m.speed * dt; }
void count_steps(monster& m, float) { ++m.steps; }

/// Which of four states an agent is in.
int state_of(std::size_t i, bool mixed) { return mixed ? static_cast<int>(i * 2654435761u >> 7 & 3) : 0; }

auto make_chart() {
    auto root = hsm::make_fsm<monster>("monster");
    root->add("walks").on_update([](monster& m, float dt) { walk(m, dt); });
    root->add("climbs").on_update([](monster& m, float dt) { climb(m, dt); });
    root->add("slows_down").on_update([](monster& m, float dt) { slow_down(m, dt); });
    root->add("counts").on_update([](monster& m, float dt) { count_steps(m, dt); });
    return hsm::compile(std::move(root), {.entry_times = false});
}

class ours {
public:
    explicit ours(bool mixed, hsm::update_order order = hsm::update_order::by_index) : agents_(chart_, options_for(order)) {
        const char* const names[] = {"walks", "climbs", "slows_down", "counts"};
        for (std::size_t i = 0; i < agent_count; ++i) agents_[agents_.add()]->start(names[state_of(i, mixed)]);
    }
    void tick(float dt) { agents_.tick(dt); }
    template <class Workers> void tick(float dt, Workers& by) { agents_.tick(dt, by); }
    double sum() const {
        double all = 0;
        agents_.each([&](hsm::agent_id, const monster& m) { all += m.x + m.y + m.speed + m.steps; });
        return all;
    }

private:
    static hsm::crowd_options options_for(hsm::update_order order) {
        return {.agent = {.internal_queue = 0, .posted_queue = 0}, .start = false, .update_order = order};
    }
    hsm::chart<monster> chart_ = make_chart();
    hsm::crowd<monster> agents_;
};

class by_hand {
public:
    explicit by_hand(bool mixed) : agents_(agent_count) {
        for (std::size_t i = 0; i < agent_count; ++i) agents_[i].state = state_of(i, mixed);
    }
    void tick(float dt) { tick(0, agent_count, dt); }
    template <class Workers> void tick(float dt, Workers& by) {
        constexpr std::size_t part = 4096;
        by((agent_count + part - 1) / part, [&](std::size_t i) { tick(i * part, std::min(agent_count, (i + 1) * part), dt); });
    }
    double sum() const {
        double all = 0;
        for (const auto& a : agents_) all += a.what.x + a.what.y + a.what.speed + a.what.steps;
        return all;
    }

private:
    struct agent {
        monster what;
        int state = 0;
    };
    [[gnu::noinline]] void tick(std::size_t begin, std::size_t end, float dt) {
        for (auto i = begin; i < end; ++i) {
            auto& a = agents_[i];
            switch (a.state) {
            case 0: walk(a.what, dt); break;
            case 1: climb(a.what, dt); break;
            case 2: slow_down(a.what, dt); break;
            default: count_steps(a.what, dt); break;
            }
        }
        asm volatile("" : : "r"(agents_.data()) : "memory");
    }
    std::vector<agent> agents_;
};

template <class Step> double seconds_of(Step step) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    step();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

constexpr float dt = 0.016f;
constexpr int rounds = 40;

bool compare(bool mixed) {
    ours a(mixed);
    ours by_state(mixed, hsm::update_order::by_state);
    by_hand b(mixed);
    double best = 1e9, best_by_state = 1e9, reference = 1e9;
    for (int i = 0; i < rounds; ++i) {
        best = std::min(best, seconds_of([&] { a.tick(dt); }));
        best_by_state = std::min(best_by_state, seconds_of([&] { by_state.tick(dt); }));
        reference = std::min(reference, seconds_of([&] { b.tick(dt); }));
    }
    const bool right = a.sum() == b.sum() && by_state.sum() == b.sum();
    const auto report = [&](const char* suffix, double seconds) {
        std::printf("BENCH crowd_update param=%s%s ours_ns=%.2f reference_ns=%.2f ratio=%.2f checksum=%s\n", mixed ? "mixed" : "same", suffix,
                    seconds * 1e9 / agent_count, reference * 1e9 / agent_count, seconds / reference, right ? "ok" : "wrong");
    };
    report("", best);
    report(",by_state", best_by_state);
    return right;
}

#if HSM_BENCH_WORKERS
bool compare_workers(bool mixed) {
    ours a(mixed);
    by_hand b(mixed);
    hsm::workers one(1), two(2);
    double by_one = 1e9, by_two = 1e9, reference_by_one = 1e9, reference_by_two = 1e9;
    for (int i = 0; i < rounds; ++i) {
        by_one = std::min(by_one, seconds_of([&] { a.tick(dt, one); }));
        reference_by_one = std::min(reference_by_one, seconds_of([&] { b.tick(dt, one); }));
        by_two = std::min(by_two, seconds_of([&] { a.tick(dt, two); }));
        reference_by_two = std::min(reference_by_two, seconds_of([&] { b.tick(dt, two); }));
    }
    const bool right = a.sum() == b.sum();
    const auto speedup = by_one / by_two;
    const auto reference = reference_by_one / reference_by_two;
    std::printf("BENCH crowd_workers param=%s speedup=%.2f reference_speedup=%.2f ratio=%.2f checksum=%s\n", mixed ? "mixed" : "same", speedup,
                reference, speedup / reference, right ? "ok" : "wrong");
    return right;
}
#endif

} // namespace

int main() {
    bool right = true;
    for (const bool mixed : {false, true}) right &= compare(mixed);
#if HSM_BENCH_WORKERS
    for (const bool mixed : {false, true}) right &= compare_workers(mixed);
#endif
    return right ? 0 : 1;
}
