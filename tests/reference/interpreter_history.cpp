// Where machines and parallels were left, what a history state stands for, and the level that follows from it.

#include <tests/reference/interpreter.hpp>

#include <algorithm>

namespace hsm::detail {

/// All histories, before the first exit. A state that is final is recorded as the machine that it ended, if at all.
void interpreter::record(const std::set<index>& leaving) {
    for (const auto s : leaving) {
        if (std::ranges::find(core_.history_owners, s) == core_.history_owners.end()) continue;
        record_[s].clear();
        for (const auto leaf : leaf_states())
            if (const auto r = core_.contains(s, leaf) ? core_.recorded(s, leaf) : index(0)) record_[s].push_back(r);
    }
}

/// In the depth that is asked for; empty: it was never left, or at rest, or it has no history.
std::vector<index> interpreter::recorded(index s, history_depth depth) const {
    if (depth == history_depth::none || record_[s].empty()) return {};
    if (depth == history_depth::deep) return record_[s];
    if (is(state_kind::parallel, s)) return regions_of(s);
    return {core_.toward(s, record_[s].front())};
}

/// The states that a target stands for. A history state that stands for nothing yet, and has no default, is itself.
void interpreter::effective_targets(index target, std::vector<index>& out) const {
    const auto& row = core_.states[target];
    if (row.kind != state_kind::history) return out.push_back(target);
    const auto back = recorded(row.superstate, row.history);
    out.insert(out.end(), back.begin(), back.end());
    if (!back.empty()) return;
    for (const auto& t : of(core_.transitions, row.initial)) {
        for (const auto x : core_.targets_of(t)) effective_targets(x, out);
        return;
    }
    out.push_back(target);
}

/// The innermost machine that is a proper superstate of all of them; no_index: above the root.
index interpreter::lcca(index source, const std::vector<index>& others) const {
    auto a = core_.states[source].superstate;
    const auto contains = [&](index s) { return below(a, s); };
    while (a != no_index && (!is(state_kind::machine, a) || !std::ranges::all_of(others, contains))) a = core_.states[a].superstate;
    return a;
}

/// The domain of a transition. Only in SCXML's order, with its kinds, does it depend on what was recorded.
index interpreter::level_of(const transition_row& t) const {
    if (!t.by_record) return t.level;
    std::vector<index> targets;
    for (const auto x : core_.targets_of(t)) effective_targets(x, targets);
    return lcca(t.source, targets);
}

} // namespace hsm::detail
