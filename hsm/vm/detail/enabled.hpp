/// Transitions that can fire: those selected for the next microstep, and single tests.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// A selected transition or request.
struct enabled_transition {
    const transition_row* transition; ///< null: a request
    index source, target, level;
    index previous; ///< the region leaf of its region before the step
    reason why;
    index holder = no_index;          ///< the state for which it must wait
    bool drops = false;               ///< it yields to a deferral, or to a transition inside the state that defers
    const event_ref* event = nullptr; ///< of a transition on any_event: the actual event
};
/// Returns the list for the current step, with room for one per region and one more.
inline enabled_transition* enabled_of(const machine& m, const chart_core& core) {
    return reinterpret_cast<enabled_transition*>(m.block + core.layout.enabled);
}
/// Returns a second list, for predictions.
inline enabled_transition* preview_of(const machine& m, const chart_core& core) { return enabled_of(m, core) + core.regions.size() + 1; }
/// Returns two sets with a bit per region: whether its transition was looked up, and whether it had one. Predictions have their own sets.
inline std::byte* looked_up_of(const machine& m, const chart_core& core, bool preview) {
    return m.block + core.layout.looked_up + (preview ? 2 * words_for(core.regions.size()) * 8 : 0);
}

/// The any-state rule: a polled transition to a substate of its source does not fire while its target is active. Returns whether all its targets are
/// active. A history state means the state that it would restore; if the transition would exit the history's machine, the active states count as the
/// record. Without a record, this can call the guards of entry choices.
bool is_satisfied(machine& m, const chart_core& core, const transition_row& t);

/// Calls one guard, or function that computes a time, by the program `alone`. Like any guard, it cannot change anything. Returns the program's code.
/// Context and locals are those of `source`, which must be active if the hook takes locals. Exceptions propagate; machine::at, context and the hook
/// context are then not restored: see query_scope.hpp.
std::uintptr_t run_alone(machine& m, const chart_core& core, const hook_row& row, const op* alone, index source);
/// Calls one guard outside of programs, for explanations. Returns its result.
bool agrees(machine& m, const chart_core& core, const guard_row& g, index source);

} // namespace hsm::detail
