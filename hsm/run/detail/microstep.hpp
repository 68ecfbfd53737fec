/// One microstep: what a transition does, or several together, each in regions of its own. All exits, then the actions, then all entries.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <exception>
#include <span>

namespace hsm::detail {

/// That transition as a part of a microstep.
enabled_transition enable(const machine& m, const chart_core& core, const transition_row& t, reason why);
/// The level of the transition as things are: that of one to a history state may depend on what is recorded.
index level_now(const machine& m, const chart_core& core, const transition_row& t);

/// All exits, actions and entries. If a hook throws, no parallel is left with some of its regions only.
void microstep(machine& m, const chart_core& core, std::span<enabled_transition> transitions);
/// A microstep of one transition.
void fire(machine& m, const chart_core& core, const transition_row& t, reason why);
/// As start and restart: the root, and from there to that state.
void enter_root(machine& m, const chart_core& core, index target, reason why);
/// A transition that no definition names, by the rules of one without `.external()`. taken; or what becomes of it if a state holds.
result make_request(machine& m, const chart_core& core, index source, index target, bool force);
/// The same from the leaf of the innermost active region that contains the target, so that other regions stay. An active region as the target makes
/// its entry choice again.
result make_request(machine& m, const chart_core& core, index target, bool force);
/// The machine that rests in that region makes its entry choice anew. True if it has gone somewhere.
bool retry_entry(machine& m, const chart_core& core, std::size_t region);

/// Everything below that level exits. With `first`, also when hooks throw: it becomes the first exception, unless there is one already.
void exit_below(machine& m, const chart_core& core, index level, std::exception_ptr* first = nullptr);
/// Everything below that level has changed.
void note_left(machine& m, const chart_core& core, index level);
/// Enters what is below a level, as far as a transition says: enter.cpp. True if on_change has been told of it.
bool enter_targets(machine& m, const chart_core& core, const enabled_transition& e);
/// Goes on from a state by an entry program, and where that ends because it would lead into regions, state by state. As enter_targets.
bool enter_on(machine& m, const chart_core& core, program entries);

/// Where regions are driven: has the hook that threw interrupted a step? Then abandon_step exits the parallel that it was in.
bool is_in_step(machine& m, const chart_core& core);
void abandon_step(machine& m, const chart_core& core) noexcept;

/// A transition with a target has fired: behind what is always tried, deferred events are recalled.
void request_recall(machine& m, const chart_core& core);
/// What enters the states that come next, for who wants to know: 0, or the number of a transition, from 1.
void set_entering(machine& m, const chart_core& core, std::uint32_t by);

} // namespace hsm::detail
