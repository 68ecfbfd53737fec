/// How a hierarchy is flattened: who decides, what is exited and entered, where an entered machine goes, and what a tick does in
/// which order. Pure functions over tables of indices, constexpr: `compile` writes programs by them when a program runs, a
/// constant chart has them evaluated by the compiler.
///
/// A table of states has `superstate`, `last` and `depth` by the index; states are numbered in preorder, so the descendants of s
/// are s+1 .. last. Transitions have `source`, `target`, `level` and `priority`. Whatever is visited is visited in order.
#pragma once

#include <hsm/chart/options.hpp>

#include <cstdint>
#include <span> // std::begin, std::size

namespace hsm::detail {

using index = std::uint16_t;

/// The check has made sure that there are not too many rows.
template <class Rows> constexpr index row_count(const Rows& rows) { return static_cast<index>(rows.size()); }
inline constexpr index no_index = 0xffff;

namespace flatten {

template <class States> constexpr bool contains(const States& states, index outer, index inner) { ///< also a state itself
    return outer <= inner && inner <= states[outer].last;
}

/// The level of a transition: its LCA, no_index above the root; never a parallel. A superstate stays when the other end is its
/// own substate, unless the transition is external or the superstate a parallel; a state that goes to itself does not.
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

/// When the transitions of one source have their turn.
enum turn : int { turn_by_priority, turn_of_others, turn_of_deferrals };
constexpr turn turn_of(bool others, bool defers) { return defers ? turn_of_deferrals : others ? turn_of_others : turn_by_priority; }

/// Among the transitions of one source: what takes all other events comes late, what defers an event last; those of one turn go by
/// priority, then as they were defined.
constexpr bool tried_before(int a, turn a_has, int b, turn b_has) { return a_has != b_has ? a_has < b_has : a > b; }

/// What a transition exits, innermost first. `level`: of the transition; no_index: above the root.
template <class States, class Visit> constexpr void exits(const States& states, index leaf, index level, Visit visit) {
    for (auto s = leaf; s != level; s = states[s].superstate) visit(s);
}

/// What it enters on the way to its target, superstates first.
template <class States, class Visit> constexpr void entries(const States& states, index level, index target, const Visit& visit) {
    if (target == level) return;
    entries(states, level, states[target].superstate, visit);
    visit(target);
}

/// The active states of a region in the order in which they decide. Above: what stands around the region, no_index for the root's.
template <class States, class Visit>
constexpr void deciders(const States& states, index above, index leaf, decision_order order, const Visit& visit) {
    if (order == decision_order::superstate_first)
        entries(states, above, leaf, visit);
    else
        exits(states, leaf, above, visit);
}

/// The transitions that wait for an event while `leaf` is active in its region, in the order in which they are tried. `events_of(s)` are
/// those of a source: numbers first .. first + count - 1, in that order. With the superstate first, what defers an event comes behind the
/// transitions of all states inside it.
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

/// A tick while `leaf` is active: calls `update(s)` for each active state, `decide(level)` for the polled transitions of that
/// level, `decide_all()` for those of all levels at once, and `retry(depth)` for a machine that rests.
template <class States, class IsMachine, class Update, class Decide, class DecideAll, class Retry>
constexpr void tick_sections(const States& states, index leaf, decision_order order, const IsMachine& is_machine, const Update& update,
                             const Decide& decide, const DecideAll& decide_all, const Retry& retry) {
    const bool outer_first = order == decision_order::superstate_first;
    if (outer_first) {
        decide(no_index);
    } else {
        decide_all();
        if (is_machine(leaf)) retry(-1);
    }
    entries(states, no_index, leaf, [&](index s) {
        update(s);
        if (outer_first && is_machine(s)) decide(s);
    });
    if (outer_first && is_machine(leaf)) retry(static_cast<int>(states[leaf].depth));
}

/// May a step of a tick follow another one, after which the leaf may be a different one? An update's own level decides after it;
/// after a decision come the levels below. Depths: of the state, or the level; -1 above the root.
constexpr bool section_comes_after(int done_depth, bool done_is_update, int depth, bool is_update) {
    return depth > done_depth || (depth == done_depth && done_is_update && !is_update);
}

/// A polled transition from a superstate to its own substate: it is satisfied, and does not fire, while its goal is active.
template <class States> constexpr bool leads_to_own_substate(const States& states, index source, index goal, bool reenter) {
    return !reenter && goal != source && contains(states, source, goal);
}

/// Where a machine goes that was just entered: `choose(t)` for each of its dispatch choices until one is not guarded, then,
/// if all of them may refuse, `initial(t)`, `rest()`, or `first()`, its first substate.
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

/// Where an entered state leads if that is known beforehand: no guard and no history has a say. Otherwise no_index.
/// Tables: see write_transition.hpp.
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
