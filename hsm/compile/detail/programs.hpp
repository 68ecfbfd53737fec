/// Converts the tables of a chart to programs. For each state as the leaf, and each event, one sequence of ops contains all steps, so depth and
/// inheritance have no cost at run time.
///
///     event:     guards of the first candidate, exits, action, entries, "the leaf is now L"; or the next candidate ...
///     tick:      per leaf the updates of each active state and the decisions of each level, as far as there are any
///     parts:     enter, exit, entry choice, update of each state, guards and action of each transition: combined at
///                run time for requests, completion, transient states, start and stop
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

namespace hsm::detail {

void make_programs(chart_core& core);
/// idle_tests.cpp. Call it after make_programs.
void make_idle_tests(chart_core& core);

} // namespace hsm::detail
