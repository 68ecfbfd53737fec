/// Generates a random definition with random inputs; the same seed gives the same plan on every machine.
#pragma once

#include <tests/support/differential/plan.hpp>

namespace differential {

plan generate(std::uint64_t seed, int inputs);

} // namespace differential
