/// Transitions that were due before a tick ends, each at its moment: compile_options::carry_over.
#pragma once

#include <hsm/run/detail/call.hpp>

#include <cstdint>

namespace hsm::detail {

/// At the beginning of a tick that ends then: completes what earlier calls have left, and then fires what is due until then, the clock going from one
/// such moment to the next. Afterwards the clock is at the end. If a
/// hook throws, the clock stays at the moment of that transition.
void fire_overdue(machine& m, const chart_core& core, std::int64_t end);

} // namespace hsm::detail
