// What going back costs. BENCH save lines:
//
//     samek        image of Samek's machine saved, and restored, beside a memcpy of that image
//
// For instructions, run `bench_save samek 0 N` under callgrind with two numbers N of rounds: the difference is theirs.

#include "samek_chart.hpp"

#include <hsm/save/image.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

double nanoseconds_each(std::size_t times, const std::function<void()>& work) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double, std::nano>(clock::now() - begin).count() / static_cast<double>(times);
}

/// The compiler does not know what becomes of it.
void keep(void* memory) { asm volatile("" : : "r"(memory) : "memory"); }

void samek_there_and_back(hsm::instance_base& agent, std::span<std::byte> image, std::size_t rounds) {
    for (std::size_t i = 0; i < rounds; ++i) {
        const auto [outcome, size] = hsm::save(agent, image);
        if (outcome != hsm::result::taken || hsm::restore(agent, image.first(size)) != hsm::result::taken) std::abort();
    }
}

void bench_samek(std::size_t rounds) {
    const auto chart = samek::make_chart({});
    samek::bench_context context;
    hsm::instance agent(chart, context);
    agent.start();
    agent.process(samek::key::A);
    std::vector<std::byte> image(hsm::image_size(agent)), copy(image.size());
    samek_there_and_back(agent, image, 1);
    const auto before = allocations;
    double best = 1e9, best_copy = 1e9;
    for (int i = 0; i < 9; ++i) {
        best = std::min(best, nanoseconds_each(rounds, [&] { samek_there_and_back(agent, image, rounds); }));
        best_copy = std::min(best_copy, nanoseconds_each(rounds, [&] {
                                 for (std::size_t n = 0; n < rounds; ++n) {
                                     std::memcpy(copy.data(), image.data(), image.size());
                                     keep(copy.data());
                                 }
                             }));
    }
    const bool allocates = allocations - before > 18; // those of the functions that are timed
    std::printf("BENCH save samek ns=%.1f ratio_to_copy=%.1f bytes=%zu allocations=%s\n", best, best / best_copy, image.size(),
                allocates ? "some" : "0");
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "samek") { // under callgrind
        const auto chart = samek::make_chart({});
        samek::bench_context context;
        hsm::instance agent(chart, context);
        agent.start();
        std::vector<std::byte> image(hsm::image_size(agent));
        samek_there_and_back(agent, image, static_cast<std::size_t>(std::atoi(argv[3])));
        return 0;
    }
    bench_samek(1'000'000);
}
