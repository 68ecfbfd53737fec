// What going back costs. BENCH save lines:
//
//     samek        image of Samek's machine saved, and restored, beside a memcpy of that image
//     columns      image of a crowd of 1,000,000 who have nothing but columns; saved, and restored, each beside a memcpy of that image
//     timers       the same of a crowd whose agents have entry times, timers and a context of 16 bytes
//     frames       1,000 characters of such a crowd go back 8 frames and play them again, beside a memcpy of their image and playing 8 frames
//
// Under callgrind: `bench_save save samek ours N`, for N times 65,536 rounds (report.py).

#include "samek_chart.hpp"

#include <hsm/replay/rollback.hpp>
#include <hsm/save/crowd_image.hpp>
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

[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

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
    std::printf("BENCH save param=samek ours_ns=%.1f reference_ns=%.1f ratio=%.1f instructions=- bytes=%zu allocations=%s\n", best, best_copy,
                best / best_copy, image.size(), allocates ? "some" : "0");
}

struct runner {
    std::int64_t steps = 0, rests = 0;
};
struct empty_context {};

template <class Context> hsm::chart<Context> runner_chart(bool timed) {
    using namespace std::chrono_literals;
    auto root = hsm::make_fsm<Context>("runner");
    auto& idle = root->add("idle");
    auto& run = root->add("run");
    auto& jump = root->add("jump");
    idle.to(run).when("IsRun");
    run.to(idle).when("!IsRun");
    run.to(jump).when("IsJump");
    jump.to(run).when("!IsJump");
    if constexpr (std::is_same_v<Context, runner>) run.on_update([](runner& r) { ++r.steps; });
    if (timed) idle.to(run).after(300ms), run.to(idle).after(200ms), jump.to(idle).after(500ms);
    return hsm::compile(std::move(root), {.entry_times = timed});
}

template <class Context> void fill(hsm::crowd<Context>& herd, int count) {
    for (int i = 0; i < count; ++i) {
        const auto id = herd.add();
        herd.set(id, "IsRun", i % 3 == 0);
        herd.set(id, "IsJump", i % 7 == 0);
    }
    using namespace std::chrono_literals;
    for (int i = 0; i < 3; ++i) herd.tick(16ms);
}

template <class Context> void bench_crowd(const char* name, bool timed) {
    const auto chart = runner_chart<Context>(timed);
    hsm::crowd<Context> herd(chart);
    fill(herd, 1'000'000);
    std::vector<std::byte> image(hsm::image_size(herd)), copy(image.size());
    double save = 1e18, restore = 1e18, best_copy = 1e18;
    for (int i = 0; i < 9; ++i) {
        save = std::min(save, nanoseconds_each(1, [&] { hsm::save(herd, image); }));
        restore = std::min(restore, nanoseconds_each(1, [&] { hsm::restore(herd, image); }));
        best_copy = std::min(best_copy, nanoseconds_each(1, [&] {
                                 std::memcpy(copy.data(), image.data(), image.size());
                                 keep(copy.data());
                             }));
    }
    std::printf("BENCH save param=%s save_ratio=%.2f restore_ratio=%.2f copy_ms=%.2f bytes_each=%.1f\n", name, save / best_copy, restore / best_copy,
                best_copy / 1e6, static_cast<double>(image.size()) / 1e6);
}

void bench_frames() {
    using namespace std::chrono_literals;
    constexpr int frames_back = 8, rounds = 200;
    const auto chart = runner_chart<runner>(true);
    hsm::crowd<runner> herd(chart);
    fill(herd, 1'000);
    hsm::rollback<runner> frames(frames_back + 1);
    frames.add(herd);
    const auto play = [&] { herd.tick(16ms); };
    for (int i = 0; i <= frames_back; ++i) play(), frames.keep();
    std::vector<std::byte> image(hsm::image_size(herd)), copy(image.size());
    double back = 1e18, forth = 1e18, best_copy = 1e18;
    for (int i = 0; i < 9; ++i) {
        back = std::min(back, nanoseconds_each(rounds, [&] {
                            for (int n = 0; n < rounds; ++n) {
                                frames.back_to(frames.next() - 1 - frames_back);
                                for (int f = 0; f < frames_back; ++f) play(), frames.keep();
                            }
                        }));
        forth = std::min(forth, nanoseconds_each(rounds, [&] {
                             for (int n = 0; n < rounds * frames_back; ++n) play();
                         }));
        best_copy = std::min(best_copy, nanoseconds_each(rounds, [&] {
                                 for (int n = 0; n < rounds * (frames_back + 1); ++n) { // once back, and one copy of each frame
                                     std::memcpy(copy.data(), image.data(), image.size());
                                     keep(copy.data());
                                 }
                             }));
    }
    std::printf("BENCH save param=frames us=%.1f ratio_to_copies_and_frames=%.2f copies_us=%.1f frames_us=%.1f\n", back / 1e3,
                back / (forth + best_copy), best_copy / 1e3, forth / 1e3);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 5 && std::string_view(argv[2]) == "samek") { // under callgrind
        const auto chart = samek::make_chart({});
        samek::bench_context context;
        hsm::instance agent(chart, context);
        agent.start();
        std::vector<std::byte> image(hsm::image_size(agent));
        samek_there_and_back(agent, image, static_cast<std::size_t>(std::atoi(argv[4])) * 65'536);
        return 0;
    }
    bench_samek(1'000'000);
    bench_crowd<empty_context>("columns", false);
    bench_crowd<runner>("timers", true);
    bench_frames();
}
