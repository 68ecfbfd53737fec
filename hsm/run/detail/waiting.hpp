/// When transitions, events and requests that wait for holding states are tried again.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Tries pending events and requests, outermost level first. Completes all effects of each before it tries the next.
void try_pending(machine& m, const chart_core& core);
/// Tries the transitions that waited for this state again after its update, outermost level first, also if the state has exited since.
void try_waiting(machine& m, const chart_core& core, index holder);

} // namespace hsm::detail
