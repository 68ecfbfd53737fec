/// Converts a plan to a chart.
#pragma once

#include <hsm/compile/compile.hpp>
#include <tests/support/differential/test_context.hpp>

namespace differential {

/// Returns the tree before it is compiled. The plan must outlive it.
hsm::owned<hsm::fsm<test_context>> define(const plan& p);

/// Throws definition_error if the plan is not a valid machine. The plan must outlive the chart, because hooks use it.
hsm::chart<test_context> build(const plan& p);

} // namespace differential
