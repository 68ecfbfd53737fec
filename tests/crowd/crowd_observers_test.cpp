// Observed agents, one or all: they do the same as other agents.

#include <tests/support/recorder.hpp>
#include <tests/support/text_observer.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/workers.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace std::chrono_literals;
using test::event;
using test::recorder;
using test::text_observer;

namespace {

/// R 0 {A 1, B 2}: A to B if "Go" holds, B to A on event 0.
hsm::chart<recorder> two_states() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when("Go");
    b.to(a).on<event<0>>();
    return hsm::compile(std::move(root), {.entry_times = false});
}

/// Records the agent of each call.
struct agents_called : hsm::observer {
    void on_record(const hsm::record& r, const hsm::moment&) override {
        if (r.kind == hsm::record_kind::call) text += std::to_string(r.number) + "." + std::to_string(r.state) + " ";
    }
    std::string text;
};

} // namespace

TEST_CASE("one agent can be observed; its idle ticks leave no record") {
    const auto chart = two_states();
    hsm::crowd<recorder> herd(chart);
    const auto first = herd.add();
    const auto second = herd.add();
    text_observer log;
    auto seen = herd.attach(second, log);
    CHECK(log.take() == "call none, is 1 of 1 (attached), -> taken");
    herd.tick(1ms);
    herd.tick(1ms);
    CHECK(log.take().empty());
    CHECK(herd.now() == 2ms);
    CHECK(herd[second]->now() == 2ms);
    herd.set_all("Go", true);
    CHECK(log.take() == "call none, condition 1 1, -> taken");
    herd.tick(1ms);
    CHECK(log.take() == "call tick, conditions 0 yes, begins 0 (poll), X 1, E 2, at 2, -> taken");
    CHECK(herd.is_in(first, "B"));
    CHECK(herd.is_in(second, "B"));
    CHECK(herd.process_all(event<0>{})[hsm::result::taken] == 2);
    CHECK(log.take() == "call process, event 0 call, begins 1 (event), X 2, E 1, at 1, -> taken");
    seen.detach();
    herd.tick(1ms);
    herd.tick(1ms);
    CHECK(log.take().empty());
    CHECK(herd.count("B") == 2);
}

TEST_CASE("an observer of a crowd receives records of later agents too; each call names its agent") {
    const auto chart = two_states();
    hsm::crowd<recorder> herd(chart);
    herd.add();
    agents_called called;
    auto seen = herd.attach(called);
    CHECK(called.text == "0.1 ");
    const auto later = herd.add();
    herd.set(later, "Go");
    herd.tick();
    CHECK(called.text == "0.1 1.1 1.1 1.1 1.1 ");
    herd.remove(later);
    called.text.clear();
    const auto again = herd.add();
    CHECK(again.index == 1);
    CHECK(called.text == "1.3 1.3 ");
    seen.detach();
    called.text.clear();
    herd.add();
    herd.tick();
    CHECK(called.text.empty());
}

TEST_CASE("an observer is notified when its agent is removed, and not when the crowd is destroyed") {
    const auto chart = two_states();
    text_observer log;
    hsm::attachment seen;
    {
        hsm::crowd<recorder> herd(chart);
        const auto id = herd.add();
        seen = herd.attach(id, log);
        log.take();
        herd.remove(id);
        CHECK(log.take() == "call destroy, X 1, X 0, is - of 0 (stop), -> taken");
        CHECK_THROWS_AS((void)herd.attach(id, log), hsm::crowd_error);
        seen = herd.attach(herd.add(), log);
        log.take();
    }
    CHECK(log.take().empty());
}

TEST_CASE("an observed crowd has the same hash as an unobserved crowd") {
    const auto chart = two_states();
    hsm::crowd<recorder> herd(chart), other(chart);
    text_observer log;
    for (int i = 0; i < 3; ++i) {
        herd.add();
        other.add();
    }
    const auto seen = herd.attach(log);
    CHECK(herd.state_hash() == other.state_hash());
    for (auto* const each : {&herd, &other}) {
        each->set_all("Go", true);
        each->tick(5ms);
    }
    CHECK(herd.state_hash() == other.state_hash());
}

TEST_CASE("timers of observed agents are checked in each tick") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(10ms);
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<recorder> herd(chart);
    const auto id = herd.add();
    text_observer log;
    const auto seen = herd.attach(id, log, hsm::record_kind::call | hsm::record_kind::due);
    log.take();
    herd.tick(9ms);
    CHECK(log.take().empty());
    herd.tick(1ms);
    CHECK(log.take() == "call tick, due 0");
    CHECK(herd.is_in(id, "B"));
}

TEST_CASE("an observer attached through herd[id] receives only records of this agent") {
    const auto chart = two_states();
    hsm::crowd<recorder> herd(chart);
    const auto id = herd.add();
    text_observer log;
    auto seen = herd[id]->attach(log, hsm::record_kind::entered);
    herd.set(id, "Go");
    herd.tick();
    CHECK(log.take() == "E 2");
    const auto other = herd.add();
    herd.set(other, "Go");
    herd.tick();
    CHECK(log.take().empty());
}

TEST_CASE("each worker passes the records of its pages to an observer of the crowd") {
    const auto chart = two_states();
    hsm::crowd<recorder> herd(chart);
    for (int i = 0; i < 3 * 4096; ++i) herd.add();
    struct counting : hsm::observer {
        void on_record(const hsm::record&, const hsm::moment&) override { ++entered; }
        std::atomic<int> entered = 0;
    } count;
    {
        const auto seen = herd.attach(count, hsm::record_kind::entered);
        herd.set_all("Go", true);
        const auto for_each = [](std::size_t n, auto&& f) {
            std::vector<std::thread> threads;
            for (std::size_t i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
            for (auto& t : threads) t.join();
        };
        herd.tick(1ms, for_each);
    }
    CHECK(count.entered == 3 * 4096);
    CHECK(herd.count("B") == 3 * 4096);
}
