// Only one thread at a time may use a manager; different managers are independent and share charts. Also runs with the thread sanitizer.

#include <hsm/manage/manager.hpp>
#include <tests/support/machines.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace test;

namespace {

struct counter {
    int enters = 0, updates = 0, exits = 0;
};

hsm::chart<counter> counter_chart() {
    auto root = hsm::make_fsm<counter>("R");
    auto& on = root->add("on");
    on.on_enter([](counter& c) { ++c.enters; }).on_update([](counter& c) { ++c.updates; }).on_exit([](counter& c) { ++c.exits; });
    auto& off = root->add("off");
    on.to(off).on<push>();
    off.to(on).on<push>();
    return hsm::compile(std::move(root));
}

constexpr int rounds = 300;

/// Creates, uses and destroys a manager.
void live(const hsm::chart<counter>& chart, counter& c) {
    hsm::manager machines;
    for (int i = 0; i < rounds; ++i) {
        const auto name = "m" + std::to_string(i % 7);
        if (machines.remove(name)) continue;
        machines.create(name, chart, c).start();
        machines.update(0.016f);
        machines.broadcast(push{});
        if (i % 20 == 0) machines.trim();
    }
    machines.shutdown();
}

} // namespace

TEST_CASE("managers in several threads can share a chart") {
    const auto chart = counter_chart();
    counter alone;
    live(chart, alone);
    std::vector<counter> counters(4);
    std::vector<std::thread> threads;
    for (auto& each : counters) threads.emplace_back([&chart, &each] { live(chart, each); });
    for (auto& each : threads) each.join();
    CHECK(alone.updates > rounds / 4);
    for (const auto& each : counters) {
        CHECK(each.enters == alone.enters);
        CHECK(each.updates == alone.updates);
        CHECK(each.exits == alone.exits);
    }
}

TEST_CASE("a manager that is in no call can be used by another thread") {
    const auto chart = counter_chart();
    counter c;
    auto machines = std::make_unique<hsm::manager>();
    const auto one = machines->create("one", chart, c);
    std::thread([&] {
        one.start();
        machines->update();
    }).join();
    machines->update();
    CHECK(c.updates == 2);
    std::thread([owned = std::move(machines)] { owned->shutdown(); }).join();
    CHECK(c.exits == 1);
}
