// How often memory is allocated in the life of an instance: its creation may, nothing after it does.

#include "samek_chart.hpp"

#include <new>

namespace {
unsigned allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++allocations;
    const auto unit = static_cast<std::size_t>(alignment);
    if (void* const memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

template <class Action> unsigned allocations_in(Action action) {
    const auto before = allocations;
    action();
    return allocations - before;
}

bool run(const char* param, const hsm::compile_options& compile_options, const hsm::instance_options& options) {
    const auto chart = samek::make_chart(compile_options);
    bench::random_events<9>();
    samek::bench_context context;
    const auto before = allocations;
    hsm::instance agent(chart, context, options);
    const auto creation = allocations - before;

    bench::counters.fill(0);
    const auto start = allocations_in([&] { agent.start(); });
    const auto process = allocations_in([&] {
        for (const auto event : bench::events) agent.process(static_cast<samek::key>(event));
    });
    const bool correct = bench::checksum() == samek::random_checksum;
    const auto post = allocations_in([&] {
        for (int i = 0; i < 100; ++i) agent.post(samek::key::A);
        agent.drain();
    });
    const auto tick = allocations_in([&] {
        for (int i = 0; i < 100; ++i) agent.tick(0.01);
    });
    const auto stop = allocations_in([&] { agent.stop(); });
    std::printf("BENCH allocations param=%s creation=%u start=%u process=%u post=%u tick=%u stop=%u checksum=%s\n", param, creation, start, process,
                post, tick, stop, correct ? "ok" : "wrong");
    return correct;
}

} // namespace

int main() {
    const bool lean = run("W2_rand9", bench::without_times, bench::without_queues);
    const bool normal = run("W2_default", {}, {});
    return lean && normal ? 0 : 1;
}
