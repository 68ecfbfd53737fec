// Records of machines and parallels, the states that a history state means, and the levels that depend on them.

#include <tests/reference/interpreter.hpp>

#include <algorithm>

namespace hsm::detail {

/// Records all histories, before the first exit. A final state is recorded as the machine that it finished, if at all.
void interpreter::record(const std::set<index>& leaving) {
    for (index s = 0; s < core_.states.size(); ++s)
        if (is_previous(s)) record_[s] = visited(s, leaving);
    for (const auto s : leaving) {
        if (std::ranges::find(core_.history_owners, s) == core_.history_owners.end()) continue;
        record_[s].clear();
        for (const auto leaf : leaf_states())
            if (const auto r = core_.contains(s, leaf) ? core_.recorded(s, leaf) : index(0)) record_[s].push_back(r);
    }
}

bool interpreter::is_previous(index s) const { return is(state_kind::history, s) && core_.states[s].history == history_depth::previous; }

/// Returns the substates in which the machine of a previous state was, in order and without repetitions, after these states exit.
std::vector<index> interpreter::visited(index previous, const std::set<index>& leaving) const {
    auto all = record_[previous];
    for (const auto x : leaving) {
        const auto& row = core_.states[x];
        const bool passes = row.transient || (row.kind == state_kind::final && !core_.options.remember_finals);
        const bool inside = row.superstate == core_.states[previous].superstate;
        if (inside && !passes && (all.empty() || all.back() != x)) all.push_back(x);
    }
    return all;
}

/// Returns the record of the machine of a history state; for a previous state the substate before the last one.
std::vector<index> interpreter::recorded_for(index history, const std::set<index>& leaving) const {
    const auto& row = core_.states[history];
    if (!is_previous(history)) return recorded(row.superstate, row.history);
    const auto all = visited(history, leaving);
    return all.size() < 2 ? std::vector<index>() : std::vector<index>{all[all.size() - 2]};
}

/// Returns the record in the given depth; empty if it was never exited, was at rest, or has no history.
std::vector<index> interpreter::recorded(index s, history_depth depth) const {
    if (depth == history_depth::none || record_[s].empty()) return {};
    if (depth == history_depth::deep) return record_[s];
    if (is(state_kind::parallel, s)) return regions_of(s);
    return {core_.toward(s, record_[s].front())};
}

/// Returns the states that a target means. A history state without a record or a default is its own target.
void interpreter::effective_targets(index target, std::vector<index>& out) const {
    const auto& row = core_.states[target];
    if (row.kind != state_kind::history) return out.push_back(target);
    const auto back = recorded_for(target, active_);
    out.insert(out.end(), back.begin(), back.end());
    if (!back.empty()) return;
    for (const auto& t : of(core_.transitions, row.initial)) {
        for (const auto x : core_.targets_of(t)) effective_targets(x, out);
        return;
    }
    out.push_back(target);
}

/// Returns the innermost machine that is a proper superstate of all of them; no_index: above the root.
index interpreter::lcca(index source, const std::vector<index>& others) const {
    auto a = core_.states[source].superstate;
    const auto contains = [&](index s) { return below(a, s); };
    while (a != no_index && (!is(state_kind::machine, a) || !std::ranges::all_of(others, contains))) a = core_.states[a].superstate;
    return a;
}

/// Returns the domain of a transition. It depends on records only in SCXML's order with SCXML's kinds of transitions.
index interpreter::level_of(const transition_row& t) const {
    if (!t.by_record) return t.level;
    std::vector<index> targets;
    for (const auto x : core_.targets_of(t)) effective_targets(x, targets);
    return lcca(t.source, targets);
}

} // namespace hsm::detail
