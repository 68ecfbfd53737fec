// Charts with driven regions: instead of programs by leaf and event, lists of candidates and parts.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>

namespace hsm::detail {

void planner::make_by_regions() {
    for (const auto& s : core_.states)
        for (const auto& span : {s.polled, s.events})
            for (auto t = span.first; t < span.first + span.count; ++t) core_.transitions[t].enter_program = make_entries_below(core_.transitions[t]);
    parts_ = out_.written();
    core_.lists.emplace_back();
    for (index s = 0; s < core_.states.size() && is_within_budget(); ++s) make_lists(s);
    make_decisions();
    if (!is_within_budget()) {
        make_by_parts();
        return out_.finish();
    }
    const auto rows = core_.states.size() * core_.row_width * sizeof(const op*);
    if (core_.traced) return out_.finish(); // the driver executes all steps
    if (!core_.has_over && rows <= core_.options.row_memory && core_.layout.regions < 1u << 24) make_region_programs();
    make_region_ticks();
    out_.finish();
}

/// Returns whether the entries from an active state `from` to the targets lead into other regions.
bool planner::crosses(index from, const transition_row& t) const {
    if (!core_.by_regions) return false;
    const auto region = from == no_index ? index(0) : core_.states[from].region;
    return t.more_targets.count > 0 || core_.states[core_.machine_of(t.target)].region != region;
}

/// Makes the entries below the level, if they involve no other region.
program planner::make_entries_below(const transition_row& t) {
    if (t.target == no_index || t.by_record || crosses(t.level, t)) return 0;
    const auto p = out_.begin();
    entry_sink sink{*this, unchanged_depth_of(t.level)};
    flatten::write_entries(core_, t.level, t.target, sink);
    return p;
}

/// Lists the candidates by event if this is the leaf of its region, in the order in which its states decide.
void planner::make_lists(index region_leaf) {
    const auto above = core_.states[core_.regions[core_.states[region_leaf].region]].superstate;
    std::vector<row_entry> entries;
    for (const auto& [event, list] : candidates_by_event(above, region_leaf)) {
        const auto shared = share_list(list);
        core_.each_column(event, [&](auto column) { entries.push_back({column, shared}); });
    }
    std::ranges::sort(entries);
    core_.states[region_leaf].programs = out_.share(std::move(entries));
}

/// Stores a list, or returns the number of an equal stored one.
std::uint32_t planner::share_list(const transitions& list) {
    const auto [found, is_new] = lists_.try_emplace(list, static_cast<std::uint32_t>(core_.lists.size()));
    if (is_new) {
        core_.lists.push_back({static_cast<std::uint32_t>(core_.candidates.size()), static_cast<std::uint32_t>(list.size())});
        core_.candidates.insert(core_.candidates.end(), list.begin(), list.end());
    }
    return found->second;
}

/// Orders the polled transitions of each level by the depth of the source, then by priority, then by definition.
void planner::make_decisions() {
    std::map<int, transitions> by_level; // -1: above the root
    for (std::uint32_t number = 0; number < core_.transitions.size(); ++number) {
        const auto& t = core_.transitions[number];
        const auto& polled = core_.states[t.source].polled;
        if (number - polled.first < polled.count) by_level[t.level == no_index ? -1 : t.level].push_back(number);
    }
    for (auto& [level, list] : by_level) {
        std::ranges::stable_sort(list, {}, [&](auto number) {
            const auto& t = core_.transitions[number];
            return std::pair(core_.states[t.source].depth, -std::int64_t(t.priority));
        });
        const span_of span{static_cast<std::uint32_t>(core_.decisions.size()), static_cast<std::uint32_t>(list.size())};
        core_.decisions.insert(core_.decisions.end(), list.begin(), list.end());
        (level < 0 ? core_.decides_above : core_.states[static_cast<index>(level)].decides) = span;
    }
}

} // namespace hsm::detail
