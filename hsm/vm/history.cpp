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
} // namespace

void record_exits(machine& m, const chart_core& core, index level) {
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const auto s = core.history_owners[i];
        const bool exits = is_active(m, core, s) && (level == no_index || (s != level && core.contains(level, s)));
        if (!exits) continue;
        const bool parallel = core.states[s].kind == state_kind::parallel;
        record_of(m, core, i) = parallel ? s : core.recorded(s, region_leaf_of(m, core, core.states[s].region));
        record_regions(m, core, i);
    }
}

} // namespace hsm::detail
