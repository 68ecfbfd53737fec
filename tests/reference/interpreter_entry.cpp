// What a transition enters: its targets, what contains them, and by default whatever has to be active besides.
//
// The set of states to enter is SCXML's (addDescendants, addAncestors), but that a default is added only when the state that
// it belongs to has been entered: what a machine chooses may depend on that. Both come to the same where nothing does, as a
// state stands before its descendants.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm::detail {

/// What is still to be entered below a level, in document order.
struct interpreter::entry_set {
    struct entry {
        reason why = reason::none; ///< entry or history; none: the transition's own
        bool anew = false;         ///< what it chooses is not by its own history
        bool led = false;          ///< it is known what it is entered by
        const transition_row* by = nullptr;
    };
    index level;
    const occasion& cause;
    std::map<index, entry> states;
    std::multimap<index, const transition_row*> content; ///< of a superstate: what to run behind its enter

    /// Is there anything of that state, or in it?
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

/// What has been added there since the last time is entered by that.
void interpreter::lead(entry_set& n, index inside, const transition_row* by, bool itself) const {
    for (auto& [s, how] : n.states) {
        if (how.led || (inside != no_index && !core_.contains(inside, s)) || (s == inside && !itself)) continue;
        how.led = true;
        how.by = by;
    }
}

/// A history state gives way to what is named itself.
void interpreter::add_targets(entry_set& n, std::span<const index> targets, reason why, bool by_entry_choice) {
    for (const auto t : targets)
        if (!is(state_kind::history, t)) add_descendants(n, t, why);
    for (const auto t : targets)
        if (is(state_kind::history, t)) add_by_history(n, t, why, by_entry_choice);
}

/// Where nothing has been said yet about what is inside.
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

/// Each region in which nothing has been said to be entered: by default, or, if nothing has been said about any, as the parallel's
/// own history has it.
void interpreter::add_regions(entry_set& n, index parallel, bool anew) {
    if (!anew && !n.has(core_, parallel, false))
        for (const auto x : recorded(parallel, core_.states[parallel].history)) add_recorded(n, x, parallel);
    for (const auto r : regions_of(parallel))
        if (!n.has(core_, r, true)) n.states.insert({r, {reason::entry}});
}

/// The first of the choices whose guards hold, or the initial one, or the first substate; otherwise the machine rests.
void interpreter::make_entry_choice(entry_set& n, index machine) {
    const auto& row = core_.states[machine];
    const transition_row* choice = nullptr;
    for (const auto& t : of(core_.transitions, row.choices))
        if (!choice && holds(t, n.cause)) choice = &t;
    for (const auto& t : of(core_.transitions, row.initial))
        if (!choice) choice = &t;
    if (!choice) {
        if (!row.choices.count) n.states.insert({row.first, {reason::entry}});
        return;
    }
    run_actions(*choice, machine, n.cause.by(reason::entry));
    add_targets(n, core_.targets_of(*choice), reason::entry, true);
    lead(n, machine, choice);
}

/// A target, and what contains it below the level. If the level itself is the target, it makes its choice anew.
void interpreter::add_descendants(entry_set& n, index s, reason why) const {
    n.states.insert({s, {why, s == n.level}});
    add_ancestors(n, s, n.level, why);
}

void interpreter::add_ancestors(entry_set& n, index s, index top, reason why) const {
    for (auto a = core_.states[s].superstate; a != top && a != no_index && !active(a); a = core_.states[a].superstate)
        n.states.insert({a, {why, false}});
}

/// What it stands for; without a record its default, or else the choice of the state that it belongs to. That state is entered
/// on the way, if it is not around the level; and what it chooses then is not by its own history.
void interpreter::add_by_history(entry_set& n, index history, reason why, bool by_entry_choice) {
    const auto& row = core_.states[history];
    const auto s = row.superstate;
    const auto together = [&](index x) { // another target may have said something else about that region
        return std::ranges::all_of(n.states, [&](const auto& e) {
            const auto common = core_.common(e.first, x);
            return common == e.first || common == x || is(state_kind::parallel, common);
        });
    };
    if (!active(s)) add_descendants(n, s, why);
    if (!active(s) || s == n.level) n.states.insert({s, {why, true}}).first->second.anew = true;
    if (const auto back = recorded(s, row.history); !back.empty()) {
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
