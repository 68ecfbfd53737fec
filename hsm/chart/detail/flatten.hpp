/// Flattens a hierarchy: the order in which states decide, the exited and entered states, entry choices, and the order of a tick. These are pure
/// constexpr functions over tables of indices. `compile` uses them at run time to write programs; the compiler evaluates them for constant charts.
///
/// A table of states has `superstate`, `last` and `depth` by index. States are numbered in preorder, so the descendants of s are s+1 to last.
/// Transitions have `source`, `target`, `level` and `priority`. All functions visit in order.
#pragma once

#include <hsm/chart/options.hpp>

#include <cstdint>
#include <span> // std::begin, std::size

namespace hsm::detail {

using index = std::uint16_t;

/// Requires that the check has limited the number of rows.
template <class Rows> constexpr index row_count(const Rows& rows) { return static_cast<index>(rows.size()); }
inline constexpr index no_index = 0xffff;

namespace flatten {

template <class States> constexpr bool contains(const States& states, index outer, index inner) { ///< true also for a state and itself
    return outer <= inner && inner <= states[outer].last;
}

/// Returns whether two states can be active together: one contains the other, or the innermost state around both is a parallel.
template <class States, class IsParallel> constexpr bool may_coexist(const States& states, index a, index b, IsParallel is_parallel) {
    if (contains(states, a, b)) return true;
    auto around = b;
    while (!contains(states, around, a)) around = states[around].superstate;
    return around == b || is_parallel(around);
}

/// Returns the level of a transition: its LCA, or no_index above the root; never a parallel. A superstate is not exited if the other end is its
/// substate, unless the transition is external or the superstate is a parallel. A transition from a state to itself exits it.
template <class States, class Targets, class IsParallel>
constexpr index level_of(const States& states, index source, const Targets& targets, bool external, IsParallel is_parallel) {
    const auto contains_all = [&](index outer) {
        for (const auto t : targets)
            if (t == outer || !contains(states, outer, t)) return false;
        return true;
    };
    if (!external && !is_parallel(source) && contains_all(source)) return source;
    const auto first = *std::begin(targets);
    if (!external && std::size(targets) == 1 && first != source && contains(states, first, source) && !is_parallel(first)) return first;
    auto level = states[source].superstate;
    while (level != no_index && (is_parallel(level) || !contains_all(level))) level = states[level].superstate;
    return level;
}

/// The groups in which the transitions of one source are tried.
enum turn : int { turn_by_priority, turn_of_others, turn_of_deferrals };
constexpr turn turn_of(bool others, bool defers) { return defers ? turn_of_deferrals : others ? turn_of_others : turn_by_priority; }

/// Returns whether a transition of one source is tried before another. Transitions on `otherwise` come after the other transitions, and deferrals
/// come last. Within a group, higher priorities come first; a stable sort keeps the order of definition.
constexpr bool tried_before(int a, turn a_has, int b, turn b_has) { return a_has != b_has ? a_has < b_has : a > b; }

/// Visits the states that a transition exits, innermost first. `level` is that of the transition; no_index: above the root.
template <class States, class Visit> constexpr void exits(const States& states, index leaf, index level, Visit visit) {
    for (auto s = leaf; s != level; s = states[s].superstate) visit(s);
}

/// Visits the states that a transition enters on the way to its target, superstates first.
template <class States, class Visit> constexpr void entries(const States& states, index level, index target, const Visit& visit) {
    if (target == level) return;
    entries(states, level, states[target].superstate, visit);
    visit(target);
}

/// Visits the active states of a region in the order in which they decide. `above` is the state around the region, no_index for the root's region.
template <class States, class Visit>
constexpr void deciders(const States& states, index above, index leaf, decision_order order, const Visit& visit) {
    if (order == decision_order::superstate_first)
        entries(states, above, leaf, visit);
    else
        exits(states, leaf, above, visit);
}

/// Visits the transitions that wait for an event while `leaf` is active in its region, in the order in which they are tried. `events_of(s)` returns
/// those of a source: the numbers from first to first + count - 1, in that order. With superstate_first, deferrals come after the transitions of all
/// states inside the deferring state.
template <class States, class EventsOf, class Defers, class Visit>
constexpr void candidates(const States& states, index above, index leaf, decision_order order, const EventsOf& events_of, const Defers& defers,
                          const Visit& visit) {
    const bool yields = order == decision_order::superstate_first;
    const auto pass = [&](bool deferring) {
        bool others = false;
        deciders(states, above, leaf, order, [&](index s) {
            const auto span = events_of(s);
            for (auto t = span.first; t < span.first + span.count; ++t)
                if (!yields || defers(t) == deferring)
                    visit(t);
                else
                    others = true;
        });
        return others;
    };
    if (pass(false)) pass(true);
}

/// Visits the sections of a tick while `leaf` is active: `update(s)` for each active state, `decide(level)` for the polled transitions of that level,
/// `decide_all()` for those of all levels, and `retry(depth)` for a machine at rest. `above` is the state around the region of the leaf.
template <class States, class IsMachine, class Update, class Decide, class DecideAll, class Retry>
constexpr void tick_sections(const States& states, index leaf, decision_order order, const IsMachine& is_machine, const Update& update,
                             const Decide& decide, const DecideAll& decide_all, const Retry& retry, index above = no_index) {
    const bool outer_first = order == decision_order::superstate_first;
    if (outer_first) {
        if (above == no_index) decide(no_index);
    } else {
        decide_all();
        if (is_machine(leaf)) retry(-1);
    }
    entries(states, above, leaf, [&](index s) {
        update(s);
        if (outer_first && is_machine(s)) decide(s);
    });
    if (outer_first && is_machine(leaf)) retry(static_cast<int>(states[leaf].depth));
}

/// Returns whether a section of a tick can follow another one after which the leaf may have changed. The decision of a level follows the update at
/// the same depth; deeper sections follow a decision. Depths are those of the state or the level; -1 above the root.
constexpr bool section_comes_after(int done_depth, bool done_is_update, int depth, bool is_update) {
    return depth > done_depth || (depth == done_depth && done_is_update && !is_update);
}

/// Returns whether a polled transition leads from a superstate to its substate. Such a transition is satisfied, and does not fire, while its goal is
/// active.
template <class States> constexpr bool leads_to_own_substate(const States& states, index source, index goal, bool reenter) {
    return !reenter && goal != source && contains(states, source, goal);
}

/// Visits the possible targets of a machine that was entered: `choose(t)` for each of its dispatch choices until one is not guarded. If all are
/// guarded, then `initial(t)`, `rest()`, or `first()`, its first substate.
template <class Span, class IsGuarded, class Choose, class Initial, class Rest, class First>
constexpr void entry_choice(const Span& choices, const Span& initials, const IsGuarded& is_guarded, const Choose& choose, const Initial& initial,
                            const Rest& rest, const First& first) {
    for (auto t = choices.first; t < choices.first + choices.count; ++t) {
        choose(t);
        if (!is_guarded(t)) return;
    }
    if (initials.count)
        initial(initials.first);
    else if (choices.count)
        rest();
    else
        first();
}

/// Returns the leaf to which an entered state leads, if no guard and no history affects it; otherwise no_index. For `tables` see
/// write_transition.hpp.
template <class Tables> constexpr index static_leaf(const Tables& tables, index target) {
    while (tables.is_machine(target)) {
        if (!tables.is_static(target)) return no_index;
        const auto& row = tables.states[target];
        const auto leads = [&](auto t) { target = tables.transitions[t].target; };
        entry_choice(
            row.choices, row.initial, [](auto) { return false; }, leads, leads, [] {}, [&] { target = row.first; });
    }
    return target;
}

} // namespace flatten

} // namespace hsm::detail
