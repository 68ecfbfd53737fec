/// The harness of the benchmarks: machines that count what they do handle the same 65,536 events, over and over.
///
/// A machine is any class with start() and process(event). The counters after its start and one pass over the events
/// say whether it did what it was to do. A program prints one BENCH line for each of its workloads; with the arguments
/// <workload> <parameter> <label> <passes> it only makes that many passes, for tools that count instructions.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::size_t event_count = 65536;
inline std::array<std::uint8_t, event_count> events;
inline std::array<std::uint64_t, 4096> counters;

inline void count(std::size_t slot, std::uint64_t by = 1) { counters[slot] += by; }

inline void same_event() { events.fill(0); }

/// Each of 0 .. kinds - 1 as likely as the others (Marsaglia's xorshift32).
template <unsigned Kinds> void random_events() {
    std::uint32_t x = 2463534242;
    for (auto& event : events) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        event = static_cast<std::uint8_t>((x >> 8) % Kinds);
    }
}

/// The first 64 of them again and again, which a branch predictor learns.
template <unsigned Kinds> void periodic_events() {
    random_events<Kinds>();
    for (std::size_t i = 64; i < event_count; ++i) events[i] = events[i % 64];
}

/// FNV-1a over the counters, lowest byte first.
inline std::uint64_t checksum() {
    std::uint64_t hash = 1469598103934665603;
    for (const auto counter : counters)
        for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (counter >> shift & 255)) * 1099511628211;
    return hash;
}

/// If nothing has been counted, but this often in the first slot.
inline std::uint64_t checksum_of(std::uint64_t first) {
    counters.fill(0);
    count(0, first);
    return checksum();
}

struct workload {
    std::string_view name;
    std::string param;
    std::uint64_t checksum; ///< after the start and one pass
    void (*prepare)() = same_event;
};

/// The compiler has to assume that the machine's state is read and written between any two events, unless it takes all of them at once.
template <class Machine> [[gnu::noinline]] void pass(Machine& machine) {
    if constexpr (requires { machine.feed(events.data(), event_count); }) {
        machine.feed(events.data(), event_count);
        asm volatile("" : : "r"(&machine) : "memory");
    } else {
        for (const auto event : events) {
            machine.process(event);
            asm volatile("" : : "r"(&machine) : "memory");
        }
    }
}

template <class Machine> struct contestant {
    template <class Make> contestant(const workload& w, Make make) : machine(make()) {
        counters.fill(0);
        machine.start();
        pass(machine);
        const auto found = checksum();
        correct = found == w.checksum;
        if (!correct) std::fprintf(stderr, "%s %s: the checksum is %#jx\n", w.name.data(), w.param.data(), std::uintmax_t(found));
    }

    double time(int passes) {
        using clock = std::chrono::steady_clock;
        const auto begin = clock::now();
        for (int i = 0; i < passes; ++i) pass(machine);
        const std::chrono::duration<double> elapsed = clock::now() - begin;
        best_ns = std::min(best_ns, elapsed.count() * 1e9 / passes / event_count);
        return elapsed.count();
    }

    /// So many that a round takes long enough to be timed, and so short that some rounds are not interrupted.
    int passes_per_round() {
        int passes = 1;
        while (time(passes) < 0.01) passes *= 2;
        return passes;
    }

    Machine machine;
    bool correct = false;
    double best_ns = 1e9;
};

template <class Make> contestant(const workload&, Make) -> contestant<decltype(std::declval<Make>()())>;

class program {
public:
    program(int argc, char** argv) : arguments_(argv + 1, argv + argc) {}

    /// Ours (or a peer) and the reference, in alternating rounds.
    template <class Make, class MakeReference> void compare(const workload& w, Make make, MakeReference make_reference, const char* label = "ours") {
        w.prepare();
        if (!arguments_.empty()) return only_passes(w, label, make), only_passes(w, "reference", make_reference);
        contestant ours(w, make);
        contestant reference(w, make_reference);
        const auto passes = ours.passes_per_round();
        const auto reference_passes = reference.passes_per_round();
        for (int i = 0; i < rounds; ++i) {
            ours.time(passes);
            reference.time(reference_passes);
        }
        std::printf("BENCH %s param=%s %s_ns=%.1f reference_ns=%.1f ratio=%.2f instructions=- reference_instructions=- jumps=- "
                    "bytes=%zu checksum=%s\n",
                    w.name.data(), w.param.data(), label, ours.best_ns, reference.best_ns, ours.best_ns / reference.best_ns, ours.machine.bytes(),
                    verdict(ours.correct && reference.correct));
    }

    /// Without a reference.
    template <class Make> void measure(const workload& w, Make make) {
        w.prepare();
        if (!arguments_.empty()) return only_passes(w, "ours", make);
        contestant ours(w, make);
        const auto passes = ours.passes_per_round();
        for (int i = 0; i < rounds / 3; ++i) ours.time(passes);
        std::printf("BENCH %s param=%s ours_ns=%.1f instructions=- jumps=- checksum=%s\n", w.name.data(), w.param.data(), ours.best_ns,
                    verdict(ours.correct));
    }

    /// For main: a wrong checksum is a failure.
    int status() const { return all_correct_ ? 0 : 1; }

private:
    static constexpr int rounds = 30;

    template <class Make> void only_passes(const workload& w, std::string_view label, Make make) {
        if (arguments_[0] != w.name || arguments_[1] != w.param || arguments_[2] != label) return;
        auto machine = make();
        machine.start();
        for (auto n = std::atoi(arguments_[3].data()); n > 0; --n) pass(machine);
    }

    const char* verdict(bool correct) {
        all_correct_ = all_correct_ && correct;
        return correct ? "ok" : "wrong";
    }

    std::vector<std::string> arguments_;
    bool all_correct_ = true;
};

} // namespace bench
