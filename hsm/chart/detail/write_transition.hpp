/// What a transition does, in order: exits, its action, entries, and where it arrives. This is the only place that says so. What writes
/// it down, or does it, is a sink.
///
/// Tables have `states` (superstate, kind, choices, initial, first), `transitions` (source, target, level) and
///
///     is_machine(s), is_guarded(number), is_static(machine)   the last: no guard and no history says where it leads
///     machine_of(target)                                      where a history state is entered; the target itself otherwise
///
/// A sink of transitions is told, in this order:
///
///     begin(t)                      it is taken
///     exit(s)                       a state is left, innermost first
///     action(t)                     everything has been left, and nothing entered
///     enter(s)                      a state is entered, superstates first
///     choose(machine, anew)         its target is a machine; anew: that has not been entered, but is where it started
///     arrive(s)                     its target is something else
///     stay(t)                       it has no target, and is over
///
/// A sink of entry choices is told besides: try_choice(machine, number, take), where `take` is to be called if the guards agree;
/// choice_action(machine, t); leads_elsewhere(machine, t), true if somebody else makes the entries; rest(machine), when all have refused.
#pragma once

#include <hsm/chart/detail/flatten.hpp>

#include <cstddef>

namespace hsm::detail::flatten {

/// One microstep: what several transitions do together, each in regions of its own. The sink says which of them move(s), and does
/// exits(move), action(move) and entries(move).
template <class Moves, class Sink> constexpr void write_step(const Moves& moves, Sink& sink) {
    for (auto i = std::size(moves); i-- > 0;)
        if (sink.moves(moves[i])) sink.exits(moves[i]);
    for (auto& move : moves) sink.action(move);
    for (auto& move : moves)
        if (sink.moves(move)) sink.entries(move);
}

/// Where it goes on from a target that has been entered, or is the level itself.
template <class Tables, class Sink> constexpr void write_arrival(const Tables& tables, index level, index target, Sink& sink) {
    if (tables.is_machine(target))
        sink.choose(target, target == level);
    else
        sink.arrive(target);
}

/// What is entered below a level, on the way to a target and from there.
template <class Tables, class Sink> constexpr void write_entries(const Tables& tables, index level, index target, Sink& sink) {
    entries(tables.states, level, tables.machine_of(target), [&](index s) { sink.enter(s); });
    write_arrival(tables, level, target, sink);
}

/// A step of one transition along one path.
template <class Tables, class Sink> struct path_step {
    const Tables& tables;
    index leaf;
    Sink& sink;

    template <class T> constexpr bool moves(const T* t) const { return t->target != no_index; }
    template <class T> constexpr void exits(const T* t) {
        flatten::exits(tables.states, leaf, t->level, [&](index s) { sink.exit(s); });
    }
    template <class T> constexpr void action(const T* t) { sink.action(*t); }
    template <class T> constexpr void entries(const T* t) { write_entries(tables, t->level, t->target, sink); }
};

/// All that a transition does while `leaf` is active.
template <class Tables, class Transition, class Sink>
constexpr void write_transition(const Tables& tables, index leaf, const Transition& t, Sink& sink) {
    sink.begin(t);
    const Transition* const only[] = {std::addressof(t)};
    path_step<Tables, Sink> step{tables, leaf, sink};
    write_step(only, step);
    if (t.target == no_index) sink.stay(t);
}

/// Where a machine goes that was just entered: its alternatives, in their order.
template <class Tables, class Sink> constexpr void write_entry(const Tables& tables, index machine, Sink& sink) {
    const auto& row = tables.states[machine];
    const auto take = [&](auto number) {
        const auto& t = tables.transitions[number];
        sink.choice_action(machine, t);
        if (!sink.leads_elsewhere(machine, t)) write_entries(tables, machine, t.target, sink);
    };
    entry_choice(
        row.choices, row.initial, [&](auto number) { return tables.is_guarded(number); },
        [&](auto number) { sink.try_choice(machine, number, [&] { take(number); }); }, take, [&] { sink.rest(machine); },
        [&] { write_entries(tables, machine, row.first, sink); });
}

} // namespace hsm::detail::flatten
