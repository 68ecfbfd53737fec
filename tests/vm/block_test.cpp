// The layout of an instance's memory: each part exists only if it is needed, and no parts overlap.

#include <tests/support/recorder.hpp>

#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/block.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace hsm::detail;
using namespace test;

namespace {

enum class key { left, right };

template <class T> struct holding {
    T value = {};
};

template <class Define> hsm::chart<recorder> chart_of(Define define, hsm::compile_options options = {.entry_times = false}) {
    auto root = hsm::make_fsm<recorder>("R");
    define(*root);
    return hsm::compile(std::move(root), options);
}

struct wide {
    alignas(32) char bytes[40] = {};
};

const auto two_states = [](auto& root) { root.add("A").to(root.add("B")).template on<key::left>(); };

} // namespace

TEST_CASE("a machine without data has no block") {
    const auto chart = chart_of(two_states);
    CHECK(chart.core().layout.size == 0);
    CHECK(chart.core().layout.front == 0);
    CHECK(chart.core().layout.hook_context == 0);
    CHECK(hsm::instance_memory(chart, {.internal_queue = 0, .posted_queue = 0}).size == 0);
}

TEST_CASE("the block has one entry time for each level") {
    const auto chart = chart_of([](auto& root) { root.add_fsm("M").add("x"); }, {});
    CHECK(chart.core().time_slots == 3);
    CHECK(chart.core().layout.size == 3 * 8);
}

TEST_CASE("states that exclude each other share the memory of their locals; locals of substates follow those of the superstate") {
    const auto chart = chart_of([](auto& root) {
        auto& m = root.add_fsm("M");
        m.template local<holding<std::int64_t>>(1);
        m.add("x").template local<holding<std::int64_t>>(2);
        m.add("y").template local<holding<std::int32_t>>(3);
        root.add("B").template local<holding<std::int64_t>>(4);
    });
    const auto& core = chart.core();
    REQUIRE(core.locals.size() == 4);
    CHECK(core.locals[0].offset == 0);
    CHECK(core.locals[1].offset == 8);
    CHECK(core.locals[2].offset == 8);
    CHECK(core.locals[3].offset == 0);
    CHECK(core.block_size == 16);
    CHECK(core.layout.queues == core.layout.locals + 16);
}

TEST_CASE("regions have separate memory for their locals and entry times") {
    const auto chart = chart_of(
        [](auto& root) {
            auto& p = root.add_parallel("P");
            p.add("1").template local<holding<std::int64_t>>(1);
            p.add("2").template local<holding<std::int64_t>>(2);
        },
        {});
    const auto& core = chart.core();
    REQUIRE(core.locals.size() == 2);
    CHECK(core.locals[0].offset == 0);
    CHECK(core.locals[1].offset == 8);
    CHECK(core.time_slots == 4);
    CHECK(core.regions.size() == 3);
    CHECK(core.by_regions);
}

TEST_CASE("the block has the largest alignment of its locals") {
    const auto chart = chart_of([](auto& root) {
        root.template local<holding<char>>('a');
        root.add("A").template local<wide>();
    });
    const auto& core = chart.core();
    CHECK(core.layout.alignment == 32);
    CHECK((core.layout.locals + core.locals[1].offset) % 32 == 0);
    CHECK(hsm::instance_memory(chart).alignment == 32);
}

TEST_CASE("conditions are before the block, and the hook context is before the conditions") {
    const auto chart = chart_of([](auto& root) {
        auto& a = root.add("A").on_update([](recorder&, hsm::step<recorder>&) {});
        a.to(root.add("B")).when("c");
    });
    const auto& layout = chart.core().layout;
    CHECK(layout.front >= 40);
    CHECK(layout.front % layout.alignment == 0);
    CHECK(layout.hook_context >= sizeof(hook_context));
    CHECK(layout.hook_context % layout.alignment == 0);
}

TEST_CASE("the parts of a block do not overlap") {
    const auto chart = chart_of(
        [](auto& root) {
            auto& p = root.add_parallel("P");
            p.remembers_deep();
            auto& one = p.add_fsm("1");
            auto& x = one.add("x").hold();
            x.to(one.add_final("f")).template on<key::left>();
            one.to(root.add("B")).on_finished();
            p.add("2").template defer<key::right>().template local<holding<std::int64_t>>(1);
            x.to(p).when("c").always();
            root.condition("one that does not stand in front", 100);
        },
        {});
    const auto& l = chart.core().layout;
    const std::vector<std::uint32_t> parts = {l.times,          l.marks,   l.due,       l.due_list, l.released, l.barred,     l.region_step,
                                              l.regions,        l.enabled, l.looked_up, l.offer,    l.deferral, l.conditions, l.records,
                                              l.region_records, l.holding, l.blocked,   l.waiting,  l.pending,  l.payloads,   l.locals};
    CHECK(std::is_sorted(parts.begin(), parts.begin() + 9));
    auto distinct = parts;
    std::sort(distinct.begin(), distinct.end());
    CHECK(std::adjacent_find(distinct.begin(), distinct.end()) == distinct.end()); // all of them are there
    CHECK(distinct.back() < l.queues);
    CHECK(l.size >= l.queues);
}

TEST_CASE("mark_bits has a bit for each state, also beyond the first word") {
    std::uint64_t words[3] = {};
    mark_bits bits(reinterpret_cast<std::byte*>(words));
    bits.set(0);
    bits.set(63);
    bits.set(64);
    bits.set(130);
    CHECK(bits[0]);
    CHECK(bits[64]);
    CHECK_FALSE(bits[65]);
    bits.clear(64);
    CHECK_FALSE(bits[64]);
    CHECK(words[2] == 4);
    bits.clear_all(128);
    CHECK_FALSE(bits[63]);
    CHECK(bits[130]); // after the cleared words
    CHECK(words_for(0) == 0);
    CHECK(words_for(64) == 1);
    CHECK(words_for(65) == 2);
}
