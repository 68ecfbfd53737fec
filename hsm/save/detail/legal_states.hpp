/// The valid combinations of states, for checking images and documents.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <cstddef>

namespace hsm::detail {

inline index outermost_of(const chart_core& core, std::size_t region) { return region == 0 ? index(0) : core.regions[region]; }

/// Returns whether the state can be active at all. This includes choices, where an interrupted chain can end.
inline bool can_be_active(const chart_core& core, index s) { return s < core.states.size() && core.states[s].kind != state_kind::history; }

/// Returns whether the region of `outermost` can have its leaf in `s`.
inline bool may_rest_in(const chart_core& core, index s, index outermost) {
    return can_be_active(core, s) && core.contains(outermost, s) && core.states[s].region == core.states[outermost].region;
}

/// For one region inside `outermost`.
inline bool may_be_remembered(const chart_core& core, index leaf, index outermost) {
    return may_rest_in(core, leaf, outermost) && (core.states[leaf].kind != state_kind::final || core.options.remember_finals);
}

/// Returns whether the owner's history can contain the leaf. Regions of the leaf are checked separately.
inline bool may_be_recorded(const chart_core& core, index owner, index leaf) {
    if (core.states[owner].kind == state_kind::parallel) return leaf == owner;
    return leaf != owner && may_be_remembered(core, leaf, owner);
}

/// Checks that exactly the possible ones of these regions are active. `leaf` returns the leaf of any region, including outer ones.
template <class LeafOf> bool regions_agree(const chart_core& core, std::size_t first, std::size_t count, const LeafOf& leaf) {
    for (std::size_t r = first; r < first + count; ++r) {
        const auto parallel = core.states[core.regions[r]].superstate;
        const bool is_there = leaf(core.states[parallel].region) == parallel;
        if ((leaf(r) != no_index) != is_there) return false;
    }
    return true;
}

/// The same check for the regions inside a history's owner.
template <class Regions> bool record_agrees(const chart_core& core, index owner, index recorded, const Regions& regions) {
    const auto& inner = core.states[owner].regions;
    return regions_agree(core, inner.first, inner.count, [&](std::size_t r) {
        const bool is_inside = r >= inner.first && r < std::size_t(inner.first) + inner.count;
        return is_inside ? regions[r - inner.first] : recorded;
    });
}

} // namespace hsm::detail
