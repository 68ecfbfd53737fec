// Finds warnings: definitions that are valid but probably not intended. check_shadowed.cpp has the warnings about transitions that never fire.

#include <hsm/compile/detail/check_parts.hpp>

#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hsm::detail {

namespace {

// --- unreachable ---

class reachability {
public:
    explicit reachability(const outline& o, const by_source& transitions)
        : o_(o), transitions_(transitions), active_(o.states.size()), entered_(o.states.size()) {
        enter(0);
        while (!to_enter_.empty()) {
            const auto s = to_enter_.back();
            to_enter_.pop_back();
            activate(s);
            go_on(s);
        }
    }
    bool reached(index s) const { return active_[s]; }

private:
    void activate(index s) {
        for (; s != no_index && !active_[s]; s = o_.states[s].superstate) {
            active_[s] = true;
            if (o_.is_parallel(s)) enter_regions(s);
            for (const auto* t : transitions_.of(s))
                if (t->role == transition_role::ordinary && t->target != no_index) enter_targets(*t);
        }
    }
    void enter_regions(index parallel) {
        for (const auto& region : o_.states[parallel].node->substates())
            if (region->kind() != state_kind::history) enter(o_.index_of(*region));
    }
    void enter_targets(const outline_transition& t) {
        enter(t.target);
        for (const auto further : t.more_targets) enter(further);
    }
    void enter(index s) {
        if (!entered_[s]) to_enter_.push_back(s);
        entered_[s] = true;
    }
    /// Follows its entry choice.
    void go_on(index s) {
        if (o_.is_history(s)) return enter_by_history(s);
        bool decided = false; // an unguarded choice ends the search
        bool choices = false;
        for (const auto* t : transitions_.of(s))
            if (t->role == transition_role::dispatch && !decided) {
                choices = true;
                enter_targets(*t);
                decided = unguarded(*t);
            }
        if (decided) return;
        for (const auto* t : transitions_.of(s))
            if (t->role == transition_role::initial) return enter_targets(*t);
        if (!choices && !o_.is_parallel(s) && o_.states[s].last > s) enter(o_.first_substate(s));
    }
    /// Follows the target without a record. A recorded state was reached earlier.
    void enter_by_history(index s) {
        for (const auto* t : transitions_.of(s)) return enter_targets(*t);
        enter(o_.states[s].superstate);
    }

    const outline& o_;
    const by_source& transitions_;
    std::vector<bool> active_;
    std::vector<bool> entered_;
    std::vector<index> to_enter_;
};

void check_reachable(const outline& o, const by_source& transitions, finding_list& out) {
    // an update that returns a state can lead anywhere
    if (std::ranges::any_of(o.states, [](const auto& s) { return s.node->names_successor(); })) return;
    const reachability reach(o, transitions);
    for (index s = 1; s < row_count(o.states); ++s)
        if (!reach.reached(s) && reach.reached(o.states[s].superstate))
            out.add(code::unreachable, *o.states[s].node, "no transition, dispatch or initial leads to this state",
                    "add a transition to it, or enter it with change_to", position_of(*o.states[s].node));
}

// --- cycles ---

/// Returns where an unguarded polled transition leads immediately, if `s` is transient or the transition is always tried; no_index if a guard
/// decides.
index certain_successor(const outline& o, const by_source& transitions, index s) {
    const bool transient = o.states[s].node->is_transient();
    for (const auto* t : transitions.of(s)) {
        const bool polled = t->role == transition_role::ordinary && !t->spec->event && !t->spec->on_finished && t->target != no_index;
        if (!polled || !(transient || t->spec->always) || (t->target != s && o.contains(s, t->target))) continue;
        return unguarded(*t) ? t->target : no_index;
    }
    return no_index;
}

void check_cycles(const outline& o, const by_source& transitions, finding_list& out) {
    std::vector<index> mark(o.states.size(), no_index); // the walk that first visited it
    for (index s = 0; s < row_count(o.states); ++s) {
        auto at = s;
        while (at != no_index && mark[at] == no_index) {
            mark[at] = s;
            at = certain_successor(o, transitions, at);
        }
        if (at == no_index || mark[at] != s) continue;
        const auto first = shown(o.states[at].node->name());
        auto cycle = first;
        std::size_t listed = 1;
        for (auto next = certain_successor(o, transitions, at); next != at; next = certain_successor(o, transitions, next), ++listed)
            if (listed < most_listed) cycle += fmt::format(" -> {}", shown(o.states[next].node->name()));
        if (listed > most_listed) cycle += fmt::format(" -> ... {} more", listed - most_listed);
        out.add(code::unguarded_cycle, *o.states[at].node,
                fmt::format("states that are left immediately form an endless cycle: {} -> {}", cycle, first), "guard one of the transitions",
                position_of(*o.states[at].node));
    }
}

// --- options without effect ---

void check_pointless(const outline& o, const by_source& transitions, finding_list& out) {
    for (index s = 0; s < row_count(o.states); ++s) {
        const auto& node = *o.states[s].node;
        const auto& list = transitions.of(s);
        const auto polled = [](const auto* t) { return t->role == transition_role::ordinary && !t->spec->event && t->target != no_index; };
        if (node.is_transient() && node.kind() != state_kind::choice && std::ranges::none_of(list, polled))
            out.add(code::pointless_transient, node, "a transient state has no polled transition to try on entry",
                    "add a polled transition, or remove transient()", position_of(node));
        if (node.final_unsaid())
            out.add(code::final_unsaid, node, "the state has no <to>, so it is final",
                    "if this is intended, write kind=\"final\"; otherwise write kind=\"leaf\"", position_of(node));
        const auto otherwise = [](const auto* t) { return t->role == transition_role::dispatch && unguarded(*t); };
        if (!node.initials().empty() && std::ranges::any_of(list, otherwise))
            out.add(code::pointless_initial, node, "initial is never used: the machine has a dispatch choice without a guard",
                    "remove initial, or add a guard to that choice", position_of(*node.initials().front()));
        for (const auto* t : list) {
            if (s == 0 && t->spec->on_finished)
                out.add(code::root_finished, node,
                        fmt::format("the {} never fires: when the root is finished, the machine is finished", described(o, *t)),
                        "check finished() instead, or put the machine into another machine", position_of(*t->spec));
            const bool related = t->target != no_index && t->target != s && (o.contains(s, t->target) || o.contains(t->target, s));
            const bool any_state = related && o.contains(s, t->target) && polled(t);
            const auto is_related = [&](index to) { return to != no_index && (o.is_history(to) || o.contains(s, to) || o.contains(to, s)); };
            const bool by_further = std::ranges::any_of(t->more_targets, is_related) || (t->target != no_index && o.is_history(t->target));
            if (t->spec->external && !related && !by_further)
                out.add(code::pointless_kind, node, fmt::format("external() has no effect on the {}", described(o, *t)),
                        "use it for transitions between a superstate and its own substate", position_of(*t->spec));
            if (t->spec->force && t->target == no_index)
                out.add(code::pointless_kind, node, fmt::format("force() has no effect on the {}", described(o, *t)),
                        "remove it; the transition exits no state, so no state can hold it", position_of(*t->spec));
            if (t->spec->carry_over && !may_carry_over(*t))
                out.add(code::pointless_kind, node, fmt::format("carry_over() has no effect on the {}", described(o, *t)),
                        "use it for transitions with a target and after(), and without an event", position_of(*t->spec));
            if (t->spec->reenter && !any_state)
                out.add(code::pointless_kind, node, fmt::format("reenter() has no effect on the {}", described(o, *t)),
                        "use it for polled transitions from a superstate to its own substate", position_of(*t->spec));
        }
    }
}

// --- histories ---

/// Returns whether the machine of a history state is active before and after the transition, so that there is no other record to restore. If the
/// source is a choice, a transient state or a history state, the transition may have begun outside.
bool stays_inside(const outline& o, const outline_transition& t, index history) {
    const auto machine = o.states[history].superstate;
    const auto& source = *o.states[t.source].node;
    const bool passes = source.is_transient() || source.kind() == state_kind::choice || o.is_history(t.source);
    return t.role == transition_role::ordinary && !passes && o.contains(machine, t.source) && o.contains(machine, t.level);
}

/// Returns whether the transition may exit the machine. The history state then leads back to what was active.
bool may_exit(const outline& o, const outline_transition& t, index machine) {
    const bool is_around = t.level != machine && o.contains(t.level, machine);
    return t.target != no_index && is_around && (o.contains(machine, t.source) || o.contains(t.source, machine) || o.may_coexist(t.source, machine));
}

void check_histories(const outline& o, finding_list& out) {
    if (std::ranges::any_of(o.states, [](const auto& s) { return s.node->names_successor(); })) return;
    std::vector<bool> from_inside(o.states.size()), from_outside(o.states.size());
    const auto note = [&](const outline_transition& t, index target) {
        if (target != no_index && o.is_history(target)) (stays_inside(o, t, target) ? from_inside : from_outside)[target] = true;
    };
    for (const auto& t : o.transitions) {
        note(t, t.target);
        for (const auto further : t.more_targets) note(t, further);
    }
    for (index s = 0; s < row_count(o.states); ++s)
        if (from_inside[s] && !from_outside[s] && o.states[s].node->history_kind() != history_depth::previous &&
            std::ranges::none_of(o.transitions, [&](const auto& t) { return may_exit(o, t, o.states[s].superstate); }))
            out.add(
                code::useless_history, *o.states[s].node,
                fmt::format(
                    "all transitions to this history state begin in \"{}\", which no transition exits, so the history state never records anything",
                    shown_path(*o.states[o.states[s].superstate].node)),
                "add a transition from outside, or name another target", position_of(*o.states[s].node));
}

// --- deferrals ---

/// Returns whether both keys match a common event.
bool overlap(const event_key& a, const event_key& b) {
    if (!same_tag(a.type, b.type)) return false;
    if (a.type->is_name) {
        const auto is_meant = [](const event_key& e, std::string_view name) {
            return e.names.empty() ? e.name == name : std::ranges::any_of(e.names, [&](const name_pattern& n) { return n.matches(name); });
        };
        const auto means_one = [&](const event_key& e, const event_key& other) {
            return e.names.empty() ? is_meant(other, e.name)
                                   : std::ranges::any_of(e.names, [&](const name_pattern& n) { return is_meant(other, n.text); });
        };
        return means_one(a, b) || means_one(b, a);
    }
    const auto is_met = [](const event_key& e, const event_interval& i) {
        const auto meets = [&](const event_interval& j) { return i.first <= j.last && j.first <= i.last; };
        return e.values.empty() ? meets({e.value, e.value}) : std::ranges::any_of(e.values, meets);
    };
    return a.values.empty() ? is_met(b, {a.value, a.value}) : std::ranges::any_of(a.values, [&](const event_interval& i) { return is_met(b, i); });
}

/// Reports deferred events that no transition takes: they would be recalled forever.
void check_deferrals(const outline& o, finding_list& out) {
    if (std::ranges::none_of(o.transitions, [](const auto& t) { return t.spec->defers; })) return;
    std::unordered_map<std::string_view, std::vector<const event_key*>> taken; // by the name of the type
    std::unordered_set<std::string_view> names;                                // of events with a single name
    for (const auto& t : o.transitions) {
        const auto& e = t.spec->event;
        if (!e || t.spec->defers) continue;
        if (e.type->is_name && e.names.empty())
            names.insert(e.name);
        else
            taken[e.type->name].push_back(&e);
    }
    for (const auto& t : o.transitions) {
        if (!t.spec->defers) continue;
        const auto& e = t.spec->event;
        const bool by_name = e.type->is_name && e.names.empty() && names.contains(e.name);
        const auto& list = taken[e.type->name];
        if (by_name || std::ranges::any_of(list, [&](const auto* key) { return overlap(*key, e); })) continue;
        out.add(code::never_enabled, *o.states[t.source].node,
                fmt::format("the state defers the event \"{}\", but no transition takes it, so it stays in the queue", shown(e.name)),
                "add a transition on this event, or remove the deferral", position_of(*t.spec));
    }
}

} // namespace

void check_warnings(const outline& o, const compile_options& options, finding_list& out) {
    const by_source transitions(o);
    check_reachable(o, transitions, out);
    check_shadowed(o, transitions, options, out);
    check_cycles(o, transitions, out);
    check_pointless(o, transitions, out);
    check_histories(o, out);
    check_deferrals(o, out);
    check_misspelt(o, out);
}

} // namespace hsm::detail
