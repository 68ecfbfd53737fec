/// Converts the tables of a chart to programs. For each state as the leaf, and each event, one sequence of ops contains all steps, so depth and
/// inheritance have no cost at run time.
///
///     event:     guards of the first candidate, exits, action, entries, "the leaf is now L"; or the next candidate ...
///     tick:      per leaf the updates of each active state and the decisions of each level, as far as there are any
///     parts:     enter, exit, entry choice, update of each state, guards and action of each transition: combined at
///                run time for requests, completion, transient states, start and stop
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/compiled_chart.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

void make_programs(chart_core& core);
/// idle_tests.cpp. Call it after make_programs.
void make_idle_tests(chart_core& core);

/// Tests that exclude an effect of a tick, for leaves that wait for time (`after`, `every`) as well as for conditions. Both tests are of conditions,
/// as in chart_core::idle_tests.
struct timed_idle_test {
    /// Sufficient until the first of its timers is due; if it does not exist, a tick may have any effect.
    idle_test before;
    /// After that, excludes the transitions that wait for these timers; if it does not exist, none of them is excluded.
    idle_test due;
    std::vector<std::uint32_t> timers; ///< empty: no transition waits for time
};

timed_idle_test timed_idle_test_of(const chart_core& core, index leaf);

/// Returns a twin of the chart whose programs report records, for observed machines. It uses the tables of the chart. It is built at the first call,
/// in any thread, and lives as long as the chart.
const chart_core& traced_chart_of(compiled_chart& chart);

} // namespace hsm::detail
