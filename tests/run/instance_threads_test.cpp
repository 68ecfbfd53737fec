// One chart, whose instances several threads create, run and destroy at the same time: shared data is never written.

#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

struct counter {
    int posted = 0;
    int handled = 0;
};
struct count {
    std::string text;
};
struct never_waited_for {};
struct waits_elsewhere {};
enum class input { back };
struct tally {
    int number = 0;
};

/// Its hooks make all calls that they may make.
auto make_chart() {
    auto root = hsm::make_fsm<counter>("root");
    auto& a = root->add("a").local<tally>();
    auto& b = root->add("b");
    a.on_enter([](counter& c, hsm::step<counter>& s) {
        c.posted += s.post(count{"a text that does not fit into the string itself"}) == hsm::result::queued;
    });
    a.on<count>().then([](counter& c, tally& t, hsm::step<counter>& s) {
        c.handled += s.event<count>() != nullptr;
        if (++t.number == 1) s.process("go");
    });
    a.to(b).on("go").when("!Stays");
    b.to(a).on(input::back);
    b.to(a).after(10ms);
    return hsm::compile(std::move(root));
}

/// Starts all threads at the same moment, because first calls are those that could create something.
template <class F> void in_threads(std::size_t count_of, F f) {
    std::atomic<std::size_t> waiting = count_of;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count_of; ++i)
        threads.emplace_back([&] {
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            f();
        });
    for (auto& t : threads) t.join();
}

void run(const hsm::chart<counter>& chart, counter& c) {
    hsm::instance agent{chart, c};
    agent.start();
    for (int i = 0; i < 4; ++i) {
        agent.tick(5ms);
        agent.process(never_waited_for());
        agent.process(input::back);
    }
    agent.stop();
}

} // namespace

TEST_CASE("threads create, start and tick instances of one chart, whose hooks post") {
    const auto chart = make_chart();
    std::atomic<int> right = 0;
    in_threads(4, [&] {
        counter c;
        for (int i = 0; i < 50; ++i) run(chart, c);
        right += c.posted == 250 && c.handled == 200;
    });
    CHECK(right == 4);
}

TEST_CASE("threads compile charts with the same events that other threads handle") {
    const auto chart = make_chart();
    std::atomic<int> right = 0;
    in_threads(4, [&] {
        for (int i = 0; i < 10; ++i) {
            auto root = hsm::make_fsm<counter>("root");
            auto& a = root->add("a");
            a.on<waits_elsewhere>().then([](counter& c) { ++c.handled; });
            a.on<count>().then([](counter& c) { ++c.handled; });
            const auto own = hsm::compile(std::move(root));
            counter c;
            hsm::instance agent{own, c};
            agent.start();
            agent.process(waits_elsewhere());
            agent.process(count());
            right += c.handled == 2;
            run(chart, c);
        }
    });
    CHECK(right == 40);
}
