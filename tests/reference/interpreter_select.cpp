// The transitions of a microstep: SCXML's selection and removal of conflicts with substate_first; the rules of hsm with superstate_first.

#include <tests/reference/interpreter_stage.hpp>

#include <algorithm>
#include <map>

namespace hsm::detail {

/// `first` returns the transition of a state, if any. Superstate first: follows the path of the root's region and, if no state there has one, each
/// region inside it. Substate first: goes from each leaf outwards; a transition is selected once.
template <class First> interpreter::rows interpreter::select_transitions(First first) const {
    rows chosen;
    if (core_.options.order == decision_order::superstate_first) {
        if (!active_.empty()) select_inwards(0, first, chosen);
        return chosen;
    }
    std::map<index, const transition_row*> offered; // `first` is called once for each state
    const auto offer_of = [&](index s) {
        if (!offered.contains(s)) offered[s] = first(s);
        return offered[s];
    };
    for (const auto leaf : leaf_states())
        for (auto s = leaf; s != no_index; s = core_.states[s].superstate)
            if (const auto* t = offer_of(s)) {
                if (std::ranges::find(chosen, t) == chosen.end()) chosen.push_back(t);
                break;
            }
    return chosen;
}

template <class First> bool interpreter::select_inwards(index region, First& first, rows& chosen) const {
    const auto end = region_leaf(region);
    for (auto s = region; s != no_index; s = s == end ? no_index : active_child(s))
        if (const auto* t = first(s)) return chosen.push_back(t), true;
    bool any = false;
    if (is(state_kind::parallel, end))
        for (const auto r : regions_of(end)) any = (active(r) && select_inwards(r, first, chosen)) || any;
    return any;
}

/// With the superstate first, deferrals are looked up where no transition was found; with the substate first, after the transitions of their own
/// state.
interpreter::rows interpreter::select_for_event(std::uint16_t event, const event_ref& ref, bool& guarded, bool& unchanged) {
    const bool outermost_first = core_.options.order == decision_order::superstate_first;
    const auto chosen = select_transitions([&](index s) {
        const auto* const t = candidate(s, event, ref, guarded, false);
        return t || outermost_first ? t : candidate(s, event, ref, guarded, true);
    });
    rows transitions, deferrals;
    for (const auto* t : chosen) (t->defers ? deferrals : transitions).push_back(t);
    if (outermost_first) { // states in which, and below which, no transition was found
        for (const auto s : active_)
            if (const auto* t = candidate(s, event, ref, guarded, true)) deferrals.push_back(t);
        unchanged = !deferrals.empty();
        return transitions;
    }
    unchanged = !deferrals.empty();
    return yielding(transitions, deferrals);
}

/// A deferral takes the event from its superstates, unless a state inside it has a transition for it.
interpreter::rows interpreter::yielding(const rows& chosen, const rows& deferrals) const {
    rows left;
    for (const auto* t : chosen) {
        const auto overrides = [&](const transition_row* d) {
            const auto is_inside = [&](const transition_row* other) { return within(d->source, other->source); };
            return below(t->source, d->source) && std::ranges::none_of(chosen, is_inside);
        };
        if (std::ranges::none_of(deferrals, overrides)) left.push_back(t);
    }
    return left;
}

/// With transients, only the states that the last step entered count.
interpreter::rows interpreter::select_polled_set(asked as) {
    std::set<index> held_at;
    if (as == asked::always && core_.options.order == decision_order::superstate_first) { // one at a time
        const auto* const t = select_among(in_order_of_polling({}, as), held_at);
        return t ? rows{t} : rows{};
    }
    return without_conflicts(select_transitions([&](index s) {
        const bool asks = as != asked::transient || (core_.states[s].transient && just_entered_.contains(s));
        return asks ? select_polled(s, as, held_at) : nullptr;
    }));
}

interpreter::rows interpreter::without_conflicts(const rows& chosen) const {
    return core_.options.order == decision_order::substate_first ? remove_conflicting(chosen) : keep_outermost(chosen);
}

/// The exits of two transitions overlap if one level is the other or contains it.
interpreter::rows interpreter::remove_conflicting(const rows& chosen) const {
    rows filtered;
    for (const auto* t1 : chosen) {
        rows dropped;
        bool lost = false;
        for (const auto* t2 : filtered) {
            if (t1->target == no_index || t2->target == no_index) continue;
            if (!within(level_of(*t1), level_of(*t2)) && !within(level_of(*t2), level_of(*t1))) continue;
            if (below(t2->source, t1->source)) {
                dropped.push_back(t2);
            } else {
                lost = true;
                break;
            }
        }
        if (lost) continue;
        std::erase_if(filtered, [&](const auto* t) { return std::ranges::find(dropped, t) != dropped.end(); });
        filtered.push_back(t1);
    }
    return filtered;
}

/// The outer level wins; at the same level the earlier transition.
interpreter::rows interpreter::keep_outermost(const rows& chosen) const {
    rows unchanged;
    for (auto t = chosen.begin(); t != chosen.end(); ++t) {
        const auto loses_to = [&](const transition_row* const& other) {
            if (&other == &*t || (*t)->target == no_index || other->target == no_index) return false;
            if (level_of(**t) == level_of(*other)) return &other < &*t;
            return within(level_of(*other), level_of(**t));
        };
        if (std::ranges::none_of(chosen, loses_to)) unchanged.push_back(*t);
    }
    return unchanged;
}

} // namespace hsm::detail
