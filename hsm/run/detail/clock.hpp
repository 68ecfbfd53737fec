/// The clock of an instance.
#pragma once

#include <hsm/run/detail/call.hpp>

namespace hsm::detail {

/// Time passes, as fast as it does here. A tick begins.
void advance(machine& m, const chart_core& core, std::int64_t elapsed);
/// Neither paused nor scaled, as a clock that was just made.
void run_clock_at_usual_pace(machine& m) noexcept;

} // namespace hsm::detail
