// The warnings: what can be meant, but seldom is.

#include <hsm/compile/check_parts.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace hsm {

namespace {

bool unguarded(const outline_transition& t) {
    return !t.spec->is_guarded() && t.joined.empty() && !t.spec->after && !t.spec->every;
}

/// Transitions by source, in the order in which they are tried.
class by_source {
public:
    explicit by_source(const outline& o) : lists_(o.states.size()) {
        for (const auto& t : o.transitions) lists_[t.source].push_back(&t);
        for (auto& list : lists_)
            std::ranges::stable_sort(list, tried_before);
    }
    const std::vector<const outline_transition*>& of(index s) const { return lists_[s]; }

private:
    std::vector<std::vector<const outline_transition*>> lists_;
};

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
    /// Where its entry choice may lead.
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
    /// What was active before has been reached before.
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

void check_reachable(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    // an update that returns a state can lead anywhere
    if (std::ranges::any_of(o.states, [](const auto& s) { return s.node->names_successor(); })) return;
    const reachability reach(o, transitions);
    for (index s = 1; s < o.states.size(); ++s)
        if (!reach.reached(s) && reach.reached(o.states[s].superstate))
            out.push_back({code::unreachable, o.states[s].node->path(), "no transition, dispatch or initial leads to this state",
                           "add one, or enter it with change_to", position_of(*o.states[s].node)});
}

// --- shadowed ---

bool same_trigger(const outline_transition& a, const outline_transition& b) {
    return a.role == b.role && a.spec->on_finished == b.spec->on_finished && a.spec->event == b.spec->event &&
           (a.spec->event || a.role != transition_role::ordinary || a.level == b.level);
}

std::string described(const outline& o, const outline_transition& t) {
    std::string what = t.role == transition_role::dispatch ? "dispatch" : t.spec->defers ? "deferral" : t.target == no_index ? "reaction" : "transition";
    if (t.target != no_index) what += fmt::format(" to \"{}\"", o.states[t.target].node->path());
    if (t.spec->event) what += fmt::format(" on \"{}\"", t.spec->event.name);
    return what;
}

/// Nothing but conditions, and what these do not say, is asked for.
bool asks_conditions_only(const outline_transition& t) {
    return t.spec->guards.empty() && t.joined.empty() && !t.spec->after && !t.spec->every;
}
/// Does it want that whenever it fires?
bool wants(const transition_spec& spec, const condition_literal& l) {
    return std::ranges::any_of(spec.conditions, [&](const condition_group& group) {
        const auto same = [&](const condition_literal& other) { return other.condition->number == l.condition->number && other.wanted == l.wanted; };
        return group.any ? std::ranges::all_of(group.literals, same) : std::ranges::any_of(group.literals, same);
    });
}
/// Whenever `later` could fire, so could `first`.
bool wants_no_more(const transition_spec& first, const transition_spec& later) {
    return std::ranges::all_of(first.conditions, [&](const condition_group& group) {
        const auto wanted = [&](const condition_literal& l) { return wants(later, l); };
        return group.any ? std::ranges::any_of(group.literals, wanted) : std::ranges::all_of(group.literals, wanted);
    });
}
/// A condition that it wants to hold, and not to hold; null if there is none.
const condition_spec* contradiction(const transition_spec& spec) {
    for (const auto& group : spec.conditions)
        for (const auto& l : group.literals)
            if (wants(spec, l) && wants(spec, {l.condition, !l.wanted})) return l.condition;
    return nullptr;
}

void check_shadowed(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    for (index s = 0; s < o.states.size(); ++s) {
        std::vector<const outline_transition*> tried; // those that fire whenever their conditions hold, so far
        for (const auto* t : transitions.of(s)) {
            const auto tell = [&](const std::string& why, std::string_view hint) {
                out.push_back({code::shadowed, o.states[s].node->path(), fmt::format("the {} never fires: {}", described(o, *t), why), std::string(hint),
                               position_of(*t->spec)});
            };
            if (const auto* c = contradiction(*t->spec)) {
                tell(fmt::format("it wants {} and its contrary", c->name.empty() ? fmt::format("bit {}", c->number) : fmt::format("\"{}\"", c->name)),
                     "all of a transition's conditions must hold; any(...) is for one of several");
                continue;
            }
            const bool reaction = t->target == no_index && !t->spec->event; // all of these run
            if (reaction || t->role == transition_role::initial) continue;
            const auto bars = [&](const auto* f) { return same_trigger(*f, *t) && (f->spec->force || !t->spec->force) && wants_no_more(*f->spec, *t->spec); };
            if (const auto first = std::ranges::find_if(tried, bars); first != tried.end())
                tell(fmt::format("the {} is tried before it and {}", described(o, **first), unguarded(**first) ? "has no guard" : "wants no other conditions"),
                     unguarded(**first) ? "guard the first, or give the other a higher priority" : "give the one that wants more a higher priority");
            else if (asks_conditions_only(*t))
                tried.push_back(t);
        }
    }
}

/// Events that a superstate always consumes never reach its substates.
void check_consumed(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    const auto consumer = [&](index s, const event_key& event) -> const outline_transition* {
        for (auto outer = o.states[s].superstate; outer != no_index; outer = o.states[outer].superstate)
            for (const auto* t : transitions.of(outer))
                if (t->spec->event == event && unguarded(*t)) return t;
        return nullptr;
    };
    for (const auto& inner : o.transitions) {
        if (!inner.spec->event) continue;
        if (const auto* outer = consumer(inner.source, inner.spec->event))
            out.push_back({code::shadowed, o.states[inner.source].node->path(),
                           fmt::format("the {} never fires: the superstate \"{}\" decides first, and its {} has no guard",
                                       described(o, inner), o.states[outer->source].node->path(), described(o, *outer)),
                           "guard the superstate's, or compile with decision_order::substate_first", position_of(*inner.spec)});
    }
}

// --- cycles ---

/// Where an unguarded polled transition takes a transient state at once, or one that is always tried any state; no_index if a
/// guard has a say.
index certain_successor(const outline& o, const by_source& transitions, index s) {
    const bool transient = o.states[s].node->is_transient();
    for (const auto* t : transitions.of(s)) {
        const bool polled = t->role == transition_role::ordinary && !t->spec->event && !t->spec->on_finished && t->target != no_index;
        if (!polled || !(transient || t->spec->always) || (t->target != s && o.contains(s, t->target))) continue;
        return unguarded(*t) ? t->target : no_index;
    }
    return no_index;
}

void check_cycles(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    std::vector<index> mark(o.states.size(), no_index); // the walk that saw it
    for (index s = 0; s < o.states.size(); ++s) {
        auto at = s;
        while (at != no_index && mark[at] == no_index) {
            mark[at] = s;
            at = certain_successor(o, transitions, at);
        }
        if (at == no_index || mark[at] != s) continue;
        std::string cycle{o.states[at].node->name()};
        for (auto next = certain_successor(o, transitions, at); next != at; next = certain_successor(o, transitions, next))
            cycle += fmt::format(" -> {}", o.states[next].node->name());
        out.push_back({code::unguarded_cycle, o.states[at].node->path(),
                       fmt::format("states that are left at once follow each other for ever: {} -> {}", cycle, o.states[at].node->name()),
                       "guard one of their transitions", position_of(*o.states[at].node)});
    }
}

// --- words without effect ---

void check_pointless(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    for (index s = 0; s < o.states.size(); ++s) {
        const auto& node = *o.states[s].node;
        const auto& list = transitions.of(s);
        const auto polled = [](const auto* t) {
            return t->role == transition_role::ordinary && !t->spec->event && t->target != no_index;
        };
        if (node.is_transient() && node.kind() != state_kind::choice && std::ranges::none_of(list, polled))
            out.push_back({code::pointless_transient, node.path(), "a transient state has no polled transition that could be tried on entry",
                           "add one, or leave transient() out", position_of(node)});
        const auto otherwise = [](const auto* t) { return t->role == transition_role::dispatch && unguarded(*t); };
        if (!node.initials().empty() && std::ranges::any_of(list, otherwise))
            out.push_back({code::pointless_initial, node.path(), "initial is never used: a dispatch choice without a guard comes before it",
                           "leave one of the two out", position_of(*node.initials().front())});
        for (const auto* t : list) {
            if (s == 0 && t->spec->on_finished)
                out.push_back({code::root_finished, node.path(), fmt::format("the {} never fires: when the root is finished, so is the machine", described(o, *t)),
                               "ask finished() instead, or put the machine into another one", position_of(*t->spec)});
            const bool related = t->target != no_index && t->target != s && (o.contains(s, t->target) || o.contains(t->target, s));
            const bool any_state = related && o.contains(s, t->target) && polled(t);
            if (t->spec->external && !related)
                out.push_back({code::pointless_kind, node.path(), fmt::format("external() has no effect on the {}", described(o, *t)),
                               "it is for transitions between a superstate and its own substate", position_of(*t->spec)});
            if (t->spec->force && t->target == no_index)
                out.push_back({code::pointless_kind, node.path(), fmt::format("force() has no effect on the {}", described(o, *t)),
                               "it leaves no state, so none can hold it", position_of(*t->spec)});
            if (t->spec->reenter && !any_state)
                out.push_back({code::pointless_kind, node.path(), fmt::format("reenter() has no effect on the {}", described(o, *t)),
                               "it is for polled transitions from a superstate to its own substate", position_of(*t->spec)});
        }
    }
}

} // namespace

void check_warnings(const outline& o, const compile_options& options, std::vector<finding>& out) {
    const by_source transitions(o);
    check_reachable(o, transitions, out);
    check_shadowed(o, transitions, out);
    if (options.order == decision_order::superstate_first) check_consumed(o, transitions, out);
    check_cycles(o, transitions, out);
    check_pointless(o, transitions, out);
}

} // namespace hsm
