/// The ops without user code. Each comment describes the operand; `at[1]` is data if an op needs more.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail::ops {

/// target: end_with(the code). Ends the program.
const op* end(const op* at, machine& m);
/// target.
const op* jump(const op* at, machine& m);
/// Returns to the loop that runs programs, which continues with the next op.
const op* pause(const op* at, machine& m);
/// number: the column. The event has no program here: its transition is selected and executed from parts.
const op* select(const op* at, machine& m);
/// number: the level. Exits all active states below it.
const op* exit_to_level(const op* at, machine& m);
/// number: the level. Makes the records for exiting below it.
const op* record_history(const op* at, machine& m);
/// number: the unchanged depth. All exits are done: states from that depth inwards have changed.
const op* exited(const op* at, machine& m);
/// number: leaf | unchanged depth << 16; self of at[1]: the leaf's row. Completes the transition.
const op* done(const op* at, machine& m);
/// Like done, and calls on_change.
const op* done_changed(const op* at, machine& m);
/// Like done_changed, for a machine at rest. Does not call on_change if it was already at rest.
const op* rest_changed(const op* at, machine& m);
/// target: an entry program; number of at[1]: the unchanged depth. Continues there.
const op* enter_by(const op* at, machine& m);

/// number: the transition | reason << 32. Sets the hook context's cause.
const op* because(const op* at, machine& m);
/// self: the state of the next hook.
const op* at_state(const op* at, machine& m);
/// number: the first of the next hook's locals in chart_core::local_slots.
const op* locals(const op* at, machine& m);
/// number: the first list of the next hook's locals in chart_core::local_slots | the length of a list << 32; number of at[1]: the number of states
/// around the outermost level. There is one list for each level inwards; the level is that of the hook context.
const op* locals_by_level(const op* at, machine& m);
/// number: the state whose context the next hook uses.
const op* in_context(const op* at, machine& m);
/// self: the state. Its update hooks follow.
const op* updating(const op* at, machine& m);
/// number: the section. Begins a section of a tick, and stores it in machine::section. Ends here if sections are run one at a time.
const op* section(const op* at, machine& m);
/// The decisions of a section are complete. Ends here if a transition has begun to wait.
const op* decided(const op* at, machine& m);
/// number: whether it can return a successor. The update is complete; ends here if work remains.
const op* updated(const op* at, machine& m);
/// target: where to continue if a stop was requested.
const op* unless_stopped(const op* at, machine& m);

/// number: the local.
const op* construct(const op* at, machine& m);
const op* destroy(const op* at, machine& m);
/// number: the state. Marks it as finished.
const op* mark(const op* at, machine& m);
/// For the entry of a final state: see host_calls::raise_done.
const op* raise_done(const op* at, machine& m);
/// Calls the guard that follows; target of at[1]: where to continue if it is false or throws.
const op* try_guard(const op* at, machine& m);
/// number: the state. Removes its mark.
const op* unmark(const op* at, machine& m);
/// number: the state; target of at[1]: where to continue unless it is finished and its completion was tried.
const op* if_marked(const op* at, machine& m);
/// number: the state. It is transient and was entered.
const op* transient(const op* at, machine& m);
/// A transition begins after which others are tried.
const op* fired(const op* at, machine& m);

/// number: entry or history. The reason for the next entries.
const op* entering(const op* at, machine& m);
/// number: the index in chart_core::history_owners | the recorded state << 16.
const op* record(const op* at, machine& m);
/// number: the index in chart_core::history_owners | its first program in chart_core::restores << 16. Continues at the program for the record; at the
/// next op if there is none.
const op* restore(const op* at, machine& m);

/// number: the timer. Starts it, for its fixed time, or for the time in the hook context.
const op* arm_fixed(const op* at, machine& m);
const op* arm_found(const op* at, machine& m);
/// number: the offset of a due time in the block; target of at[1]: where to continue unless it is due.
const op* if_due(const op* at, machine& m);
/// number: the timer. Stops it; or starts it for another period.
const op* used_up(const op* at, machine& m);
const op* again(const op* at, machine& m);

/// number: the group | a state << 32: the leaf of its region, or with entered_leaf the state itself, is the leaf that can be finished; target of
/// at[1]: where to continue unless the group holds.
inline constexpr std::uint64_t entered_leaf = std::uint64_t(1) << 48;
const op* if_conditions(const op* at, machine& m);
/// number: the mask; target of at[1]: where to continue unless all, or any, of its conditions hold. Only for the first word, without bit 0.
const op* if_all(const op* at, machine& m);
const op* if_any(const op* at, machine& m);
/// number: 0, or the transition + 1. It enters the states that come next.
const op* entered_by(const op* at, machine& m);
/// number: the slot of a state. Stores what entered it; or, for its exit, the conditions with which it was entered.
const op* store_entered_by(const op* at, machine& m);
const op* mark_entry_conditions(const op* at, machine& m);
/// Resets the conditions with which exited states were entered.
const op* reset_entry_conditions(const op* at, machine& m);
/// Operand: the number of a transition.
const op* use_triggers(const op* at, machine& m);

// States that choose among candidates: choosing.cpp.
/// number: the state, and these bits. Begins to evaluate its candidates.
inline constexpr std::uint64_t is_entry = std::uint64_t(1) << 32;     ///< the state is being entered
inline constexpr std::uint64_t lists_always = std::uint64_t(1) << 33; ///< the choice is by chance
inline constexpr std::uint64_t lists_again = std::uint64_t(1) << 34;  ///< there is a bonus when it chooses again
const op* evaluate(const op* at, machine& m);
/// number: the state, and is_entry; target of at[1]: where to continue after its next evaluation, if a candidate was picked in advance. This
/// evaluation uses the scores that were computed in advance, if they are still valid.
const op* use_scores(const op* at, machine& m);
/// number: the bits of a score; at[1]: the candidate. Like the function of a score (as_score), see offer.
const op* fixed_score(const op* at, machine& m);
/// target of at[1]: where to continue if a candidate can be chosen already.
const op* if_none_offered(const op* at, machine& m);
/// The best candidate was picked.
const op* picked(const op* at, machine& m);
/// number: the state. Picks one of the candidates by chance.
const op* pick_by_chance(const op* at, machine& m);
/// number: the transition; target of at[1]: where to continue unless it was picked.
const op* if_picked(const op* at, machine& m);
/// The same; its state chooses now, unless it was the last one that has chosen.
const op* if_chosen(const op* at, machine& m);
/// target: the program that chooses, of a state whose rechoice has no period and no chance. Continues with the next op.
const op* choose_once(const op* at, machine& m);
/// number: a rechoice. Its state chooses, unless it was the last one that has chosen.
const op* choose_unless_chosen(const op* at, machine& m);
/// The end of a program that chooses.
const op* chosen_at_last(const op* at, machine& m);
/// number: the first of several consecutive candidates, and their number in the upper half. If one of them is chosen, continues at the target of its
/// op, which follows this one; otherwise after these ops.
const op* go_to_chosen(const op* at, machine& m);
/// number: the cooldown; target of at[1]: where to continue unless it has passed.
const op* if_cool(const op* at, machine& m);
/// number: the cooldown. It begins.
const op* cool(const op* at, machine& m);
/// The next if_chosen chooses.
const op* choose_again(const op* at, machine& m);
/// The transition was chosen by chance, and fires.
const op* count_draw(const op* at, machine& m);

/// number: the transition; target of at[1]: where to continue unless it is satisfied. Used if that depends on a history.
const op* if_satisfied(const op* at, machine& m);
/// number: the level's slot; target of at[1]: where to continue if a transition waits there.
const op* if_none_waits(const op* at, machine& m);
/// number: the transition; target of at[1]: where to continue if it must wait.
const op* or_wait(const op* at, machine& m);
/// number: the transition. One of its guards has refused: its requests to leave end.
const op* guard_refused(const op* at, machine& m);
/// number: the transition. Ends with held or refused if it must wait.
const op* or_pend(const op* at, machine& m);
/// number: the state. It was exited.
const op* state_exited(const op* at, machine& m);

/// number: the event. Ends with deferred or full.
const op* defer(const op* at, machine& m);
/// A transition with a target begins; deferred events are recalled after it.
const op* recall(const op* at, machine& m);
/// number: a state; target of at[1]: where to continue unless it is active.
const op* if_active(const op* at, machine& m);
/// The same, but continues there if it is active.
const op* unless_active(const op* at, machine& m);

// Charts with driven regions: region_ops.cpp.
/// number: the column | the offset of the driver's head << 32; self of at[1]: the offsets of the regions that can handle the event, then 0. Finds and
/// runs their programs.
const op* dispatch_regions(const op* at, machine& m);
/// number: the column | the offset of the only region that can handle the event << 32.
const op* dispatch_one(const op* at, machine& m);
/// Returns an op. number: the offset of the first region of a group; self of at[1]: the group's table. Runs the program of the group.
op_function dispatch_group(std::size_t regions);
inline constexpr std::size_t most_in_group = 4;
/// number: the offset of the first region | the offset of the driver's head << 32; target of at[1]: the op dispatch_regions. For each group, two data
/// entries follow: the offset of its first region | the number of regions << 32, and its table; then a 0. Runs one step of all groups.
const op* dispatch_groups(const op* at, machine& m);
/// number: state | offset of its region << 32. The exits or entries of the region have reached it.
const op* region_leaf(const op* at, machine& m);
/// number: whether the current step moves one region while the other stays.
const op* moving(const op* at, machine& m);
/// number: leaf | offset of its region << 32; self of at[1]: the leaf's row. All entries of the region are done, and those of the next one follow.
const op* region_entered(const op* at, machine& m);
/// number: a transition. A tick has chosen it, and the driver executes it.
const op* to_region_engine(const op* at, machine& m);
/// No program of the region can execute it.
const op* general(const op* at, machine& m);

// A region's part in a step of several: see region_ops.cpp. Two data entries precede the program of a region: the beginning of its part, and the kind
// of the part.
inline constexpr int part_entry = -2;          ///< target
inline constexpr int kind_entry = -1;          ///< number
inline constexpr std::uint64_t is_general = 1; ///< no program can execute it
inline constexpr std::uint64_t has_tests = 2;  ///< it has guards or other tests
inline constexpr std::uint64_t is_apart = 4;   ///< it can be in one step with a region of another parallel
inline constexpr std::uint64_t prepares = 8;   ///< it stores data before the first exit; all regions or none
inline constexpr std::uint64_t moves = 16;     ///< it exits states. With `has_tests`, this depends on the guards
/// number: its kind. The guards hold; its part follows.
const op* chosen(const op* at, machine& m);
/// It has prepared or acted, or enters nothing: continues with the next region.
const op* pass_on(const op* at, machine& m);
/// It exits nothing: continues with the previous region.
const op* pass_back(const op* at, machine& m);
/// number: level | offset of its region << 32. All states below the level were exited: continues with the previous region.
const op* exits_done(const op* at, machine& m);
/// number: leaf | offset of its region << 32; self of at[1]: the leaf's row. All entries are done: continues with the next region.
const op* entered(const op* at, machine& m);
/// Runs the ops that follow as if the region were alone; then continues with the next region.
const op* enter_apart(const op* at, machine& m);
/// Like because; number of at[1]: the leaf before the transition.
const op* because_from(const op* at, machine& m);
/// number: the state, which is being entered. Stores its entry time.
const op* stamp(const op* at, machine& m);
/// number: leaf | offset of its region << 32; self of at[1]: the leaf's row. The entries are complete in that region.
const op* arrived(const op* at, machine& m);
const op* arrived_outermost(const op* at, machine& m); ///< in region 0
/// Like arrived, in a tick; target of at[2]: the later sections of that leaf, where the tick continues unless work remains.
const op* arrived_in_tick(const op* at, machine& m);

// The tick of a region: the programs of the active regions follow each other.
/// number: the offset of a region; target of at[1]: the same op for the region after it. Continues with the tick of the region's leaf.
const op* next_region(const op* at, machine& m);
/// The first and the last op of the tick of all regions. The latter returns code_fired if a transition has fired.
const op* begin_regions(const op* at, machine& m);
const op* end_regions(const op* at, machine& m);
inline constexpr std::uintptr_t code_fired = code_next + state_fired;
/// number: the section | its region << 32. Stores it in machine::section, before an op that can end the program.
const op* in_section(const op* at, machine& m);
/// The same number. The update is complete; ends here if work remains.
const op* region_updated(const op* at, machine& m);
/// number: the parallel. The driver enters its regions.
const op* regions(const op* at, machine& m);
/// number: the transition | the state from which it starts << 32. The driver enters its targets.
const op* targets(const op* at, machine& m);
/// number: the index in chart_core::history_owners | whether it is deep << 16. If there is a record, the driver restores it.
const op* go_back(const op* at, machine& m);

// Observed machines: observed.cpp.
/// number: the first half of a record; number of at[1]: the second half.
const op* trace(const op* at, machine& m);
/// number: the column. Reports a call with that event, and runs the leaf's program.
const op* traced_event(const op* at, machine& m);
/// Reports that a timer has started, and when it is due.
const op* trace_armed(const op* at, machine& m);
/// number: the transition. Reports the score of a candidate.
const op* trace_score(const op* at, machine& m);

/// The unchanged depth of an entry choice, which exits no states.
inline constexpr std::uint64_t all = 0xffff;

} // namespace hsm::detail::ops
