/// What follows from a transition or an update, until nothing is left to be done: SCXML's macrostep.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Transient states, completion, what is always tried, deferred events, internal events: each time the first of these that there is.
/// Throws chain_error if there is no end.
void run_to_completion(machine& m, const chart_core& core);

} // namespace hsm::detail
