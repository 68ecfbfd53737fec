/// Ticks: the clock, posted events, then updates and polled transitions from the root inwards.
#pragma once

#include <hsm/run/detail/call.hpp>

#include <cstdint>

namespace hsm::detail {

/// Which parts of a tick run: its decisions, its clock and hooks, or both.
enum class phase : std::uint8_t { decisions = 1, hooks = 2, both = 3 };

/// Runs the updates and polled transitions of the active states (ticker.cpp): without programs by walk_by_parts (ticker_parts.cpp), with regions
/// by walk_regions (ticker_regions.cpp).
void walk(machine& m, const chart_core& core, phase what);
void walk_by_parts(machine& m, const chart_core& core, phase what);
void walk_regions(machine& m, const chart_core& core, phase what);
/// Continues a tick whose region programs stopped with `code`.
result follow_region(machine& m, const chart_core& core, std::uintptr_t code);
/// Runs the rest of a tick whose programs stopped with `code`, after the section that began last.
result continue_tick(machine& m, const chart_core& core, std::uintptr_t code, bool has_fired = false);

/// Forgets the waiting transitions of a level that decides again; with substate_first, those of all levels.
void forget_waiting_at(machine& m, const chart_core& core, int depth);
/// Runs the effects of an update of this state. Returns false if the machine is finished.
bool follow_update(machine& m, const chart_core& core, index updated, phase what);
/// Makes the transition to the state that the update of this state returned, if it returned one.
void take_successor(machine& m, const chart_core& core, index updated);

/// Sets the entry times of states that were entered since the last stamp to now.
void stamp(machine& m, const chart_core& core);
std::int64_t* entry_times(const machine& m, const chart_core& core);

inline const tick_section* first_section(const chart_core& core, index leaf) { return core.sections.data() + core.states[leaf].tick.first; }
inline const tick_section* last_section(const chart_core& core, index leaf) { return first_section(core, leaf) + core.states[leaf].tick.count; }
/// Returns the section that began last; of joined sections the first.
inline const tick_section* section_begun(const machine& m, const chart_core& core) {
    return core.sections.data() + static_cast<std::uint32_t>(m.section[-1].number);
}
/// Returns the depth of the level at which a transition has fired since the last stamp.
inline int depth_of_fired(const machine& m) { return (m.unchanged_depth < m.shallowest_change ? m.unchanged_depth : m.shallowest_change) - 1; }

/// Fires transitions that are due before a tick ends, each at its moment: compile_options::carry_over (overdue.cpp). First completes the work that
/// earlier calls left. Then fires the delayed transitions that are due until `end`, and moves the clock from one such
/// moment to the next. Afterwards the clock is at `end`. If a hook throws, the clock stays at the moment of that transition.
void fire_overdue(machine& m, const chart_core& core, std::int64_t end);

// When transitions, events and requests that wait for holding states are tried again: waiting.cpp.

/// Tries pending events and requests, outermost level first. Completes all effects of each before it tries the next.
void try_pending(machine& m, const chart_core& core);
/// Tries the transitions that waited for this state again after its update, outermost level first, also if the state has exited since.
void try_waiting(machine& m, const chart_core& core, index holder);

} // namespace hsm::detail
