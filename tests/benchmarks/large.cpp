// How much memory and time `compile` takes for large definitions: those of tests/support/large_charts.hpp by their size; and 10,000 states in
// 99 machines, 1,000 events, of which the root answers one, and each other state three. Bytes are what malloc has given, without
// what the definition itself takes; `peak` is the most at any time. With a size it has been compiled, an event and a tick are timed.

#include "machine.hpp"

#include <tests/support/large_charts.hpp>

#include <malloc.h>
#include <new>

namespace {
std::size_t in_use = 0, peak = 0;

void* counted(void* memory) {
    if (!memory) throw std::bad_alloc();
    in_use += malloc_usable_size(memory);
    peak = std::max(peak, in_use);
    return memory;
}
void discount(void* memory) noexcept {
    in_use -= malloc_usable_size(memory);
    std::free(memory);
}
} // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { discount(memory); }
void operator delete(void* memory, std::size_t) noexcept { discount(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { discount(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { discount(memory); }

namespace {

enum class signal : std::uint16_t {};
struct nothing {};

constexpr unsigned machines = 99, leaves = 100, events = 1000; // 1 + 99 * (1 + 100) = 10,000 states

using siblings = std::vector<hsm::state<nothing>*>;

/// From each of them to the next three, by events between 1 and 999.
void connect(const siblings& states, unsigned first) {
    for (unsigned i = 0; i < states.size(); ++i)
        for (unsigned k = 1; k <= 3; ++k) states[i]->to(*states[(i + k) % states.size()]).on(signal(1 + (first + i * 7 + k * 97) % (events - 1)));
}

auto define() {
    auto root = hsm::make_fsm<nothing>("root");
    root->on(signal(0)).then([](nothing&) { bench::count(0); });
    siblings all_machines;
    for (unsigned i = 0; i < machines; ++i) {
        auto& machine = root->add_fsm("machine" + std::to_string(i));
        all_machines.push_back(&machine);
        siblings all_leaves;
        for (unsigned j = 0; j < leaves; ++j) all_leaves.push_back(&machine.add("leaf" + std::to_string(j)));
        connect(all_leaves, i * 331);
    }
    connect(all_machines, 500);
    return root;
}

double megabytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

double seconds() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

/// Most of what is to be checked is that it compiles at all.
bool works(const hsm::chart<nothing>& chart) {
    nothing context;
    hsm::instance agent(chart, context, bench::without_queues);
    agent.start();
    return chart.state_count() == 10000 && agent.process(signal(0)) == hsm::result::internal && agent.process(signal(98)) == hsm::result::taken &&
           agent.current() == chart.find("machine0/leaf1");
}

bool measure_machines() {
    const auto begin = seconds();
    const auto nothing_yet = in_use;
    auto root = define();
    const auto defined = seconds();
    const auto before = peak = in_use;
    const auto chart = hsm::compile(std::move(root));
    const auto compiled = seconds();
    const bool correct = works(chart);
    std::printf("BENCH large param=10000_states_1000_events compile_seconds=%.2f compile_peak_mb=%.0f chart_mb=%.0f define_seconds=%.2f "
                "define_mb=%.0f checksum=%s\n",
                compiled - defined, megabytes(peak - before), megabytes(in_use - before), defined - begin, megabytes(before - nothing_yet),
                correct ? "ok" : "wrong");
    return correct;
}

/// Nanoseconds, the least of several rounds.
template <class Action> double nanoseconds_of(Action action) {
    double least = 1e9;
    for (int round = 0; round < 5; ++round) {
        constexpr int times = 20;
        const auto begin = seconds();
        for (int i = 0; i < times; ++i) action();
        least = std::min(least, (seconds() - begin) * 1e9 / times);
    }
    return least;
}

/// Of an event, and a tick, that every guard refuses.
bool measure(const large::shape& shape, int n) {
    const auto nothing_yet = in_use;
    auto root = shape.define(n).root;
    const auto before = peak = in_use;
    const auto begin = seconds();
    const auto chart = hsm::compile(std::move(root));
    const auto compile_seconds = seconds() - begin;
    const auto most = peak - before, chart_bytes = in_use - before;
    large::data context;
    hsm::instance agent(chart, context, bench::without_queues);
    agent.start();
    const auto entered = context.entered;
    const auto event = nanoseconds_of([&] { agent.process(large::signal(n % large::signals)); });
    const auto tick = nanoseconds_of([&] { agent.tick(); });
    const bool correct = entered > 0 && context.entered >= entered;
    std::printf("BENCH large param=%s_%d compile_seconds=%.3f compile_peak_mb=%.1f chart_mb=%.1f define_mb=%.1f event_ns=%.0f tick_ns=%.0f "
                "checksum=%s\n",
                shape.name.data(), n, compile_seconds, megabytes(most), megabytes(chart_bytes), megabytes(before - nothing_yet), event, tick,
                correct ? "ok" : "wrong");
    std::fflush(stdout);
    return correct;
}

} // namespace

int main() {
    bool correct = measure_machines();
    for (const auto& shape : large::shapes)
        for (const int n : {10, 100, 500, 1'000, 1'500, 3'000, 10'000, 65'000})
            if (n <= shape.most) correct &= measure(shape, n);
    return correct ? 0 : 1;
}
