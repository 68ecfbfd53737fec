#include <hsm/observe/detail/entry_paths.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/history.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

std::vector<std::uint32_t> numbers_of(const span_of& first, const span_of& second) {
    std::vector<std::uint32_t> all;
    for (const auto& span : {first, second})
        for (auto t = span.first; t < span.first + span.count; ++t) all.push_back(t);
    return all;
}

} // namespace

std::optional<std::vector<obstacle>> entry_paths::by(const transition_row& t) {
    known_.clear();
    level_ = level_now(i_.m, i_.core, t);
    return from_any(t);
}

entry_paths::obstacles entry_paths::from(index target) {
    const auto [known, is_new] = known_.try_emplace(target); // cycles of choices lead nowhere
    if (is_new) {
        auto found = search(target);
        known_[target] = std::move(found);
    }
    return known_[target];
}

entry_paths::obstacles entry_paths::search(index target) {
    const auto& core = i_.core;
    const auto& row = core.states[target];
    if (row.kind == state_kind::choice && target != to_) return by_choices(numbers_of(row.polled, {})); // a choice inside may lead out again
    if (core.contains(to_, target)) return std::vector<obstacle>();
    if (row.kind == state_kind::history) return by_history(target);
    return core.contains(target, to_) ? by_entry(target) : obstacles();
}

entry_paths::obstacles entry_paths::from_any(const transition_row& t) {
    const auto targets = i_.core.targets_of(t);
    for (const auto target : targets)
        if (!is_decided_by_another(t, target))
            if (auto found = from(target)) return found;
    for (const auto target : targets)
        if (const auto region = region_beside(t, target); region != no_index) return from(region);
    return {};
}

/// Returns whether another target of a fork determines the substate of a machine on the way to the state. That machine then makes no choice.
bool entry_paths::is_decided_by_another(const transition_row& t, index target) const {
    const auto& core = i_.core;
    return std::ranges::any_of(core.targets_of(t), [&](index other) {
        if (core.contains(other, to_) || core.contains(to_, other)) return false;
        const auto machine = core.common(other, to_);
        return core.contains(target, machine) && core.states[machine].kind != state_kind::parallel;
    });
}

/// Returns the region with the state if entering `target` also enters that region, because both belong to one parallel. Otherwise no_index.
index entry_paths::region_beside(const transition_row& t, index target) const {
    const auto& core = i_.core;
    const auto parallel = core.common(target, to_);
    const bool enters = parallel != no_index && parallel != t.level && (t.level == no_index || core.contains(t.level, parallel));
    if (!enters || core.states[parallel].kind != state_kind::parallel || parallel == to_) return no_index;
    const auto region = core.toward(parallel, to_);
    const bool is_aimed_at = std::ranges::any_of(core.targets_of(t), [&](index other) { return core.contains(region, other); });
    return is_aimed_at ? no_index : region;
}

/// Returns the record of a machine after the transition's exits, which update it (record_exits).
entry_paths::record entry_paths::record_then(index owner) const {
    const auto& core = i_.core;
    const auto& row = core.states[owner];
    const bool is_exited = is_active(i_.m, core, owner) && owner != level_ && (level_ == no_index || core.contains(level_, owner));
    const auto leaf = row.kind == state_kind::parallel ? owner : region_leaf_of(i_.m, core, row.region);
    record found{is_exited ? core.recorded(owner, leaf) : record_of(i_.m, core, row.record), {}};
    if (is_exited && row.kind == state_kind::parallel) found.leaf = owner;
    const auto kept = [&](index l) {
        return l != no_index && core.states[l].kind == state_kind::final && !core.options.remember_finals ? core.states[l].superstate : l;
    };
    for (std::uint32_t r = 0; core.by_regions && r < row.regions.count; ++r)
        found.regions.push_back(is_exited ? kept(region_leaf_of(i_.m, core, row.regions.first + r)) : region_records_of(i_.m, core, row.record)[r]);
    return found;
}

/// Enters a machine or a parallel that contains the state.
entry_paths::obstacles entry_paths::by_entry(index machine) {
    const auto& core = i_.core;
    const auto& row = core.states[machine];
    if (row.kind == state_kind::parallel) return from(core.toward(machine, to_));
    const bool goes_back = row.history != history_depth::none && machine != level_; // the transition's own superstate chooses again
    if (goes_back && record_then(machine).leaf != 0) return by_record(machine, row.history == history_depth::deep);
    const auto rows = numbers_of(row.choices, row.initial);
    if (rows.empty()) return from(row.first);
    return by_choices(rows);
}

entry_paths::obstacles entry_paths::by_history(index history) {
    const auto& core = i_.core;
    const auto& row = core.states[history];
    if (!core.contains(row.superstate, to_)) return {};
    if (record_then(row.superstate).leaf != 0) return by_record(row.superstate, row.history == history_depth::deep);
    if (row.initial.count) return from_any(core.transitions[row.initial.first]);
    return by_entry(row.superstate);
}

/// Returns to the recorded state, which may be elsewhere.
entry_paths::obstacles entry_paths::by_record(index machine, bool deep) {
    const auto& core = i_.core;
    if (core.states[machine].kind == state_kind::parallel && !deep) return from(core.toward(machine, to_));
    auto [recorded, regions] = record_then(machine);
    if (!deep) recorded = core.toward(machine, recorded);
    const auto is_inside = [&](index leaf) { return leaf != no_index && core.contains(to_, leaf); };
    if (is_inside(recorded) || std::ranges::any_of(regions, is_inside)) return std::vector<obstacle>();
    if (!deep && core.contains(recorded, to_)) return from(recorded);
    return std::vector<obstacle>{{.kind = obstacle_kind::other_entry, .state = recorded}};
}

/// Uses the choice that would be taken if no obstacle is in its way, otherwise the first one that would lead to the state. Earlier choices may be
/// taken instead.
entry_paths::obstacles entry_paths::by_choices(std::span<const std::uint32_t> rows) {
    std::vector<obstacle> before;
    obstacles first;
    for (const auto row : rows) {
        const auto further = from_any(i_.core.transitions[row]);
        auto own = checked(row);
        const bool is_chosen = own.empty() && before.empty();
        if (!further && own.empty()) before.push_back({.kind = obstacle_kind::other_entry, .transition = row});
        if (further && (!first || (is_chosen && further->empty()))) {
            first = before;
            for (auto& o : own) o.choice = row;
            first->insert(first->end(), own.begin(), own.end());
            first->insert(first->end(), further->begin(), further->end());
        }
        if (first && !before.empty()) break;
        if (is_chosen && first) break;
    }
    return first;
}

std::vector<obstacle> entry_paths::checked(std::uint32_t row) {
    candidate c{.transition = row};
    if (is_active(i_.m, i_.core, i_.core.transitions[row].source))
        i_.check_all(c);
    else
        i_.check_inactive(c);
    return std::move(c.obstacles);
}

} // namespace hsm::detail
