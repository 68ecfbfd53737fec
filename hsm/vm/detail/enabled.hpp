/// The transitions selected for the next microstep.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// A selected transition or request.
struct enabled_transition {
    const transition_row* transition; ///< null: a request
    index source, target, level;
    index previous; ///< the region leaf of its region before the step
    reason why;
    index holder = no_index; ///< the state for which it must wait
    bool drops = false;      ///< it yields to a deferral, or to a transition inside the state that defers
};
/// Returns the list for the current step, with room for one per region and one more.
inline enabled_transition* enabled_of(const machine& m, const chart_core& core) {
    return reinterpret_cast<enabled_transition*>(m.block + core.layout.enabled);
}
/// Returns a second list, for predictions.
inline enabled_transition* preview_of(const machine& m, const chart_core& core) { return enabled_of(m, core) + core.regions.size() + 1; }
/// Returns two sets with a bit per region: whether its transition was looked up, and whether it had one. Predictions have their own sets.
inline std::byte* looked_up_of(const machine& m, const chart_core& core, bool preview) {
    return m.block + core.layout.looked_up + (preview ? 2 * words_for(core.regions.size()) * 8 : 0);
}

} // namespace hsm::detail
