#include <hsm/vm/detail/active.hpp>

#include <cstdint>

namespace hsm::detail {

void list_regions(machine& m, const chart_core& core) {
    auto& head = driver_of(m, core);
    head.list = reinterpret_cast<region_state**>(m.block + core.layout.region_lists);
    head.leaf_count = head.outer_count = 0;
    head.siblings = true;
    auto parallel = no_index;
    const auto list = [&](bool leaves, index& count) {
        for (std::size_t r = 0; r < core.regions.size(); ++r) {
            const auto region_leaf = region_leaf_of(m, core, r);
            if (region_leaf == no_index || (core.states[region_leaf].kind != state_kind::parallel) != leaves) continue;
            head.list[head.leaf_count + head.outer_count] = &region_at(m, core, r);
            const auto superstate = core.states[core.regions[r]].superstate;
            if (leaves && count > 0) head.siblings &= superstate == parallel;
            parallel = superstate;
            ++count;
        }
    };
    list(true, head.leaf_count);
    list(false, head.outer_count);
    head.pair = nullptr;
    for (const auto& p : core.pairs)
        if (region_leaf_of(m, core, 0) == p.parallel) head.pair = &p;
}

const op* const* row_of_regions(const machine& m, const chart_core& core) {
    const auto* const pair = driver_of(m, core).pair;
    if (!pair) return core.drive_row.data();
    const auto first = region_leaf_of(m, core, pair->first);
    const auto second = region_leaf_of(m, core, pair->first + 1u);
    const bool leaves = core.states[first].rank != no_index && core.states[second].rank != no_index;
    return leaves ? core.row_of_pair(*pair, first, second) : core.drive_row.data();
}

const op_note* note_of_hook(const machine& m, const chart_core& core) {
    const auto distance = reinterpret_cast<std::uintptr_t>(m.at) - reinterpret_cast<std::uintptr_t>(core.ops.data()); // wraps around where it is none
    return distance < core.ops.size() * sizeof(op) ? &core.notes[distance / sizeof(op)] : nullptr;
}

index region_leaf_now(const machine& m, const chart_core& core, std::size_t region) {
    const auto* const note = note_of_hook(m, core);
    if (note && note->moves() && (note->state == no_index ? 0u : core.states[note->state].region) == region) return note->state;
    return region_leaf_of(m, core, region);
}

bool is_active_now(const machine& m, const chart_core& core, index s) {
    if (s == no_index) return false;
    const auto leaf = region_leaf_now(m, core, core.states[s].region);
    return leaf != no_index && core.contains(s, leaf);
}

} // namespace hsm::detail
