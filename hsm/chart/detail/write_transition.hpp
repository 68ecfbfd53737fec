/// Defines the steps of a transition and their order: exits, its action, entries, and the arrival. No other code defines them. A sink writes or
/// executes them.
///
/// Tables have `states` (superstate, kind, choices, initial, first), `transitions` (source, target, level) and
///
///     is_machine(s), is_guarded(number), is_static(machine)   the last: its target depends on no guard and no history
///     machine_of(target)                                      the machine of a history state; otherwise the target itself
///
/// A sink of transitions receives these calls, in this order:
///
///     begin(t)                      it fires
///     exit(s)                       a state is exited, innermost first
///     action(t)                     all exits are done, no entries have begun
///     enter(s)                      a state is entered, superstates first
///     choose(machine, is_level)     its target is a machine; `is_level`: it is the level itself, which is not entered
///     arrive(s)                     its target is another state
///     stay(t)                       it has no target, and is complete
///
/// A sink of entry choices also receives: try_choice(machine, number, take), where `take` must be called if the guards hold; choice_action(machine,
/// t); leads_elsewhere(machine, t), which returns true if other code makes the entries; rest(machine), if no guard holds.
#pragma once

#include <hsm/chart/detail/flatten.hpp>

#include <cstddef>

namespace hsm::detail::flatten {

/// Writes one microstep: transitions that fire together, each in its own regions. The sink determines which of them `moves`, and writes exits(move),
/// action(move) and entries(move).
template <class Moves, class Sink> constexpr void write_step(const Moves& moves, Sink& sink) {
    for (auto i = std::size(moves); i-- > 0;)
        if (sink.moves(moves[i])) sink.exits(moves[i]);
    for (auto& move : moves) sink.action(move);
    for (auto& move : moves)
        if (sink.moves(move)) sink.entries(move);
}

/// Writes the steps after the entry of a target, or after reaching a target that is the level itself.
template <class Tables, class Sink> constexpr void write_arrival(const Tables& tables, index level, index target, Sink& sink) {
    if (tables.is_machine(target))
        sink.choose(target, target == level);
    else
        sink.arrive(target);
}

/// Writes all entries below a level: on the way to a target, and from there.
template <class Tables, class Sink> constexpr void write_entries(const Tables& tables, index level, index target, Sink& sink) {
    entries(tables.states, level, tables.machine_of(target), [&](index s) { sink.enter(s); });
    write_arrival(tables, level, target, sink);
}

/// The step of one transition along one path.
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

/// Writes all steps of a transition while `leaf` is active.
template <class Tables, class Transition, class Sink>
constexpr void write_transition(const Tables& tables, index leaf, const Transition& t, Sink& sink) {
    sink.begin(t);
    const Transition* const only[] = {std::addressof(t)};
    path_step<Tables, Sink> step{tables, leaf, sink};
    write_step(only, step);
    if (t.target == no_index) sink.stay(t);
}

/// Writes the entry of a machine: its alternatives, in order.
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
