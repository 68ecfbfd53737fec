/// Microsteps: one transition, or several in different regions. All exits run first, then the actions, then all entries.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <exception>
#include <span>

namespace hsm::detail {

/// Returns the transition as a part of a microstep.
enabled_transition enable(const machine& m, const chart_core& core, const transition_row& t, reason why);
/// Returns the current level of the transition: for a history target it can depend on the record.
index level_now(const machine& m, const chart_core& core, const transition_row& t);

/// Runs all exits, actions and entries. If a hook throws, a parallel of which only some regions are active exits.
void microstep(machine& m, const chart_core& core, std::span<enabled_transition> transitions);
/// Runs a microstep of one transition.
void fire(machine& m, const chart_core& core, const transition_row& t, reason why);
/// Enters the root and the states down to `target`, for start and restart.
void enter_root(machine& m, const chart_core& core, index target, reason why);
/// Makes a transition that no definition contains, by the rules of one without `.external()`. Returns taken; held or refused, if a state holds.
result make_request(machine& m, const chart_core& core, index source, index target, bool force);
/// Makes the same transition from the leaf of the innermost active region that contains the target, so other regions stay. If the target is an
/// active region, it makes its entry choice again.
result make_request(machine& m, const chart_core& core, index target, bool force);
/// Repeats the entry choice of the machine that is at rest in the region. Returns whether a state was entered.
bool retry_entry(machine& m, const chart_core& core, std::size_t region);

/// Exits everything below the level. With `first`, continues if hooks throw and stores the first exception there unless it has one.
void exit_below(machine& m, const chart_core& core, index level, std::exception_ptr* first = nullptr);
/// Records that everything below the level has changed.
void mark_exited(machine& m, const chart_core& core, index level);
/// Enters the states below the level down to the transition's targets. Returns whether a program has called on_change already.
bool enter_targets(machine& m, const chart_core& core, const enabled_transition& e);
/// Continues an entry with a program; where it leads into regions, state by state. Returns the same as enter_targets.
bool enter_on(machine& m, const chart_core& core, program entries);

/// Returns whether the hook that threw interrupted a step of driven regions. Then abandon_step exits the parallel that contains it.
bool is_in_step(machine& m, const chart_core& core);
void abandon_step(machine& m, const chart_core& core) noexcept;

/// Records that a transition with a target has fired, so that deferred events are recalled after the `.always()` transitions.
void request_recall(machine& m, const chart_core& core);
/// Stores the transition that enters the next states: its number plus 1; 0: no transition.
void set_entering(machine& m, const chart_core& core, std::uint32_t by);

/// Executes everything that follows from a transition or an update: SCXML's macrostep (run_to_completion.cpp). Repeats the first of these that
/// applies, until none does: transient states, completion, `.always()` transitions, deferred events, internal events. Throws chain_error at the
/// chain limit.
void run_to_completion(machine& m, const chart_core& core);

} // namespace hsm::detail
