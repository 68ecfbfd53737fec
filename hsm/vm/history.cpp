#include <hsm/vm/detail/history.hpp>

#include <hsm/vm/detail/active.hpp>

namespace hsm::detail {

namespace {
/// Records the region leaves of all regions inside it that can be restored.
void record_regions(machine& m, const chart_core& core, std::size_t record) {
    if (!core.by_regions) return;
    const auto& inner = core.states[core.history_owners[record]].regions;
    for (std::uint32_t i = 0; i < inner.count; ++i) {
        const auto leaf = region_leaf_of(m, core, inner.first + i);
        const bool forgotten = leaf != no_index && core.states[leaf].kind == state_kind::final && !core.options.remember_finals;
        region_records_of(m, core, record)[i] = forgotten ? core.states[leaf].superstate : leaf;
    }
}

/// Returns the active substate of the machine of a previous state; 0 if there is none, or it is passed over.
index present_of(const machine& m, const chart_core& core, index s) {
    const auto machine = core.states[s].superstate;
    const auto leaf = region_leaf_of(m, core, core.states[machine].region);
    if (leaf == no_index || leaf == machine || !core.contains(machine, leaf)) return 0;
    const auto present = core.toward(machine, leaf);
    return core.counts_as_previous(present) ? present : index(0);
}

/// Stores the substate that exits, unless it is the one that is stored already.
void record_previous(machine& m, const chart_core& core, index s, index level) {
    if (level != no_index && !core.contains(level, core.states[s].superstate)) return;
    auto* const recorded = &record_of(m, core, core.states[s].record);
    const auto present = present_of(m, core, s);
    if (present == 0 || present == recorded[0]) return;
    recorded[1] = recorded[0];
    recorded[0] = present;
}
} // namespace

index previous_of(const machine& m, const chart_core& core, index s) {
    const auto* const recorded = &record_of(m, core, core.states[s].record);
    const auto present = present_of(m, core, s);
    return recorded[present == 0 || present == recorded[0] ? 1 : 0];
}

void record_exits(machine& m, const chart_core& core, index level) {
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const auto s = core.history_owners[i];
        if (core.states[s].kind == state_kind::history) {
            record_previous(m, core, s, level);
            ++i;
            continue;
        }
        const bool exits = is_active(m, core, s) && (level == no_index || (s != level && core.contains(level, s)));
        if (!exits) continue;
        const bool parallel = core.states[s].kind == state_kind::parallel;
        record_of(m, core, i) = parallel ? s : core.recorded(s, region_leaf_of(m, core, core.states[s].region));
        record_regions(m, core, i);
    }
}

} // namespace hsm::detail
