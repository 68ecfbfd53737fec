#include <hsm/observe/detail/entry_paths.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/history.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {
constexpr std::uint32_t no_row = UINT32_MAX;
}

std::optional<std::vector<obstacle>> entry_paths::by(const transition_row& t) {
    known_.clear();
    level_ = level_now(i_.m, i_.core, t);
    return from_any(t, level_);
}

entry_paths::obstacles entry_paths::from(index target, index level) {
    const std::pair key(target, target == level);
    if (known_.try_emplace(key).second) { // cycles of choices lead nowhere
        auto found = search(target, level);
        known_[key] = std::move(found);
    }
    return known_[key];
}

/// Follows also entries of other states, because a choice inside them may lead out again.
entry_paths::obstacles entry_paths::search(index target, index level) {
    const auto& row = i_.core.states[target];
    if (row.kind == state_kind::choice && target != to_) return by_choices(row.polled);
    if (i_.core.contains(to_, target)) {
        const auto out = row_that_leads_out(target, level, row_count(i_.core.states));
        return out == no_row ? std::vector<obstacle>() : std::vector<obstacle>{{.kind = obstacle_kind::other_entry, .transition = out}};
    }
    if (row.kind == state_kind::history) return by_history(target, level);
    const bool is_entered_further = row.kind == state_kind::machine || row.kind == state_kind::parallel;
    return is_entered_further ? by_entry(target, level) : obstacles();
}

/// Returns the entry choice or branch that would be taken inside the state, and leads out of it again. `left` bounds cycles of choices.
std::uint32_t entry_paths::row_that_leads_out(index target, index level, std::size_t left) {
    const auto& core = i_.core;
    const auto& row = core.states[target];
    const bool chooses = row.kind == state_kind::choice, goes_back = row.history != history_depth::none && target != level;
    if (left == 0 || (!chooses && row.kind != state_kind::machine) || (goes_back && record_then(target).leaf != 0)) return no_row;
    if (!chooses && row.choices.count + row.initial.count == 0) return row_that_leads_out(row.first, target, left - 1);
    for (const auto& span : {chooses ? row.polled : row.choices, chooses ? span_of{} : row.initial})
        for (auto n = span.first; n < span.first + span.count; ++n) {
            if (!checked(n).empty()) continue;
            const auto& t = core.transitions[n];
            for (const auto next : core.targets_of(t)) {
                const auto out = core.contains(to_, next) ? row_that_leads_out(next, level_now(i_.m, core, t), left - 1) : n;
                if (out != no_row) return out;
            }
            return no_row;
        }
    return no_row;
}

/// Enters a parallel: the region with the state, or, if the state is elsewhere, any region.
entry_paths::obstacles entry_paths::by_regions(index parallel, index level) {
    if (i_.core.contains(parallel, to_)) return from(i_.core.toward(parallel, to_), level);
    obstacles found;
    each_region(i_.core, parallel, [&](index region) {
        if (!found) found = from(region, level);
    });
    return found;
}

entry_paths::obstacles entry_paths::from_any(const transition_row& t, index level) {
    const auto targets = i_.core.targets_of(t);
    for (const auto target : targets)
        if (!is_decided_by_another(t, target))
            if (auto found = from(target, level)) return found;
    for (const auto target : targets)
        if (const auto region = region_beside(t, target); region != no_index) return from(region, level);
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

bool entry_paths::is_exited(index s) const {
    return is_active(i_.m, i_.core, s) && s != level_ && (level_ == no_index || i_.core.contains(level_, s));
}

/// Returns the record of a machine after the transition's exits, which update it (record_exits).
entry_paths::record entry_paths::record_then(index owner) const {
    const auto& core = i_.core;
    const auto& row = core.states[owner];
    const bool exits = is_exited(owner);
    const auto leaf = row.kind == state_kind::parallel ? owner : region_leaf_of(i_.m, core, row.region);
    record found{exits ? core.recorded(owner, leaf) : record_of(i_.m, core, row.record), {}};
    if (exits && row.kind == state_kind::parallel) found.leaf = owner;
    const auto kept = [&](index l) {
        return l != no_index && core.states[l].kind == state_kind::final && !core.options.remember_finals ? core.states[l].superstate : l;
    };
    for (std::uint32_t r = 0; core.by_regions && r < row.regions.count; ++r)
        found.regions.push_back(exits ? kept(region_leaf_of(i_.m, core, row.regions.first + r)) : region_records_of(i_.m, core, row.record)[r]);
    return found;
}

/// Enters a machine or a parallel that contains the state.
entry_paths::obstacles entry_paths::by_entry(index machine, index level) {
    const auto& core = i_.core;
    const auto& row = core.states[machine];
    const bool goes_back = row.history != history_depth::none && machine != level; // from inside, a superstate chooses again
    if (goes_back && record_then(machine).leaf != 0) return by_record(machine, row.history == history_depth::deep);
    if (row.kind == state_kind::parallel) return by_regions(machine, level);
    if (row.choices.count + row.initial.count == 0) return from(row.first, machine);
    return by_choices(row.choices, row.initial);
}

entry_paths::obstacles entry_paths::by_history(index history, index level) {
    const auto& core = i_.core;
    const auto& row = core.states[history];
    if (core.is_previous(history)) {
        if (const auto back = previous_of(i_.m, core, history)) return by_substate(back, row.superstate);
    } else if (record_then(row.superstate).leaf != 0)
        return by_record(row.superstate, row.history == history_depth::deep);
    if (row.initial.count) return from_any(core.transitions[row.initial.first], row.superstate);
    return by_entry(row.superstate, level);
}

entry_paths::obstacles entry_paths::by_substate(index recorded, index machine) {
    if (auto found = by_recorded(recorded, machine, false)) return found;
    if (!i_.core.contains(machine, to_)) return {};
    return std::vector<obstacle>{{.kind = obstacle_kind::other_entry, .state = recorded}};
}

/// Returns to the recorded state, which may be elsewhere.
entry_paths::obstacles entry_paths::by_record(index machine, bool deep) {
    const auto& core = i_.core;
    const auto& row = core.states[machine];
    if (row.kind == state_kind::parallel && !deep) return by_regions(machine, machine);
    auto [recorded, regions] = record_then(machine);
    if (!deep) recorded = core.toward(machine, recorded);
    if (auto found = by_recorded(recorded, machine, deep)) return found;
    for (const auto leaf : regions)
        if (auto found = deep && leaf != no_index ? by_recorded(leaf, machine, true) : obstacles()) return found;
    if (!core.contains(machine, to_)) return {};
    return std::vector<obstacle>{{.kind = obstacle_kind::other_entry, .state = recorded}};
}

/// Continues from one of the recorded states. The regions of a recorded leaf have records of their own.
entry_paths::obstacles entry_paths::by_recorded(index s, index machine, bool deep) {
    if (deep && i_.core.states[s].kind == state_kind::parallel) return i_.core.contains(to_, s) ? std::vector<obstacle>() : obstacles();
    return from(s, machine);
}

/// Uses the choice that would be taken if no obstacle is in its way, otherwise the first one that would lead to the state. Earlier choices may be
/// taken instead.
entry_paths::obstacles entry_paths::by_choices(const span_of& choices, const span_of& otherwise) {
    std::vector<obstacle> before;
    obstacles first;
    for (std::uint32_t n = 0; n < choices.count + otherwise.count; ++n) {
        const auto row = n < choices.count ? choices.first + n : otherwise.first + n - choices.count;
        const auto& t = i_.core.transitions[row];
        const auto further = from_any(t, level_now(i_.m, i_.core, t));
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
    const auto source = i_.core.transitions[row].source;
    i_.check_options_of_entry(c, is_active(i_.m, i_.core, source), is_exited(source) ? no_index : source);
    return std::move(c.obstacles);
}

} // namespace hsm::detail
