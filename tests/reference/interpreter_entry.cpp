// The states that a transition enters: its targets, the states around them, and default entries.
//
// The set of states to enter is that of SCXML (addDescendants, addAncestors), with one exception: defaults are added only after their state was
// entered, because guards of entry choices can depend on that. Otherwise both are equivalent, because a state precedes its descendants.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm::detail {

/// The states that must still be entered below a level, in document order.
struct interpreter::entry_set {
    struct entry {
        reason why = reason::none; ///< entry or history; none: the transition's own
        bool anew = false;         ///< its own history is not used
        bool led = false;          ///< its entering transition is determined
        const transition_row* by = nullptr;
    };
    index level;
    const occasion& cause;
    std::map<index, entry> states;
    std::multimap<index, const transition_row*> content; ///< of a superstate: actions to run after its enter hooks

    /// Returns whether the set contains a state inside `s` or, with `itself`, `s`.
    bool has(const chart_core& core, index s, bool itself) const {
        const auto first = states.lower_bound(static_cast<index>(itself ? s : s + 1));
        return first != states.end() && core.contains(s, first->first);
    }
};

void interpreter::enter_states(index level, const std::vector<index>& targets, const occasion& c, const transition_row* by) {
    entry_set n{level, c, {}, {}};
    add_targets(n, targets, reason::none, false);
    lead(n, no_index, by);
    while (!n.states.empty()) {
        const auto [s, how] = *n.states.begin();
        n.states.erase(n.states.begin());
        leading_ = how.by;
        if (!active(s)) enter(s, c.by(how.why));
        const auto [first, last] = n.content.equal_range(s);
        for (auto i = first; i != last; ++i) run_actions(*i->second, s, c.by(reason::entry));
        n.content.erase(first, last);
        go_on_below(n, s, how.anew);
        lead(n, s, how.by);
    }
}

/// Sets the entering transition of the states that were added there since the last call.
void interpreter::lead(entry_set& n, index inside, const transition_row* by, bool itself) const {
    for (auto& [s, how] : n.states) {
        if (how.led || (inside != no_index && !core_.contains(inside, s)) || (s == inside && !itself)) continue;
        how.led = true;
        how.by = by;
    }
}

/// Explicit targets take precedence over history states.
void interpreter::add_targets(entry_set& n, std::span<const index> targets, reason why, bool by_entry_choice) {
    for (const auto t : targets)
        if (!is(state_kind::history, t)) add_descendants(n, t, why);
    for (const auto t : targets)
        if (is(state_kind::history, t)) add_by_history(n, t, why, by_entry_choice);
}

/// Adds the default entries of a state, unless the set already has states inside it.
void interpreter::go_on_below(entry_set& n, index s, bool anew) {
    if (is(state_kind::parallel, s)) return add_regions(n, s, anew);
    if (!is(state_kind::machine, s) || n.has(core_, s, false) || active_child(s) != no_index) return;
    const auto back = anew ? std::vector<index>() : recorded(s, core_.states[s].history);
    for (const auto x : back) add_recorded(n, x, s);
    if (back.empty()) make_entry_choice(n, s);
}

void interpreter::add_recorded(entry_set& n, index s, index top) const {
    n.states.insert({s, {reason::history}});
    add_ancestors(n, s, top, reason::history);
}

/// Adds the default entry of each region that has no states in the set. If no region has any, uses the parallel's own history.
void interpreter::add_regions(entry_set& n, index parallel, bool anew) {
    if (!anew && !n.has(core_, parallel, false))
        for (const auto x : recorded(parallel, core_.states[parallel].history)) add_recorded(n, x, parallel);
    for (const auto r : regions_of(parallel))
        if (!n.has(core_, r, true)) n.states.insert({r, {reason::entry}});
}

/// Adds the first choice whose guards hold, or the initial one, or the first substate; otherwise the machine rests.
void interpreter::make_entry_choice(entry_set& n, index machine) {
    const auto& row = core_.states[machine];
    const transition_row* choice = nullptr;
    chooser_ = no_index;
    for (const auto& t : of(core_.transitions, row.choices))
        if (!choice && holds(t, n.cause)) choice = &t;
    for (const auto& t : of(core_.transitions, row.initial))
        if (!choice) choice = &t;
    if (!choice) {
        if (!row.choices.count) n.states.insert({row.first, {reason::entry}});
        return;
    }
    count_draw(*choice);
    use_triggers(*choice);
    run_actions(*choice, machine, n.cause.by(reason::entry));
    add_targets(n, core_.targets_of(*choice), reason::entry, true);
    lead(n, machine, choice);
}

/// Adds a target and the states around it below the level. If the level itself is the target, it repeats its choice.
void interpreter::add_descendants(entry_set& n, index s, reason why) const {
    n.states.insert({s, {why, s == n.level}});
    add_ancestors(n, s, n.level, why);
}

void interpreter::add_ancestors(entry_set& n, index s, index top, reason why) const {
    for (auto a = core_.states[s].superstate; a != top && a != no_index && !active(a); a = core_.states[a].superstate)
        n.states.insert({a, {why, false}});
}

/// Adds the targets of a history state: its record, or else its default, or else the choice of its superstate. That superstate is entered on the way
/// unless it is around the level; its choice then does not use its own history.
void interpreter::add_by_history(entry_set& n, index history, reason why, bool by_entry_choice) {
    const auto& row = core_.states[history];
    const auto s = row.superstate;
    const auto together = [&](index x) { // another target may have determined another state of that region
        return std::ranges::all_of(n.states, [&](const auto& e) {
            const auto common = core_.common(e.first, x);
            return common == e.first || common == x || is(state_kind::parallel, common);
        });
    };
    if (!active(s)) add_descendants(n, s, why);
    if (!active(s) || s == n.level) n.states.insert({s, {why, true}}).first->second.anew = true;
    if (const auto back = recorded_for(history, {}); !back.empty()) {
        for (const auto x : back)
            if (together(x)) add_recorded(n, x, s);
        return;
    }
    for (const auto& t : of(core_.transitions, row.initial)) {
        if (active(s))
            run_actions(t, s, n.cause.by(reason::entry));
        else
            n.content.insert({s, &t});
        add_targets(n, core_.targets_of(t), reason::entry, false);
        return lead(n, s, &t, false);
    }
    if (by_entry_choice && active(s) && is(state_kind::machine, s)) n.states.insert({core_.states[s].first, {reason::entry}});
}

} // namespace hsm::detail
