/// Fires transitions that are due before a tick ends, each at its moment: compile_options::carry_over.
#pragma once

#include <hsm/run/detail/call.hpp>

#include <cstdint>

namespace hsm::detail {

/// First completes the work that earlier calls left. Then fires the delayed transitions that are due until `end`, and moves the clock from one such
/// moment to the next. Afterwards the clock is at `end`. If a hook throws, the clock stays at the moment of that transition.
void fire_overdue(machine& m, const chart_core& core, std::int64_t end);

} // namespace hsm::detail
