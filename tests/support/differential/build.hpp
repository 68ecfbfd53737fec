/// From a plan to a chart.
#pragma once

#include <hsm/compile/compile.hpp>
#include <tests/support/differential/world.hpp>

namespace differential {

/// The tree, before it is compiled. The plan must outlive it.
hsm::owned<hsm::fsm<world>> define(const plan& p);

/// Throws definition_error if the plan is not a machine. The plan must outlive the chart: hooks look into it.
hsm::chart<world> build(const plan& p);

} // namespace differential
