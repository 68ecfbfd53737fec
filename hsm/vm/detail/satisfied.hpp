/// The any-state rule: a polled transition to a substate of its source does not fire while its target is active.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

namespace hsm::detail {

/// Returns whether all its targets are active. A history state means the state that it would restore; if the transition would exit the history's
/// machine, the active states count as the record. Without a record, this can call the guards of entry choices.
bool is_satisfied(machine& m, const chart_core& core, const transition_row& t);

} // namespace hsm::detail
