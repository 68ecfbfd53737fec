/// What is active: a leaf, or, where a chart has regions, a leaf of each. Both are seen as the leaves of regions 0, 1, ...
#pragma once

#include <hsm/vm/detail/block.hpp>

namespace hsm::detail {

/// What the driver of regions knows of one of them.
struct region_state {
    const op* const* row;    ///< of its region leaf: programs by column
    index leaf;              ///< its innermost active state, without those in inner regions; no_index: it is not active
    index shallowest_change; ///< the least depth at which a state of it was left or entered since this was reset
};
struct driver_head {
    const op* chosen;     ///< of a region whose guards were asked last: its part in a step
    std::uint32_t handed; ///< what a program has handed over: a transition, or a place in chart_core::history_owners
    index reached;        ///< and the state that it has come to
    index step_level;     ///< the innermost state around the step in progress
    /// Whether states are being left and entered, and by what. siblings: by the programs of regions of one parallel, the one around the hook's state.
    enum : std::uint8_t { none, step, siblings } moving;
    bool foresees; ///< can() is asking guards
};
/// Behind it: where each part of a step goes on that regions make by their programs, between two more. See step_ops.cpp.
inline const op** parts_of(driver_head& head) { return reinterpret_cast<const op**>(&head + 1) + 1; }
constexpr std::size_t most_parts(std::size_t regions) { return regions + 2; }
inline driver_head& driver_of(const machine& m, const chart_core& core) { return *reinterpret_cast<driver_head*>(m.block + core.layout.driver); }
inline region_state& region_at(const machine& m, const chart_core& core, std::size_t region) {
    return reinterpret_cast<region_state*>(m.block + core.layout.regions)[region];
}
inline region_state inactive_region(const chart_core& core) { return {core.no_programs(), no_index, no_index}; }
/// The innermost active state of a region, without those in regions inside it; no_index: none is. Where there is one region it is
/// the machine's leaf, and region 0's always is that, too.
inline index region_leaf_of(const machine& m, const chart_core& core, std::size_t region) {
    return core.driven ? region_at(m, core, region).leaf : m.leaf;
}
inline void set_region_leaf(machine& m, const chart_core& core, std::size_t region, index leaf) {
    if (region == 0) m.leaf = leaf;
    if (!core.driven) return;
    auto& r = region_at(m, core, region);
    r.leaf = leaf;
    r.row = leaf == no_index ? core.no_programs() : core.row_of(leaf);
}
/// The programs of all regions are those of this chart.
void refer_regions(machine& m, const chart_core& core);
/// The least depth at which a state of the region was left or entered since this was reset; no_index: none was.
inline index& shallowest_change_of(machine& m, const chart_core& core, std::size_t region) {
    return core.driven ? region_at(m, core, region).shallowest_change : m.shallowest_change;
}
inline void note_change(machine& m, const chart_core& core, std::size_t region, int depth) {
    auto& least = shallowest_change_of(m, core, region);
    if (depth < least) least = static_cast<index>(depth);
}
/// The row that finds an event's program in what is active.
const op* const* row_of_regions(const machine& m, const chart_core& core);

/// Between hooks.
inline bool is_active(const machine& m, const chart_core& core, index s) {
    const auto leaf = region_leaf_of(m, core, core.states[s].region);
    return leaf != no_index && core.contains(s, leaf);
}

/// The outermost states of the regions of a parallel, in the order of definition; none if it is something else.
template <class Visit> void each_region(const chart_core& core, index parallel, Visit visit) {
    if (core.states[parallel].kind != state_kind::parallel) return;
    const auto& inner = core.states[parallel].regions;
    for (auto r = inner.first; r < inner.first + inner.count; ++r)
        if (const auto outermost = core.regions[r]; core.states[outermost].superstate == parallel) visit(outermost);
}

/// Has that state been left since its region's shallowest change was reset? Also if it has been entered again.
inline bool has_left(machine& m, const chart_core& core, index s) {
    return shallowest_change_of(m, core, core.states[s].region) <= core.states[s].depth;
}

// While a hook runs.

/// What the op means whose hook runs, or threw; null: none does. The only place that knows how it is found.
const op_note* note_of_hook(const machine& m, const chart_core& core);
/// As region_leaf_of and is_active, with what has been left or entered so far.
index region_leaf_now(const machine& m, const chart_core& core, std::size_t region);
bool is_active_now(const machine& m, const chart_core& core, index s);

/// Has a machine come to a final substate, and a parallel with all its regions?
bool is_in_final_now(const machine& m, const chart_core& core, index s);

/// Transient states that were entered, and not been tried in vain since: empty but while a chain of transitions goes on.
inline mark_bits just_entered_of(const machine& m, const chart_core& core) { return mark_bits(m.block + core.layout.just_entered); }
inline void forget_just_entered(const machine& m, const chart_core& core) {
    if (core.has_transients) just_entered_of(m, core).clear_all(core.states.size());
}

} // namespace hsm::detail
