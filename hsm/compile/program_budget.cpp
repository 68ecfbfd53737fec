// Charts whose programs by leaf would exceed the budget: each state has lists of its own transitions, and transitions are selected from them at run
// time.

#include <hsm/compile/detail/planner.hpp>

#include <algorithm>

namespace hsm::detail {

bool planner::is_within_budget() const {
    const auto ops = (core_.ops.size() - parts_.ops) * (sizeof(op) + sizeof(op_note));
    const auto tables = core_.sections.size() * sizeof(tick_section) + core_.entries.size() * sizeof(row_entry) +
                        core_.candidates.size() * sizeof(core_.candidates[0]);
    return ops + tables <= core_.options.program_memory;
}

/// Makes the programs of all leaves. Returns false if they exceed the budget.
bool planner::make_programs_by_leaf() {
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_row(leaf);
    for (index leaf = 0; leaf < core_.states.size() && is_within_budget(); ++leaf) make_steps(leaf);
    core_.sections.push_back({}); // code reads one section past the last
    return is_within_budget();
}

/// Discards everything after the parts.
void planner::make_by_parts() {
    out_.go_back_to(parts_);
    out_.forget_shared();
    internal_programs_.clear();
    lists_.clear();
    core_.sections = {};
    core_.candidates = {};
    core_.lists.assign(1, {});
    core_.by_parts = true;
    for (index s = 0; s < row_count(core_.states); ++s) list_own(s);
    if (core_.driven) return;
    list_levels();
    select_by_column();
    const auto tick = out_.begin();
    out_.emit(&ops::section, std::uint64_t(0)); // the beginning of every tick
    out_.emit_end(code_parts);
    for (index s = 0; s < row_count(core_.states); ++s) {
        auto& row = core_.states[s];
        row.tick = {};
        row.tick_program = tick;
        if (row.updates) row.update_program = part([&] { update(s); });
    }
    parts_ = out_.written();
    make_shared();
}

/// Lists its own transitions by event.
void planner::list_own(index s) {
    std::map<std::uint32_t, transitions> by_column;
    const auto& span = core_.states[s].events;
    for (auto t = span.first; t < span.first + span.count; ++t)
        core_.each_column(core_.transitions[t].event, [&](auto column) { by_column[column].push_back(t); });
    std::vector<row_entry> entries;
    for (const auto& [column, list] : by_column) entries.push_back({column, share_list(list)});
    core_.states[s].programs = out_.share(std::move(entries));
}

/// Lists the levels of each state's polled transitions. Only there can it decide.
void planner::list_levels() {
    for (auto& row : core_.states) {
        const auto first = core_.polled_levels.size();
        for (auto t = row.polled.first; t < row.polled.first + row.polled.count; ++t) {
            const auto known = core_.polled_levels.begin() + static_cast<std::ptrdiff_t>(first);
            const auto level = core_.transitions[t].level;
            if (std::find(known, core_.polled_levels.end(), level) == core_.polled_levels.end()) core_.polled_levels.push_back(level);
        }
        row.levels = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(core_.polled_levels.size() - first)};
    }
}

void planner::select_by_column() {
    for (std::uint32_t column = 0; column < core_.row_width; ++column) core_.drives.push_back({&ops::select, {.number = column}});
}

} // namespace hsm::detail
