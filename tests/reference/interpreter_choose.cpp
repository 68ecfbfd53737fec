// Which transitions a state has to offer. Nothing is changed by asking, but that what is held waits for the rest of the tick.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>

namespace hsm {

/// The active states: superstates first, or substates first, and in both orders one region behind the other.
std::vector<index> interpreter::in_order_of_decision() const {
    std::vector<index> states(active_.begin(), active_.end());
    if (core_.options.order == decision_order::superstate_first) return states;
    std::ranges::sort(states, [&](index a, index b) { return below(a, b) ? false : below(b, a) ? true : a < b; });
    return states;
}

interpreter::occasion interpreter::occasion_of(const transition_row& t, reason why, const event_ref* event) const {
    const auto before = active_.empty() ? no_index : tip(region_of(t.target == no_index ? t.source : level_of(t)));
    return {{why, event ? &core_.event_refs[t.event] : nullptr, node(t.source), node(t.target), node(before), t.spec},
            event ? event->object : nullptr};
}

/// The states that it joins, and its guards.
bool interpreter::holds(const transition_row& t, const occasion& c) {
    if (!std::ranges::all_of(of(core_.targets, t.joined), [&](index s) { return active(s); })) return false;
    stage here(*this, t.source, c);
    if (!agree(t, is_over(tip(region_of(t.source))))) return false;
    return std::ranges::all_of(of(core_.guards, t.guards), [&](const auto& g) { return ask(g, here); });
}

/// By priority, then definition; what defers the event comes last.
const transition_row* interpreter::candidate(index source, std::uint16_t event, const event_ref& ref, bool& guarded) {
    for (const auto& t : of(core_.transitions, core_.states[source].events)) {
        if (t.event != event) continue;
        if (due(t) && holds(t, occasion_of(t, reason::event, &ref))) return &t;
        guarded = true;
    }
    return nullptr;
}

/// Its mark, its time, its guards.
bool interpreter::may_fire(const transition_row& t) {
    if (t.on_finished && (!finished_[t.source] || completion_due_[t.source])) return false;
    return due(t) && holds(t, occasion_of(t, reason_of(t)));
}

/// From a superstate to its own substates, of which each is active.
bool interpreter::satisfied(const transition_row& t) const {
    if (!t.any_state) return false;
    return std::ranges::all_of(core_.targets_of(t), [&](index target) {
        const auto goal = core_.machine_of(target);
        return active(goal) && below(t.source, goal);
    });
}

/// The first of a source's polled transitions that is enabled.
const transition_row* interpreter::choose_polled(index source, asked as) {
    rows candidates;
    for (const auto& t : of(core_.transitions, core_.states[source].polled))
        if (as != asked::always || t.always) candidates.push_back(&t);
    return choose_among(candidates, as);
}

/// A transition to an own substate that is active is satisfied: it does not fire, and bars the later ones of its source and level.
/// One that is held bars those of its level, and if all are polled those of other sources as well, but for what is forced.
const transition_row* interpreter::choose_among(const rows& candidates, asked as) {
    std::set<std::pair<index, index>> satisfied_at;
    std::set<index> held_at;
    for (const auto* t : candidates) {
        const auto level = level_of(*t);
        if (satisfied_at.contains({t->source, level})) continue;
        const bool waits = held_at.contains(level) || (as == asked::polled && waiting_at(level).row);
        if (waits && !t->force) continue;
        if (!may_fire(*t)) continue;
        if (satisfied(*t)) {
            satisfied_at.insert({t->source, level});
            continue;
        }
        const auto held_by = holder(*t);
        if (held_by == no_index) return t;
        wait(*t, held_by);
        held_at.insert(level);
    }
    return nullptr;
}

/// From wherever they start: the outermost source first, then by priority, then in document order.
const transition_row* interpreter::choose_at_level(index level) {
    rows candidates;
    for (const auto s : active_)
        for (const auto& t : of(core_.transitions, core_.states[s].polled))
            if (level_of(t) == level) candidates.push_back(&t);
    std::ranges::stable_sort(candidates, [&](const auto* a, const auto* b) {
        return depth(a->source) != depth(b->source) ? depth(a->source) < depth(b->source) : a->priority > b->priority;
    });
    return choose_among(candidates, asked::polled);
}

/// Among the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* interpreter::take_completion() {
    for (const auto s : in_order_of_decision()) {
        if (!completion_due_[s]) continue;
        completion_due_[s] = false;
        std::set<index> held_at;
        for (const auto& t : of(core_.transitions, core_.states[s].polled)) {
            if (!t.on_finished || (held_at.contains(level_of(t)) && !t.force)) continue;
            if (!may_fire(t)) continue;
            const auto held_by = holder(t);
            if (held_by == no_index) return &t;
            wait(t, held_by);
            held_at.insert(level_of(t));
        }
    }
    return nullptr;
}

} // namespace hsm
