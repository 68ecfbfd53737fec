/// The active states: a leaf, or a leaf of each region. Both are accessed as the leaves of regions 0, 1, ...
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// The state of a region, for the driver.
struct region_state {
    const op* const* row;    ///< the row of its region leaf: programs by column
    index leaf;              ///< its innermost active state, without those in inner regions; no_index: the region is not active
    index shallowest_change; ///< the least depth at which one of its states was exited or entered since the last reset
};
struct region_step_head {
    const op* chosen;     ///< the chosen part of the region whose guards were called last
    std::uint32_t handed; ///< set by a program for the driver: a transition, or an index in chart_core::history_owners
    index reached;        ///< the state that this program has reached
    index step_level;     ///< the innermost state around the current step
    /// Whether states are being exited and entered, and by what. siblings: by the programs of regions of one parallel, which is around the hook's
    /// state.
    enum : std::uint8_t { none, step, siblings } moving;
    bool previewing; ///< can() is calling guards
};
/// The list after the head: the op at which each part of a step continues, with one more at each end. See region_ops.cpp.
inline const op** parts_of(region_step_head& head) { return reinterpret_cast<const op**>(&head + 1) + 1; }
constexpr std::size_t most_step_parts(std::size_t regions) { return regions + 2; }
inline region_step_head& region_step_of(const machine& m, const chart_core& core) {
    return *reinterpret_cast<region_step_head*>(m.block + core.layout.region_step);
}
inline region_state& region_at(const machine& m, const chart_core& core, std::size_t region) {
    return reinterpret_cast<region_state*>(m.block + core.layout.regions)[region];
}
inline region_state inactive_region(const chart_core& core) { return {core.no_programs(), no_index, no_index}; }
/// Returns the innermost active state of a region, without those in inner regions; no_index: none. With one region it is the machine's leaf. Region 0
/// always stores it there, too.
inline index region_leaf_of(const machine& m, const chart_core& core, std::size_t region) {
    return core.by_regions ? region_at(m, core, region).leaf : m.leaf;
}
/// Calls visit(state) for each active state without active substates.
template <class Visit> void each_leaf(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t r = 0; r < core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(m, core, r); leaf != no_index && core.states[leaf].kind != state_kind::parallel) visit(leaf);
}
inline void set_region_leaf(machine& m, const chart_core& core, std::size_t region, index leaf) {
    if (region == 0) m.leaf = leaf;
    if (!core.by_regions) return;
    auto& r = region_at(m, core, region);
    r.leaf = leaf;
    r.row = leaf == no_index ? core.no_programs() : core.row_of(leaf);
}
/// Sets the rows of all regions to those of this chart.
void update_region_rows(machine& m, const chart_core& core);
/// Returns the least depth at which a state of the region was exited or entered since the last reset; no_index: none.
inline index& shallowest_change_of(machine& m, const chart_core& core, std::size_t region) {
    return core.by_regions ? region_at(m, core, region).shallowest_change : m.shallowest_change;
}
inline void mark_changed(machine& m, const chart_core& core, std::size_t region, int depth) {
    auto& least = shallowest_change_of(m, core, region);
    if (depth < least) least = static_cast<index>(depth);
}

/// Requires that no hook runs.
inline bool is_active(const machine& m, const chart_core& core, index s) {
    const auto leaf = region_leaf_of(m, core, core.states[s].region);
    return leaf != no_index && core.contains(s, leaf);
}

/// Visits the outermost states of the regions of a parallel, in the order of definition; no states if `parallel` is another kind.
template <class Visit> void each_region(const chart_core& core, index parallel, Visit visit) {
    if (core.states[parallel].kind != state_kind::parallel) return;
    const auto& inner = core.states[parallel].regions;
    for (auto r = inner.first; r < inner.first + inner.count; ++r)
        if (const auto outermost = core.regions[r]; core.states[outermost].superstate == parallel) visit(outermost);
}

/// Returns whether that state was exited since its region's shallowest change was reset, even if it has been entered again.
inline bool was_exited(machine& m, const chart_core& core, index s) {
    return shallowest_change_of(m, core, core.states[s].region) <= core.states[s].depth;
}

// For use while a hook runs.

/// Returns the note of the op whose hook runs or threw; null: none. No other code looks it up.
const hook_site* current_hook_site(const machine& m, const chart_core& core);
/// Like region_leaf_of and is_active, including the exits and entries so far.
index region_leaf_now(const machine& m, const chart_core& core, std::size_t region);
bool is_active_now(const machine& m, const chart_core& core, index s);

/// Returns whether a machine is in a final substate, or a parallel is with all its regions.
bool is_in_final_now(const machine& m, const chart_core& core, index s);

/// Returns the transient states that were entered and not yet tried without success. Empty except during a chain of transitions.
inline mark_bits just_entered_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.just_entered); }
inline void forget_just_entered(const machine& m, const chart_core& core) {
    if (core.has_transients) just_entered_of(m, core).clear_all(core.states.size());
}

} // namespace hsm::detail
