/// Events that a machine raises in its own internal queue. Both functions throw queue_error if there is no room.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// Raises the done event of the machine whose final substate's enter runs, and that of the parallel around it if all its regions are final.
void raise_done(machine& m, const event_data& data);
/// Raises chart_core::guard_error. Requires that a guard's exception is being handled. Does nothing if a query evaluated the guard.
void raise_guard_error(machine& m);

} // namespace hsm::detail
