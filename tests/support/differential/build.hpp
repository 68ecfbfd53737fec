/// Converts a plan to a chart.
#pragma once

#include <hsm/compile/compile.hpp>
#include <tests/support/differential/world.hpp>

namespace differential {

/// Returns the tree before it is compiled. The plan must outlive it.
hsm::owned<hsm::fsm<world>> define(const plan& p);

/// Throws definition_error if the plan is not a valid machine. The plan must outlive the chart, because hooks use it.
hsm::chart<world> build(const plan& p);

} // namespace differential
