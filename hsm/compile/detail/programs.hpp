/// Turns the tables of a chart into programs: for each state as the leaf and each event everything that happens, in one
/// sequence of ops, so that depth and inheritance cost nothing when the event comes.
///
///     event:     guards of the first candidate, exits, action, entries, "the leaf is now L"; or the next candidate ...
///     tick:      per leaf the updates of each active state and the decisions of each level, those that have any
///     parts:     enter, exit, entry choice, update of each state, guards and action of each transition: what is put
///                together at run time, for requests, completion, transient states, start and stop
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

namespace hsm::detail {

void make_programs(chart_core& core);
/// idle_tests.cpp; after the programs.
void make_idle_tests(chart_core& core);

} // namespace hsm::detail
