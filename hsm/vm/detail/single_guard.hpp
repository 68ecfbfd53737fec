/// Calls one guard outside of programs, for explanations. Like any guard, it cannot change anything.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// Returns its result. Context and locals are those of `source`, which must be active if the guard takes locals. Exceptions propagate; machine::at,
/// context and the hook context are then not restored: see asking.hpp.
bool agrees(machine& m, const chart_core& core, const guard_row& g, index source);

} // namespace hsm::detail
