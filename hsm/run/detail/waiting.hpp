/// What waits for states that hold: when it is tried again.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Pending events and requests, outermost level first; what follows from each is completed before the next is tried.
void try_pending(machine& m, const chart_core& core);
/// After the update of a state that held: the transitions that waited for it are decided anew, outermost level first, also if what
/// came in between has taken it out.
void try_waiting(machine& m, const chart_core& core, index holder);

} // namespace hsm::detail
