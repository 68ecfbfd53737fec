/// The ops that are not a user's hook. Each says what it keeps in its operand; `at[1]` is data where an op needs more.
#pragma once

#include <hsm/compile/chart_core.hpp>

namespace hsm::ops {

/// target: end_with(the code). The program is over.
const op* end(const op* at, machine& m);
/// target.
const op* jump(const op* at, machine& m);
/// number: kept. All exits are done: from here on, states further in have been active for no time.
const op* exited(const op* at, machine& m);
/// number: leaf | kept << 16; self of at[1]: the leaf's row. The transition is complete.
const op* done(const op* at, machine& m);
/// As done, and tells on_change.
const op* done_changed(const op* at, machine& m);
/// As that, for a machine that rests; nothing is told when it has rested before.
const op* rest_changed(const op* at, machine& m);
/// target: an entry program; number of at[1]: kept. Goes on there.
const op* enter_by(const op* at, machine& m);

/// number: the transition | reason << 32. Sets the moment's cause.
const op* because(const op* at, machine& m);
/// self: the state whose hook comes next.
const op* at_state(const op* at, machine& m);
/// number: the state whose context comes next.
const op* in_context(const op* at, machine& m);
/// self: the state. Its update hooks come next.
const op* updating(const op* at, machine& m);
/// number: whether it may name a successor. The update is over; or interrupted, when it left something to settle.
const op* updated(const op* at, machine& m);
/// target: where to go if a stop was asked for.
const op* unless_stopped(const op* at, machine& m);

/// number: the local.
const op* construct(const op* at, machine& m);
const op* destroy(const op* at, machine& m);
/// number: the state. It is over.
const op* mark(const op* at, machine& m);
/// number: the state. Its mark is gone.
const op* unmark(const op* at, machine& m);
/// number: the state; target of at[1]: where to go unless it is over, and its completion has been tried.
const op* if_marked(const op* at, machine& m);
/// A transient state was entered.
const op* transient(const op* at, machine& m);

/// The operand `kept` of an entry choice, which exits nothing.
inline constexpr std::uint64_t all = 0xffff;

} // namespace hsm::ops
