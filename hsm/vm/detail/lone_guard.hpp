/// One guard, asked by itself, outside of every program: for explanations. While it runs nothing can be changed, as in any guard.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// What it says. Context and locals are those of `source`, which must be active if it takes locals. What it throws goes through, and
/// machine::at, context and the hook context are then as they were left: see asking.hpp.
bool agrees(machine& m, const chart_core& core, const guard_row& g, index source);

} // namespace hsm::detail
