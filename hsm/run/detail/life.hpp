/// The end of a machine's life, and its clock.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Exits all states, even if an exit throws, drops the queued events, then rethrows the first exception.
void stop_now(machine& m, const chart_core& core);

/// Begins a tick: advances the clock by the scaled time, and stamps the entry times of the states entered before.
void advance(machine& m, const chart_core& core, std::int64_t elapsed);
/// Ends pause and time scale.
void reset_clock(machine& m) noexcept;

} // namespace hsm::detail
