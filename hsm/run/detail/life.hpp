/// The end of a machine's life.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Exits all states, even if an exit throws, drops the queued events, then rethrows the first exception.
void stop_now(machine& m, const chart_core& core);

} // namespace hsm::detail
