/// The transitions that have been selected for the next microstep.
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// One of them, or a request.
struct enabled_transition {
    const transition_row* transition; ///< null: a request
    index source, target, level;
    index previous; ///< the region leaf of its region before the step
    reason why;
    index holder = no_index; ///< the state that it has to wait for
    bool drops = false;      ///< it gives way to a deferral, or to a transition inside the state that defers
};
/// Of the step in progress, with room for one of each region, and one more.
inline enabled_transition* enabled_of(const machine& m, const chart_core& core) {
    return reinterpret_cast<enabled_transition*>(m.block + core.layout.enabled);
}
/// As much room again, for what would be done.
inline enabled_transition* foreseen_of(const machine& m, const chart_core& core) { return enabled_of(m, core) + core.regions.size() + 1; }
/// Which regions have been asked for their transition, and behind that which had one: a bit each; for what is done, and once more for
/// what would be.
inline std::byte* asked_of(const machine& m, const chart_core& core, bool foreseen) {
    return m.block + core.layout.asked + (foreseen ? 2 * words_for(core.regions.size()) * 8 : 0);
}

} // namespace hsm::detail
