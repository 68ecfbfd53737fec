#include <hsm/vm/detail/active.hpp>

#include <cstdint>

namespace hsm::detail {

void update_region_rows(machine& m, const chart_core& core) {
    for (std::size_t r = 0; core.by_regions && r < core.regions.size(); ++r) set_region_leaf(m, core, r, region_leaf_of(m, core, r));
}

namespace {
constexpr hook_site asks{hook_site::still, 1, 0};
}

const hook_site* current_hook_site(const machine& m, const chart_core& core) {
    const auto distance = reinterpret_cast<std::uintptr_t>(m.at) - reinterpret_cast<std::uintptr_t>(core.ops.data()); // wraps around if there is none
    if (distance < core.ops.size() * sizeof(op)) [[likely]]
        return &core.hook_sites[distance / sizeof(op)];
    return reinterpret_cast<std::uintptr_t>(m.at) > reinterpret_cast<std::uintptr_t>(displaced()) ? &asks : nullptr; // see enabled.hpp
}

index region_leaf_now(const machine& m, const chart_core& core, std::size_t region) {
    const auto* const site = current_hook_site(m, core);
    if (site && site->moves() && (site->state == no_index ? 0u : core.states[site->state].region) == region) return site->state;
    return region_leaf_of(m, core, region);
}

bool is_in_final_now(const machine& m, const chart_core& core, index s) {
    const auto leaf = region_leaf_now(m, core, core.states[s].region);
    if (leaf == no_index) return false;
    if (core.states[s].kind != state_kind::parallel) return core.states[leaf].kind == state_kind::final && core.states[leaf].superstate == s;
    bool all = leaf == s;
    each_region(core, s, [&](index outermost) { all = all && is_in_final_now(m, core, outermost); });
    return all;
}

bool is_active_now(const machine& m, const chart_core& core, index s) {
    if (s == no_index) return false;
    const auto leaf = region_leaf_now(m, core, core.states[s].region);
    return leaf != no_index && core.contains(s, leaf);
}

} // namespace hsm::detail
