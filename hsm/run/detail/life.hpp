/// The beginning and the end of a life.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// All exit, also when one of them throws; the first exception goes on. What is queued is dropped.
void stop_now(machine& m, const chart_core& core);

} // namespace hsm::detail
