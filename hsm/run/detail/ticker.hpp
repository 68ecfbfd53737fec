/// A tick: time, what has come, then from the root inwards updates and polled transitions.
#pragma once

#include <hsm/run/detail/call.hpp>

#include <cstdint>

namespace hsm::detail {

/// What of a tick is made: its decisions, its clock and hooks, or both.
enum class phase : std::uint8_t { decisions = 1, hooks = 2, both = 3 };

/// The updates and polled transitions of what is active. ticker.cpp, and, where there are regions, ticker_regions.cpp, or no programs,
/// ticker_parts.cpp.
void walk(machine& m, const chart_core& core, phase what);
void walk_by_parts(machine& m, const chart_core& core, phase what);
void walk_regions(machine& m, const chart_core& core, phase what);
/// A tick in which nothing is out of the ordinary, by the programs of regions; its time has passed.
result tick_regions(machine& m, const chart_core& core, std::int64_t elapsed);
/// The rest of a tick whose sections have found something to do: goes on behind the section that was begun last.
result continue_tick(machine& m, const chart_core& core, std::uintptr_t code);

/// What both walks do after an update, or a decision.
/// A level decides anew; if the innermost decides first, all of them do.
void forget_waiting_at(machine& m, const chart_core& core, int depth);
bool follow_update(machine& m, const chart_core& core, index updated, phase what);
void take_successor(machine& m, const chart_core& core, index updated);

/// States entered since the last time have been entered now.
void stamp(machine& m, const chart_core& core);
std::int64_t* entry_times(const machine& m, const chart_core& core);

inline const tick_section* first_section(const chart_core& core, index leaf) { return core.sections.data() + core.states[leaf].tick.first; }
inline const tick_section* last_section(const chart_core& core, index leaf) { return first_section(core, leaf) + core.states[leaf].tick.count; }
/// The one that was begun last, or, if sections are joined, the first of them.
inline const tick_section* section_begun(const machine& m, const chart_core& core) { return core.sections.data() + m.section[-1].number; }
/// A transition has fired in a tick since the last stamp: how deep its level is.
inline int depth_of_fired(const machine& m) { return (m.unchanged_depth < m.shallowest_change ? m.unchanged_depth : m.shallowest_change) - 1; }

} // namespace hsm::detail
