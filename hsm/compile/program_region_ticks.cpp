// Ticks in a region: updates and decisions from its outermost state to its leaf, in one program. The programs of the active regions run in order.
// Decisions that involve other regions are left to the driver: see ticker_regions.cpp.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>

namespace hsm::detail {

void planner::make_region_ticks() {
    if (!superstate_first() || core_.has_holds || core_.has_over) return;
    const auto before = out_.written();
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_region_steps(leaf);
    core_.sections.push_back({}); // code reads one section past the last
    core_.ticks_by_region = is_within_budget();
    if (core_.ticks_by_region) return;
    out_.go_back_to(before);
    core_.sections = {};
    for (auto& s : core_.states) s.tick = {}, s.tick_program = 0;
}

void planner::make_region_steps(index region_leaf) {
    const auto above = core_.states[core_.regions[core_.states[region_leaf].region]].superstate;
    std::vector<index> path;
    flatten::entries(core_.states, above, region_leaf, [&](index s) { path.push_back(s); });
    const auto by_level = polled_by_level(path);
    const auto decide_at = [&](index level) {
        const auto found = by_level.find(level);
        decide_in_region(region_leaf, level, found == by_level.end() ? nullptr : &found->second);
    };
    make_tick(region_leaf, [&] {
        if (above == no_index) decide_at(no_index);
        for (const auto s : path) {
            update_section(s);
            if (is_machine(s)) decide_at(s);
        }
        if (is_machine(region_leaf)) retry(core_.states[region_leaf].depth);
    });
}

/// Returns whether regions inside the leaf have transitions of that level, or one of its own depends on the states active there.
bool planner::is_decided_elsewhere(index region_leaf, index level) const {
    const auto& span = level == no_index ? core_.decides_above : core_.states[level].decides;
    const auto region = core_.states[region_leaf].region;
    return std::any_of(core_.decisions.begin() + span.first, core_.decisions.begin() + span.first + span.count, [&](auto number) {
        const auto& t = core_.transitions[number];
        if (core_.states[t.source].region != region) return core_.contains(region_leaf, t.source);
        return t.any_state && core_.contains(t.source, region_leaf) && core_.states[t.goal].region != region;
    });
}

void planner::decide_in_region(index region_leaf, index level, const std::vector<transitions>* by_source) {
    const int depth = level == no_index ? -1 : core_.states[level].depth;
    if (is_decided_elsewhere(region_leaf, level))
        section(tick_section::decide, depth, [&] { out_.emit_end(code_regions); });
    else if (by_source)
        decide(region_leaf, *by_source, depth);
}

} // namespace hsm::detail
