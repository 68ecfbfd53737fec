/// on_change: who is told that something below it was left or entered.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// A transition of that level is complete: outermost first, every active machine below which it has left or entered something is told.
void tell_change(machine& m, const chart_core& core, index level);

} // namespace hsm::detail
