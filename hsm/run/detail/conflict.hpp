/// Conflicts between transitions of different regions: SCXML's removeConflictingTransitions.
#pragma once

#include <hsm/vm/detail/enabled.hpp>

namespace hsm::detail {

/// Returns whether the outer level contains the inner one or equals it. The level above the root contains all.
inline bool is_around(const chart_core& core, index outer, index inner) {
    return outer == no_index || (inner != no_index && core.contains(outer, inner));
}

/// Returns whether both transitions would exit the same states.
inline bool conflicts(const chart_core& core, const enabled_transition& a, const enabled_transition& b) {
    return a.target != no_index && b.target != no_index && (is_around(core, a.level, b.level) || is_around(core, b.level, a.level));
}

/// Returns whether, of two conflicting transitions, the one that was found first yields.
inline bool yields(const chart_core& core, const enabled_transition& older, const enabled_transition& newer) {
    if (core.options.order == decision_order::substate_first) return newer.source != older.source && core.contains(older.source, newer.source);
    return newer.level != older.level && is_around(core, newer.level, older.level);
}

} // namespace hsm::detail
