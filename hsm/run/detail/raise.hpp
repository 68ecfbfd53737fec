/// Events that a machine raises by itself, in its internal queue. They throw queue_error if there is no room.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/machine.hpp>

namespace hsm::detail {

/// In the enter of a final state: what its machine has come to, and the parallel whose last region that is.
void raise_done(machine& m, const event_data& data);
/// In the handler of what a guard has thrown. Nothing, if the guard was only asked what it would say.
void raise_guard_error(machine& m);

} // namespace hsm::detail
