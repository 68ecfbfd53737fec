// A chart does the same if its programs would exceed compile_options::program_memory. Its memory grows linearly with the definition, not with the
// transitions that leaves inherit.

#include <tests/support/large_charts.hpp>
#include <tests/support/memory_use.hpp>
#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

// --- behaviour ---

constexpr std::size_t enough = std::size_t(1) << 40;
constexpr std::size_t budgets[] = {0, 1'000, 5'000, 20'000, hsm::compile_options().program_memory, enough};

/// Every leaf is asked for, by events and in ticks.
std::vector<std::string> places_of(const large::shape& shape, int n, const hsm::compile_options& options) {
    const auto chart = hsm::compile(shape.define(n).root, options);
    large::data context;
    hsm::instance agent(chart, context);
    std::vector<std::string> places;
    const auto note = [&] {
        places.push_back(agent.current().path() + ' ' + std::to_string(context.entered) + ' ' + std::to_string(context.exited));
        for (const auto leaf : agent.leaves()) places.back() += ' ' + std::string(leaf.name());
    };
    agent.start();
    note();
    for (int i = 0; i < 2 * n; ++i) {
        context.wanted = i * 7 % (2 * n);
        agent.process(large::signal(i % large::signals));
        note();
        agent.tick();
        note();
    }
    return places;
}

} // namespace

TEST_CASE("the behavior of a chart does not depend on program_memory") {
    for (const auto& shape : large::shapes)
        for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
            const auto name = std::string(shape.name);
            CAPTURE(name);
            const auto wanted = places_of(shape, 24, {.order = order, .program_memory = enough});
            for (const auto budget : budgets) {
                CAPTURE(budget);
                CHECK(places_of(shape, 24, {.order = order, .program_memory = budget}) == wanted);
                CHECK(places_of(shape, 24, {.order = order, .row_memory = 0, .program_memory = budget}) == wanted);
            }
        }
}

TEST_CASE("conditions are polled and watched with any program_memory") {
    for (const auto budget : budgets) {
        CAPTURE(budget);
        const auto chart = hsm::compile(large::any_state_conditions(100).root, {.program_memory = budget});
        large::data context;
        hsm::instance agent(chart, context);
        agent.start();
        CHECK(agent.tick() == hsm::result::unhandled);
        CHECK(agent.current().name() == "s0");
        for (const int leaf : {0, 29, 30, 99, 7}) {
            for (const auto& c : large::conditions_of(leaf)) agent.set(c);
            agent.tick();
            CHECK(agent.current().name() == "s" + std::to_string(leaf));
            CHECK(agent.tick() == hsm::result::unhandled); // satisfied
            agent.clear();
            CHECK(agent.tick() == hsm::result::unhandled);
        }
    }
}

TEST_CASE("charts over program_memory have shared programs, first of outer states, and select the other transitions") {
    const auto compiled = [](std::size_t budget) { return hsm::compile(large::any_state_and_own(50).root, {.program_memory = budget}); };
    const auto shared = [](const hsm::chart<large::data>& chart) {
        return std::ranges::count_if(chart.core().shared_programs, [](auto p) { return p != 0; });
    };
    CHECK_FALSE(compiled(enough).core().by_parts);
    const auto all = compiled(1'000'000);
    const auto some = compiled(50'000);
    const auto none = compiled(0);
    CHECK_FALSE(all.core().by_parts); // it fits
    CHECK(some.core().by_parts);
    CHECK(none.core().by_parts);
    CHECK(shared(some) >= large::signals); // the root's
    CHECK(shared(some) < 51 * large::signals);
    for (int e = 0; e < large::signals; ++e) CHECK(some.core().shared_programs[std::size_t(e)] != 0);
    CHECK(shared(none) == 0);
    CHECK(some.dump().find("leave root") != std::string::npos);
    CHECK(none.dump().find("leave root") == std::string::npos);
}

// --- memory ---

namespace {

struct use {
    std::size_t most;  ///< while it is compiled, beside the definition
    std::size_t chart; ///< what is left of that
};

use compiled(const large::shape& shape, int n, const hsm::compile_options& options = {}) {
    auto root = shape.define(n).root;
    const test::peak_of_memory peak;
    const std::size_t before = test::memory().now;
    const auto chart = hsm::compile(std::move(root), options);
    CHECK(chart.state_count() > static_cast<std::size_t>(n));
    return {peak.bytes(), test::memory().now - before};
}

} // namespace

TEST_CASE("the memory of a chart grows linearly with the definition") {
    constexpr std::size_t budget = std::size_t(1) << 20;
    for (const auto& shape : large::shapes)
        for (const auto most : {std::size_t(0), budget}) {
            const auto name = std::string(shape.name);
            CAPTURE(name);
            CAPTURE(most);
            const int n = std::min(shape.most, 1'200);
            const auto half = compiled(shape, n / 2, {.program_memory = most}), whole = compiled(shape, n, {.program_memory = most});
            CHECK(2 * whole.chart < 5 * half.chart + 4 * most + 200'000);
            CHECK(2 * whole.most < 5 * half.most + 4 * most + 200'000);
        }
}

TEST_CASE("1,500 leaves under 1,500 transitions of their superstate compile in less than 64 MB") {
    CHECK(compiled(large::shapes[0], 1'500).most < std::size_t(64) << 20);
}
