// W10: a million lamps, and the same event for all of them. `handled`: each toggles; `unhandled`: none waits for it in its state; `half`: of
// four states, at random, two toggle. The reference is an array of structs and a switch.

#include "bench.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

namespace {

enum class signal : std::uint8_t { toggle, repair };
enum state : std::uint8_t { state_off, state_on, state_broken, state_lost };
struct lamp {
    std::uint32_t lit = 0;
    std::uint32_t dark = 0;
};
void light(lamp& l) { ++l.lit; }
void darken(lamp& l) { ++l.dark; }

auto make_chart() {
    auto root = hsm::make_fsm<lamp>("lamp");
    auto& off = root->add("off").on_enter([](lamp& l) { darken(l); });
    auto& on = root->add("on").on_enter([](lamp& l) { light(l); });
    root->add("broken");
    root->add("lost");
    auto& spare = root->add("spare"); // never active
    off.to(on).on(signal::toggle);
    on.to(off).on(signal::toggle);
    spare.to(off).on(signal::repair);
    return hsm::compile(std::move(root), {.entry_times = false});
}

/// Which of its states each is in, and what comes.
struct play {
    const char* name;
    bool mixed;
    signal event;
    std::uint64_t checksum; ///< of a million, after four events
    state state_of(std::size_t i) const {
        const auto dice = i * 2654435761u ^ i * 2246822519u >> 13;
        return mixed ? static_cast<state>(dice >> 7 & 3) : state_off;
    }
};
constexpr play plays[] = {{"handled", false, signal::toggle, 0xe9b2fe9236634cfe},
                          {"unhandled", false, signal::repair, 0x3f61b11380779f1e},
                          {"half", true, signal::toggle, 0x496caca10cd3c11e}};

class ours {
public:
    ours(const play& p, std::size_t n, bool vector_code = true)
        : event_(p.event), agents_(chart_, {.agent = {.internal_queue = 0, .posted_queue = 0}, .start = false, .vector_code = vector_code}) {
        const char* const names[] = {"off", "on", "broken", "lost"};
        for (std::size_t i = 0; i < n; ++i) agents_[agents_.add()]->start(names[p.state_of(i)]);
    }
    void give() { results_ = agents_.process_all(event_); }
    std::uint64_t checksum() const {
        bench::counters.fill(0);
        agents_.each([](hsm::agent_id id, const lamp& l) { bench::count(id.index % 1000, l.lit), bench::count(1000 + id.index % 1000, l.dark); });
        bench::count(2000, results_[hsm::result::taken]);
        bench::count(2001, results_[hsm::result::unhandled]);
        return bench::checksum();
    }

private:
    signal event_;
    hsm::chart<lamp> chart_ = make_chart();
    hsm::crowd<lamp> agents_;
    hsm::result_counts results_;
};

class by_hand {
public:
    by_hand(const play& p, std::size_t n) : event_(p.event), agents_(n) {
        for (std::size_t i = 0; i < n; ++i) {
            agents_[i].is = p.state_of(i);
            if (agents_[i].is == state_off) darken(agents_[i].what);
            if (agents_[i].is == state_on) light(agents_[i].what);
        }
    }
    [[gnu::noinline]] void give() {
        taken_ = 0;
        for (auto& a : agents_) {
            taken_ += process(a, event_);
            asm volatile("" : : "r"(&a) : "memory"); // as of any machine here: it is looked at and changed from outside
        }
    }
    std::uint64_t checksum() const {
        bench::counters.fill(0);
        for (std::size_t i = 0; i < agents_.size(); ++i)
            bench::count(i % 1000, agents_[i].what.lit), bench::count(1000 + i % 1000, agents_[i].what.dark);
        bench::count(2000, taken_);
        bench::count(2001, agents_.size() - taken_);
        return bench::checksum();
    }

private:
    struct agent {
        lamp what;
        state is = state_off;
    };
    static bool process(agent& a, signal event) {
        switch (a.is) {
        case state_off:
            if (event != signal::toggle) return false;
            a.is = state_on;
            light(a.what);
            return true;
        case state_on:
            if (event != signal::toggle) return false;
            a.is = state_off;
            darken(a.what);
            return true;
        default: return false;
        }
    }

    signal event_;
    std::vector<agent> agents_;
    std::size_t taken_ = 0;
};

constexpr std::size_t agent_count = 1'000'000;
constexpr int rounds = 30;

template <class Agents> std::uint64_t checksum_of(const play& p) {
    Agents agents(p, agent_count);
    for (int i = 0; i < 4; ++i) agents.give();
    return agents.checksum();
}

/// Nanoseconds per agent.
template <class Agents> double time_of(Agents& agents) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    int times = 0;
    for (; times == 0 || clock::now() - begin < std::chrono::milliseconds(5); ++times) agents.give();
    return std::chrono::duration<double>(clock::now() - begin).count() * 1e9 / agent_count / times;
}

bool compare(const play& p) {
    const auto found = checksum_of<ours>(p), known = checksum_of<by_hand>(p);
    const bool right = found == p.checksum && known == p.checksum;
    ours a(p, agent_count);
    ours plain(p, agent_count, false);
    by_hand b(p, agent_count);
    double best = 1e9, without_vectors = 1e9, reference = 1e9;
    for (int i = 0; i < rounds; ++i) {
        best = std::min(best, time_of(a));
        without_vectors = std::min(without_vectors, time_of(plain));
        reference = std::min(reference, time_of(b));
    }
    const auto report = [&](const char* suffix, double ns) {
        std::printf("BENCH W10 param=%s%s ours_ns=%.3f reference_ns=%.3f ratio=%.2f instructions=- reference_instructions=- checksum=%s\n", p.name,
                    suffix, ns, reference, ns / reference, right ? "ok" : "wrong");
    };
    report("", best);
    report(",plain", without_vectors);
    return right;
}

/// For tools that count: the event for 65,536 agents, so often.
int only_passes(std::string_view param, bool by_us, int passes) {
    const auto give_all = [&](auto agents) {
        for (; passes > 0; --passes) agents.give();
    };
    const bool plain = param.ends_with(",plain");
    if (plain) param.remove_suffix(6);
    for (const auto& p : plays)
        if (param == p.name) by_us ? give_all(ours(p, bench::event_count, !plain)) : give_all(by_hand(p, bench::event_count));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 5) return only_passes(argv[2], std::string_view(argv[3]) == "ours", std::atoi(argv[4]));
    bool right = true;
    for (const auto& p : plays) right &= compare(p);
    return right ? 0 : 1;
}
