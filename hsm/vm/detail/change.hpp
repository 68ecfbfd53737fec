/// Calls on_change of machines below which states were exited or entered.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// Call it when a transition of that level is complete: calls on_change of every active machine below which it exited or entered a state, outermost
/// first.
void run_on_change(machine& m, const chart_core& core, index level);

} // namespace hsm::detail
