/// A chart that is a constant: the compiler evaluates its definition, and generates one function for the effect of each event in each leaf. The
/// definition calls are the same as for charts compiled at run time; only the beginning differs:
///
///     constexpr auto lamp_chart = hsm::constant_chart<lamp>([](auto& root) {
///         auto& off = root.add("off");
///         auto& on = root.add("on").on_enter([](lamp& l) { l.lit = true; });
///         off.to(on).on(button::press);
///         on.to(off).on(button::press);
///     });
///
///     lamp desk;
///     hsm::constant_instance<lamp_chart> agent(desk);
///
/// Using a feature that constant charts lack is a compile error with an explanation. Where `compile` would throw a definition_error, the compiler
/// reports an error.
#pragma once

// Included first, so that errors about definition calls have shorter include traces.
#include <hsm/constant/constant_fsm.hpp>
#include <hsm/constant/detail/hook.hpp>
#include <hsm/constant/detail/transition.hpp>

#include <hsm/constant/detail/cells.hpp>
#include <hsm/constant/detail/check.hpp>
#include <hsm/constant/detail/programs.hpp>

namespace hsm {

namespace detail {

template <class From, class To> constexpr void copy_rows(const From& from, To& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
}

/// Evaluates the definition and its programs separately, because compilers limit the cost of one evaluation. Each is evaluated twice: first to
/// measure the tables, then to fill them.
template <class Context, class Define, constant_chart_options Options> struct constant_evaluation {
    template <class Use> static consteval auto define(Use use) {
        constant_fsm<Context> root;
        root.kind_ = state_kind::machine;
        root.name_ = "root";
        Define{}(root);
        return use(constant_model<Context>(root, Options.order, Options.entry_times));
    }
    /// Checks that the definition can be evaluated.
    static consteval bool evaluate() {
        constant_fsm<Context> root;
        Define{}(root);
        return true;
    }
    static consteval constant_model_sizes measure() {
        return define([](const auto& m) {
            return constant_model_sizes{m.states.size(), m.transitions.size(), m.named.size(), m.hooks.size(), m.changes.size(),
                                        m.guards.size(), m.hold_guards.size(), m.scores.size(), m.timers.size(), m.conditions.size(),
                                        m.tags.size(), m.locals.size(), m.places.size(), m.types.size(), m.events.size(), m.values.size(),
                                        m.columns.size(), m.characters.size(), constant_check(m).problem().size(), m.marks, m.candidates,
                                        m.memories, m.cells, m.entry_cells, static_cast<std::uint32_t>(m.regions.size()), m.slots, m.holds,
                                        m.held, m.levels, static_cast<std::uint32_t>(m.carried.size()), m.any_event, m.local_bytes,
                                        m.local_alignment, m.transients, m.chance, m.always, m.by_record, m.defers, m.finishes,
                                        m.states[0].predicate >= 0, m.triggers, m.unhandles, m.settles,
                                        Options.pulses && !m.conditions.empty(), m.has_life_hooks};
        });
    }
    template <std::size_t Size> static consteval auto problem() {
        return define([](const auto& m) {
            const constant_check check(m);
            constant_message<Size> message;
            copy_rows(check.problem(), message.text);
            return message;
        });
    }
    template <constant_model_sizes Size> static consteval auto make_model() {
        return define([](const auto& m) {
            constant_model_tables<Context, Size> t;
            copy_rows(m.states, t.states);
            copy_rows(m.transitions, t.transitions);
            copy_rows(m.named, t.named);
            copy_rows(m.hooks, t.hooks);
            copy_rows(m.changes, t.changes);
            copy_rows(m.guards, t.guards);
            copy_rows(m.hold_guards, t.hold_guards);
            copy_rows(m.scores, t.scores);
            copy_rows(m.timers, t.timers);
            copy_rows(m.carried, t.carried);
            copy_rows(m.conditions, t.conditions);
            copy_rows(m.tags, t.tags);
            copy_rows(m.locals, t.locals);
            copy_rows(m.places, t.places);
            copy_rows(m.types, t.types);
            copy_rows(m.events, t.events);
            copy_rows(m.values, t.values);
            copy_rows(m.columns, t.columns);
            copy_rows(m.characters, t.characters);
            copy_rows(m.regions, t.regions);
            return t;
        });
    }
};

template <class Context, class Define, constant_chart_options Options> struct constant_parts {
    using evaluation = constant_evaluation<Context, Define, Options>;
    static constexpr constant_model_sizes size = evaluation::measure();
    static constexpr auto model = evaluation::template make_model<size>();
};

/// `Kinds`: the kinds of records that the programs report.
template <class Parts, class Context, constant_chart_options Options, std::uint32_t Kinds = 0> struct constant_programming {
    static consteval constant_program_sizes measure() {
        const constant_programs<Context, Parts::size> p(Parts::model, Options, Kinds);
        return {p.ops.size(), p.cells.size(), p.steps.size(), p.leaves.size(), p.records.size(), p.numbers.events().size(),
                p.entered.size(), p.moves.size(), p.waiting.size(), p.exits.size(), p.completions.size(), p.retries.size(),
                p.overdue.size(), p.declined.size(), p.start, p.always_of_all, p.any_event_of_all, p.settled};
    }
    template <constant_program_sizes Size> static consteval auto make() {
        const constant_programs<Context, Parts::size> p(Parts::model, Options, Kinds);
        constant_tables<Context, Parts::size, Size> t{Parts::model, {}};
        copy_rows(p.ops, t.ops);
        copy_rows(p.cells, t.cells);
        copy_rows(p.steps, t.steps);
        copy_rows(p.leaves, t.leaves);
        copy_rows(p.records, t.records);
        copy_rows(p.entered, t.entered);
        copy_rows(p.moves, t.moves);
        copy_rows(p.waiting, t.waiting);
        copy_rows(p.exits, t.exits);
        copy_rows(p.completions, t.completions);
        copy_rows(p.retries, t.retries);
        copy_rows(p.overdue, t.overdue);
        copy_rows(p.declined, t.declined);
        copy_rows(p.numbers.events(), t.event_numbers);
        return t;
    }
};

/// Replaces a definition that has an error, so that the compiler reports only this error.
struct no_constant_definition {
    template <class Root> constexpr void operator()(Root& root) const { root.add("none"); }
};

} // namespace detail

/// The type of a constant chart. The type contains all data; the object is empty. For `Options` see compile_options.
template <class Context, class Define, constant_chart_options Options> struct constant_chart_of {
    using context_type = Context;
    using definition = Define; ///< the lambda; it takes `constant_fsm<Context>&` or, if its parameter is `auto&`, also `fsm<Context>&`
    static constexpr auto options = Options;
    static constexpr auto order = Options.order;
    static constexpr auto remember_finals = Options.remember_finals;
    using parts = detail::constant_parts<Context, Define, Options>;
    using programming = detail::constant_programming<parts, Context, Options>;
    static constexpr detail::constant_sizes size = {parts::size, programming::measure()};
    static constexpr auto tables = programming::template make<static_cast<const detail::constant_program_sizes&>(size)>();

    /// Returns the number of states, including the root.
    static constexpr std::size_t state_count() { return size.states; }
};

namespace detail {

template <class Context, class Define, constant_chart_options Options>
concept can_be_evaluated = requires { typename std::bool_constant<constant_evaluation<Context, Define, Options>::evaluate()>; };

/// Returns the error of the definition as a type, for the compiler to print.
template <class Context, class Define, constant_chart_options Options> consteval auto find_mistake() {
    if constexpr (!can_be_evaluated<Context, Define, Options>) {
        static_assert(no<Define>,
                      "hsm: the compiler cannot evaluate this definition of a constant chart. To see the error, let the lambda take "
                      "hsm::constant_fsm<C>& root instead of auto& (then on<press>() needs no .template)");
        if constexpr (requires { &Define::operator(); }) {
            [[maybe_unused]] constexpr bool what = constant_evaluation<Context, Define, Options>::evaluate();
        }
        return static_cast<letters<>*>(nullptr);
    } else {
        constexpr auto length = constant_parts<Context, Define, Options>::size.problem;
        if constexpr (length == 0) {
            return static_cast<letters<>*>(nullptr);
        } else {
            constexpr auto text = constant_evaluation<Context, Define, Options>::template problem<length>();
            if constexpr (compiler_prints_text)
                return static_cast<mistake<text>*>(nullptr);
            else
                return static_cast<decltype(spell<text>(std::make_index_sequence<length>()))*>(nullptr);
        }
    }
}
template <class Context, class Define, constant_chart_options Options>
using mistake_in = std::remove_pointer_t<decltype(find_mistake<Context, Define, Options>())>;
template <class Context, class Define, constant_chart_options Options, class Mistake>
using constant_chart_or_none = constant_chart_of<
    Context, std::conditional_t<is_right<Mistake> && can_be_evaluated<Context, Define, Options>, Define, no_constant_definition>, Options>;

} // namespace detail

/// Returns the constant chart of a definition. The definition is a lambda without captures that takes the root as a `constant_fsm<Context>&`.
template <class Context, constant_chart_options Options = constant_chart_options(), class Define> consteval auto constant_chart(Define) {
    static_assert(std::is_empty_v<Define>, "hsm: the definition of a constant chart must be a lambda without captures");
    static_assert(std::is_void_v<decltype(Define{}(std::declval<constant_fsm<Context>&>()))>,
                  "hsm: the definition of a constant chart must return nothing");
    using mistake = detail::mistake_in<Context, Define, Options>;
    detail::assert_title<detail::number_of<mistake>>();
    static_assert(detail::is_right<mistake>, "hsm: the definition of a constant chart has an error");
    using chart_type = detail::constant_chart_or_none<Context, Define, Options, mistake>;
    static_assert(Options.order == decision_order::superstate_first || !chart_type::parts::size.by_record,
                  "hsm: in a constant chart with substate_first, a transition from inside a machine to its history state cannot be external: use hsm::compile");
    return chart_type();
}

} // namespace hsm
