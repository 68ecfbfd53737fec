/// The any-state rule: a polled transition to an own substate does not fire while what it leads to is active.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

namespace hsm::detail {

/// Is all that it leads to active? A history state stands for what it would go back to; where the transition would exit the
/// history's machine, what is active now counts as recorded. Without a record it may ask the guards of entry choices.
bool is_satisfied(machine& m, const chart_core& core, const transition_row& t);

} // namespace hsm::detail
