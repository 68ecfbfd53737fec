/// Two transitions of different regions that cannot both be done, and which of them goes: SCXML's remove conflicting transitions.
#pragma once

#include <hsm/vm/detail/enabled.hpp>

namespace hsm::detail {

/// Is that level around the other one, or the same? Above the root it is around all.
inline bool is_around(const chart_core& core, index outer, index inner) {
    return outer == no_index || (inner != no_index && core.contains(outer, inner));
}

/// Would both leave the same states?
inline bool conflicts(const chart_core& core, const enabled_transition& a, const enabled_transition& b) {
    return a.target != no_index && b.target != no_index && (is_around(core, a.level, b.level) || is_around(core, b.level, a.level));
}

/// Of two that conflict: does the one that was found first give way?
inline bool yields(const chart_core& core, const enabled_transition& older, const enabled_transition& newer) {
    if (core.options.order == decision_order::substate_first) return newer.source != older.source && core.contains(older.source, newer.source);
    return newer.level != older.level && is_around(core, newer.level, older.level);
}

} // namespace hsm::detail
