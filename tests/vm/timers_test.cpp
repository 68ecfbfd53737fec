// The due times of timers, which an instance stores in its block.

#include <tests/support/recorder.hpp>

#include <hsm/vm/detail/timers.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace hsm::detail;
using namespace test;

namespace {

/// A machine whose leaf has one timer and one periodic timer.
struct clockwork {
    recorder r;
    hsm::chart<recorder> chart = [] {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A");
        auto& b = root->add("B");
        a.to(b).after(hsm::time_span::from_nanoseconds(10));
        a.every(hsm::time_span::from_nanoseconds(4)).then(tracing("again"));
        return hsm::compile(std::move(root));
    }();
    const chart_core& core = chart.core();
    alignas(64) std::byte memory[512] = {};
    machine m;
    std::uint32_t once = core.timers[0].periodic ? 1 : 0;
    std::uint32_t periodic = core.timers[0].periodic ? 0 : 1;

    clockwork() {
        REQUIRE(core.timers.size() == 2);
        REQUIRE(core.layout.size <= sizeof memory / 2);
        m.chart = &core;
        m.block = memory + 128;
    }
};

constexpr auto latest = std::numeric_limits<std::int64_t>::max();

} // namespace

TEST_CASE("a timer is due when its time has passed, unless it is used up") {
    clockwork c;
    c.m.now = 100;
    arm(c.m, c.core, c.once, 10);
    CHECK(due_at(c.m, c.core, c.once) == 110);
    CHECK_FALSE(is_due(c.m, due_at(c.m, c.core, c.once)));
    c.m.now = 110;
    CHECK(is_due(c.m, due_at(c.m, c.core, c.once)));
    due_at(c.m, c.core, c.once) = never;
    CHECK_FALSE(is_due(c.m, due_at(c.m, c.core, c.once)));
    c.m.now = latest;
    CHECK_FALSE(is_due(c.m, due_at(c.m, c.core, c.once)));
}

TEST_CASE("a negative delay counts as zero, and a period as at least one nanosecond") {
    clockwork c;
    c.m.now = 7;
    arm(c.m, c.core, c.once, -5);
    CHECK(due_at(c.m, c.core, c.once) == 7);
    arm(c.m, c.core, c.periodic, 0);
    CHECK(due_at(c.m, c.core, c.periodic) == 8);
    CHECK(period_of(c.m, c.core, c.periodic) == 1);
}

TEST_CASE("a timer at or after the end of the clock is never due") {
    clockwork c;
    c.m.now = latest - 5;
    arm(c.m, c.core, c.once, 6);
    CHECK(due_at(c.m, c.core, c.once) == never);
    arm(c.m, c.core, c.once, 5);
    CHECK(due_at(c.m, c.core, c.once) == never); // never is the last time of the clock
}

TEST_CASE("a period counts from its previous due time, however late the call is") {
    clockwork c;
    arm(c.m, c.core, c.periodic, 4);
    c.m.now = 9;
    arm_again(c.m, c.core, c.periodic);
    CHECK(due_at(c.m, c.core, c.periodic) == 8);
    CHECK(is_due(c.m, due_at(c.m, c.core, c.periodic)));
    arm_again(c.m, c.core, c.periodic);
    CHECK(due_at(c.m, c.core, c.periodic) == 12);
    due_at(c.m, c.core, c.periodic) = never - 2;
    arm_again(c.m, c.core, c.periodic);
    CHECK(due_at(c.m, c.core, c.periodic) == never);
    due_at(c.m, c.core, c.periodic) = -20; // taken over from another clock
    arm_again(c.m, c.core, c.periodic);
    CHECK(due_at(c.m, c.core, c.periodic) == -16);
}
