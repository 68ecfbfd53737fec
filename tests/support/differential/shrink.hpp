/// Returns a plan that still shows a difference (or crashes, or does not terminate), with as little else as possible.
#pragma once

#include <tests/support/differential/plan.hpp>

namespace differential {

plan shrink(plan p);

/// Removes a state with its substates, or without: these then replace it. Returns false if this is not possible.
bool remove_state(plan& p, int s, bool with_substates);

} // namespace differential
