/// A crowd of sheep: by conditions alone, or with timers.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include <chrono>
#include <random>
#include <vector>

namespace test {

using namespace std::chrono_literals;

struct sheep {
    int steps = 0;
    int age = 0;
};

/// R{ idle, run, tired }, by conditions and, `timed`, by timers: columns alone, or with blocks.
inline hsm::chart<sheep> sheep_chart(bool timed) {
    auto root = hsm::make_fsm<sheep>("R");
    auto& idle = root->add("idle");
    auto& run = root->add("run").on_update([](sheep& s) { ++s.steps; });
    auto& tired = root->add("tired");
    idle.to(run).when("Afraid");
    run.to(idle).when("!Afraid");
    if (timed) {
        run.to(tired).after(100ms);
        tired.every(30ms).then([](sheep& s) { ++s.age; });
        tired.to(idle).after(95ms);
    } else {
        run.to(tired).when([](const sheep& s) { return s.steps % 4 == 3; });
    }
    tired.to(idle).when("Fresh");
    return hsm::compile(std::move(root), {.entry_times = timed});
}

struct meadow {
    explicit meadow(bool timed, std::size_t count = 5'000) : chart(sheep_chart(timed)) {
        for (std::size_t i = 0; i < count; ++i) ids.push_back(herd.add(sheep{}));
    }
    void frame() {
        for (int i = 0; i < 500; ++i) {
            const auto id = ids[random() % ids.size()];
            if (herd.has(id)) herd.set(id, random() % 3 ? "Afraid" : "Fresh", random() % 2);
        }
        herd.tick(16ms);
    }

    hsm::chart<sheep> chart;
    hsm::crowd<sheep> herd{chart};
    std::vector<hsm::agent_id> ids;
    std::minstd_rand random{7};
};

} // namespace test
