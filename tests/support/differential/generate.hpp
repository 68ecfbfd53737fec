/// Generates a random definition with random inputs; the same seed gives the same plan on every machine.
#pragma once

#include <tests/support/differential/plan.hpp>

namespace differential {

plan generate(std::uint64_t seed, int inputs);

/// Returns the plan without parts that files cannot express: only code can name a guard that is made of conditions and code. Conditions get names, by
/// which the inputs find them.
plan as_can_be_saved(plan p);

} // namespace differential
