// Finds the possible pairs of transitions: the states that each one can enter, and the transitions that can exit these states. Guards are ignored, so
// some pairs may be impossible.

#include <hsm/observe/detail/coverage_model.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

/// Finds the innermost states in which a transition can end.
class entries_of_transition {
public:
    explicit entries_of_transition(const chart_view& chart) : seen_(chart.states().size()), is_leaf_(seen_.size()), chart_(chart) {}

    std::vector<std::uint32_t> leaves_after(const transition_view& t) {
        seen_.assign(seen_.size(), false);
        is_leaf_.assign(is_leaf_.size(), false);
        for (const auto target : t.targets()) enter_below(t.level(), target);
        std::vector<std::uint32_t> leaves;
        for (std::uint32_t s = 0; s < is_leaf_.size(); ++s)
            if (is_leaf_[s]) leaves.push_back(s);
        return leaves;
    }

private:
    /// Also enters the other regions of the parallels on the way.
    void enter_below(const state_view& level, const state_view& target) {
        for (auto at = target; at.superstate() && at.superstate() != level; at = at.superstate())
            if (at.superstate().kind() == state_kind::parallel)
                for (const auto region : at.superstate().substates())
                    if (region != at && region.kind() != state_kind::history) enter(region);
        enter(target);
    }

    void enter(const state_view& s) {
        if (seen_[s.number()]) return;
        seen_[s.number()] = true;
        switch (s.kind()) {
        case state_kind::history: return enter_by(s);
        case state_kind::parallel:
            for (const auto region : s.substates())
                if (region.kind() != state_kind::history) enter(region);
            return;
        case state_kind::machine: return enter_machine(s);
        default: is_leaf_[s.number()] = true;
        }
    }

    /// Adds all states in which the machine can have been exited.
    void enter_again(const state_view& machine) {
        for (auto n = machine.number(); n <= machine.last(); ++n) {
            const auto s = chart_.state(n);
            if (s.kind() != state_kind::history && (s.substates().empty() || may_rest(s))) is_leaf_[n] = true;
        }
    }

    void enter_by(const state_view& history) {
        const auto machine = history.superstate();
        enter_again(machine);
        for (const auto t : history.transitions())
            for (const auto target : t.targets()) enter_below(machine, target);
        enter(machine);
    }

    void enter_machine(const state_view& s) {
        if (s.history() != history_depth::none) enter_again(s);
        bool chosen = false;
        for (const auto t : s.transitions()) {
            if (t.role() == transition_role::ordinary || chosen) continue;
            for (const auto target : t.targets()) enter_below(s, target);
            chosen = t.guards().empty() && t.conditions().empty();
        }
        if (may_rest(s)) is_leaf_[s.number()] = true;
        if (!has_choices(s))
            for (const auto first : s.substates())
                if (first.kind() != state_kind::history) return enter(first);
    }

    static bool has_choices(const state_view& s) {
        return std::ranges::any_of(s.transitions(), [](const transition_view& t) { return t.role() != transition_role::ordinary; });
    }

    /// Returns whether all its choices can be rejected.
    static bool may_rest(const state_view& s) {
        return has_choices(s) && std::ranges::none_of(s.transitions(), [](const transition_view& t) {
                   return t.role() != transition_role::ordinary && t.guards().empty() && t.conditions().empty();
               });
    }

    std::vector<bool> seen_, is_leaf_;
    const chart_view& chart_;
};

/// Returns whether this is a polled transition to a state that is already active: docs/reference/semantics.md, "Any state".
bool is_satisfied(const transition_view& t, const state_view& leaf) {
    const bool polled = !t.event() && t.trigger() != trigger_kind::completion;
    if (!polled || t.is_reenter()) return false;
    return std::ranges::all_of(
        t.targets(), [&](const state_view& target) { return target.contains(leaf) && target != t.source() && t.source().contains(target); });
}

/// Returns whether the state can be finished. A machine with final states is assumed to finish only through them.
bool may_be_over(const coverage_model& model, const state_view& s, const state_view& leaf) {
    const auto is_final = [](const state_view& each) { return each.kind() == state_kind::final; };
    if (std::ranges::none_of(s.substates(), is_final) || model.goes_on(s.number())) return true;
    return is_final(leaf) && leaf.superstate() == s;
}

/// If the leaf never stays active, only its own transitions, and those that are tried earlier, can exit it.
bool is_tried_first(const transition_view& t, const state_view& leaf) {
    if (t.source().is_transient() || t.source().kind() == state_kind::choice) return true;
    return leaf.kind() == state_kind::final && t.trigger() == trigger_kind::completion;
}

bool may_exit(const coverage_model& model, const transition_view& t, const state_view& leaf) {
    if (!model.rests(leaf.number()) && !is_tried_first(t, leaf)) return false;
    if (t.trigger() == trigger_kind::completion && t.source().contains(leaf) && !may_be_over(model, t.source(), leaf)) return false;
    return !is_satisfied(t, leaf) && std::ranges::none_of(t.excluded(), [&](const state_view& s) { return s.contains(leaf); });
}

/// Finds the transitions that can exit a state, by their first rows.
class leavers {
public:
    explicit leavers(const coverage_model& model) : model_(model) {}

    std::vector<std::uint32_t> of(const state_view& leaf) {
        found_.clear();
        if (model_.is_end(leaf.number())) return {};
        for (auto at = leaf; at; at = at.superstate()) {
            add_those_of(at, leaf);
            if (at.is_region()) add_those_beside(at, leaf);
        }
        return found_;
    }

private:
    void add_those_of(const state_view& source, const state_view& leaf) {
        for (const auto t : source.transitions()) {
            if (!model_.moves(t.number()) || !may_exit(model_, t, leaf)) continue;
            if (const auto level = t.level(); !level || level.contains(leaf)) found_.push_back(model_.transition(t.number()));
        }
    }

    /// Adds transitions of the other regions that exit all regions.
    void add_those_beside(const state_view& region, const state_view& leaf) {
        for (const auto other : region.superstate().substates())
            for (auto n = other.number(); other != region && n <= other.last(); ++n) add_those_of(model_.chart().state(n), leaf);
    }

    const coverage_model& model_;
    std::vector<std::uint32_t> found_;
};

} // namespace

std::vector<std::uint64_t> possible_pairs(const coverage_model& model) {
    std::vector<std::vector<std::uint32_t>> next(model.state_count());
    leavers leaving(model);
    for (const auto s : model.chart().states()) next[s.number()] = leaving.of(s);
    entries_of_transition entries(model.chart());
    std::vector<std::uint64_t> pairs;
    for (const auto t : model.chart().transitions()) {
        if (!model.moves(t.number()) || t.same_as() != t) continue;
        const auto from = pairs.size();
        for (const auto leaf : entries.leaves_after(t))
            for (const auto follower : next[leaf]) pairs.push_back(coverage_key(t.number(), follower));
        std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(from), pairs.end());
        pairs.erase(std::unique(pairs.begin() + static_cast<std::ptrdiff_t>(from), pairs.end()), pairs.end());
    }
    return pairs;
}

} // namespace hsm::detail
