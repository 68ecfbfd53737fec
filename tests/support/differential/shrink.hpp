/// A plan that still shows a difference (or dies, or does not end), with as little else in it as can be.
#pragma once

#include <tests/support/differential/plan.hpp>

namespace differential {

plan shrink(plan p);

} // namespace differential
