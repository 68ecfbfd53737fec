/// Returns a plan that still shows a difference (or crashes, or does not terminate), with as little else as possible.
#pragma once

#include <tests/support/differential/plan.hpp>

namespace differential {

plan shrink(plan p);

} // namespace differential
