/// The ops that are not a user's hook. Each says what it keeps in its operand; `at[1]` is data where an op needs more.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

namespace hsm::detail::ops {

/// target: end_with(the code). The program is over.
const op* end(const op* at, machine& m);
/// target.
const op* jump(const op* at, machine& m);
/// The loop that runs programs goes on with the next one.
const op* pause(const op* at, machine& m);
/// number: the column. The event has no program here: its transition is selected, and made from parts.
const op* select(const op* at, machine& m);
/// number: the level. What is active below it exits, whatever it is.
const op* leave(const op* at, machine& m);
/// number: the level. What is recorded where it is left.
const op* record_left(const op* at, machine& m);
/// number: the unchanged depth. All exits are done: states from that depth inwards have been active for no time.
const op* exited(const op* at, machine& m);
/// number: leaf | unchanged depth << 16; self of at[1]: the leaf's row. The transition is complete.
const op* done(const op* at, machine& m);
/// As done, and tells on_change.
const op* done_changed(const op* at, machine& m);
/// As that, for a machine that rests; nothing is told when it has rested before.
const op* rest_changed(const op* at, machine& m);
/// target: an entry program; number of at[1]: the unchanged depth. Goes on there.
const op* enter_by(const op* at, machine& m);

/// number: the transition | reason << 32. Sets the hook context's cause.
const op* because(const op* at, machine& m);
/// self: the state whose hook comes next.
const op* at_state(const op* at, machine& m);
/// number: the first of its locals in chart_core::local_places. A hook that takes locals comes next.
const op* locals(const op* at, machine& m);
/// number: the first of the lists of its locals in chart_core::local_places | how many are in each << 32; number of at[1]: how many states stand
/// around the outermost level. There is one list for each level inwards; the level is that of the hook context.
const op* locals_by_level(const op* at, machine& m);
/// number: the state whose context comes next.
const op* in_context(const op* at, machine& m);
/// self: the state. Its update hooks come next.
const op* updating(const op* at, machine& m);
/// number: the section. A section of a tick begins, and machine::section says which. Ends here if sections are run by themselves.
const op* section(const op* at, machine& m);
/// The decisions of a section are over. Ends here if a transition has begun to wait.
const op* decided(const op* at, machine& m);
/// number: whether it may name a successor. The update is over; ends here if it left something to be done.
const op* updated(const op* at, machine& m);
/// target: where to go if a stop was asked for.
const op* unless_stopped(const op* at, machine& m);

/// number: the local.
const op* construct(const op* at, machine& m);
const op* destroy(const op* at, machine& m);
/// number: the state. It is over.
const op* mark(const op* at, machine& m);
/// A final state is entered: see host_calls::raise_done.
const op* raise_done(const op* at, machine& m);
/// The guard behind it is asked; target of at[1]: where to go if it refuses, or throws.
const op* try_guard(const op* at, machine& m);
/// number: the state. Its mark is gone.
const op* unmark(const op* at, machine& m);
/// number: the state; target of at[1]: where to go unless it is over, and its completion has been tried.
const op* if_marked(const op* at, machine& m);
/// number: the state. It is transient, and was entered.
const op* transient(const op* at, machine& m);
/// A transition begins, after which others are tried.
const op* fired(const op* at, machine& m);

/// number: entry or history. What enters the states that come next.
const op* entering(const op* at, machine& m);
/// number: in chart_core::history_owners | what is recorded there << 16.
const op* record(const op* at, machine& m);
/// number: in chart_core::history_owners | its first program in chart_core::restores << 16. Goes to the one for what is
/// recorded; to the next op if nothing is.
const op* restore(const op* at, machine& m);

/// number: the timer. It begins to run, for its fixed time, or for the time in the hook context.
const op* arm_fixed(const op* at, machine& m);
const op* arm_found(const op* at, machine& m);
/// number: where in the block it stands when a timer is due; target of at[1]: where to go unless it is.
const op* if_due(const op* at, machine& m);
/// number: the timer. It never is due again; or after a further period.
const op* used_up(const op* at, machine& m);
const op* again(const op* at, machine& m);

/// number: the group | a state << 32: the leaf of its region may be over, or, if it is just being entered (| entered_leaf), itself;
/// target of at[1]: where to go unless the group holds.
inline constexpr std::uint64_t entered_leaf = std::uint64_t(1) << 48;
const op* if_conditions(const op* at, machine& m);
/// number: the mask; target of at[1]: where to go unless all, or any, of what it wants is so. In the first word, without bit 0.
const op* if_all(const op* at, machine& m);
const op* if_any(const op* at, machine& m);
/// number: 0, or the transition + 1. The states that come next are entered by it.
const op* entered_by(const op* at, machine& m);
/// number: the slot of a state. It is entered; or left, and the conditions by which it was entered are noted.
const op* note_entered_by(const op* at, machine& m);
const op* note_left_by(const op* at, machine& m);
/// Resets the conditions by which what has been left was entered.
const op* reset_entry_conditions(const op* at, machine& m);

/// number: the transition; target of at[1]: where to go unless it is satisfied. For what depends on a history.
const op* if_satisfied(const op* at, machine& m);
/// number: the level's slot; target of at[1]: where to go if a transition waits there.
const op* if_none_waits(const op* at, machine& m);
/// number: the transition; target of at[1]: where to go if it has to wait.
const op* or_wait(const op* at, machine& m);
/// number: the transition. Ends with held or refused if it has to wait.
const op* or_pend(const op* at, machine& m);
/// number: the state. It has been left.
const op* left(const op* at, machine& m);

/// number: the event. Ends with deferred, or full.
const op* defer(const op* at, machine& m);
/// A transition with a target begins, after which deferred events are recalled.
const op* recall(const op* at, machine& m);
/// number: a state; target of at[1]: where to go unless it is active.
const op* if_active(const op* at, machine& m);
/// The same: where to go if it is active.
const op* unless_active(const op* at, machine& m);

// Where regions are driven: region_ops.cpp.
/// number: the column | where the driver's head is << 32; self of at[1]: where the regions stand that may know it, then 0. Finds their programs, and
/// runs them.
const op* drive(const op* at, machine& m);
/// number: the column | where the only region is << 32 that may know it.
const op* drive_one(const op* at, machine& m);
/// target: the op that drives. The same, where two regions are active that have rows together.
const op* drive_pair(const op* at, machine& m);
/// number: state | where its region is << 16. So far has it been left, or entered.
const op* region_leaf(const op* at, machine& m);
/// number: whether a step is in progress in which one region moves and the other stays.
const op* moving(const op* at, machine& m);
/// number: the leaves of two regions, 16 bits each | where the first is << 32; self of at[1], at[2]: their rows; of at[3]: that of
/// both. The step is complete.
const op* pair_done(const op* at, machine& m);
/// number: a transition. A tick has decided on it, and the driver makes it.
const op* by_driver(const op* at, machine& m);
/// A region cannot do that by a program of its own.
const op* general(const op* at, machine& m);

// What one of several regions does in a step: see step_ops.cpp. Before a region's program stand two that are no ops: where its part in a step
// begins, and what has to be known of it.
inline constexpr int its_part = -2;            ///< target
inline constexpr int its_kind = -1;            ///< number
inline constexpr std::uint64_t is_general = 1; ///< no program can do it
inline constexpr std::uint64_t asks = 2;       ///< there are guards, or something else that may refuse
inline constexpr std::uint64_t is_apart = 4;   ///< it may be done together with a region of another parallel
inline constexpr std::uint64_t prepares = 8;   ///< something is noted before anything is left; of all regions or none
inline constexpr std::uint64_t moves = 16;     ///< something is left. With `asks` it is not known yet
/// number: its kind. The guards have agreed; its part comes next.
const op* chosen(const op* at, machine& m);
/// It has prepared, or acted, or has nothing to enter: the next region comes.
const op* pass_on(const op* at, machine& m);
/// It has nothing to leave: the region before it comes.
const op* pass_back(const op* at, machine& m);
/// number: level | where its region is << 16. Everything up to there has been left: the region before it comes.
const op* exits_done(const op* at, machine& m);
/// number: leaf | where its region is << 16; self of at[1]: the leaf's row. Everything has been entered: the next region comes.
const op* entered(const op* at, machine& m);
/// What follows enters what it finds, as if it were alone; then the next region comes.
const op* enter_apart(const op* at, machine& m);
/// As because; number of at[1]: the leaf before the transition.
const op* because_from(const op* at, machine& m);
/// number: the state. It is being entered.
const op* stamp(const op* at, machine& m);
/// number: leaf | where its region is << 16; self of at[1]: the leaf's row. What is entered is complete, as far as that region goes.
const op* arrived(const op* at, machine& m);
const op* arrived_outermost(const op* at, machine& m); ///< in region 0
/// number: the parallel. Its regions are entered by the driver.
const op* regions(const op* at, machine& m);
/// number: the transition | the state that it starts from << 32. Its targets are entered by the driver.
const op* targets(const op* at, machine& m);
/// number: in chart_core::history_owners | whether it is deep << 16. If there is a record, the driver goes back to it.
const op* go_back(const op* at, machine& m);

// Of machines that are observed: observed.cpp.
/// number: the first half of a record; number of at[1]: the second one.
const op* trace(const op* at, machine& m);
/// number: the column. Tells of a call with that event, and runs the leaf's program.
const op* told_event(const op* at, machine& m);
/// The same of a timer that has begun to run, and of when it is due.
const op* trace_armed(const op* at, machine& m);

/// The unchanged depth of an entry choice, which exits nothing.
inline constexpr std::uint64_t all = 0xffff;

} // namespace hsm::detail::ops
