/// Everything that follows from a transition or an update: SCXML's macrostep.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Repeats the first of these that applies, until none does: transient states, completion, `.always()` transitions, deferred events, internal
/// events. Throws chain_error at the chain limit.
void run_to_completion(machine& m, const chart_core& core);

} // namespace hsm::detail
