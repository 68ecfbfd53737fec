/// The parameters of hooks: how each one is recognized, checked and found.
///
///     Context&                 the machine's context (or a base of it); guards take it as const
///     T&                       the nearest local of type T, from the hook's state outwards
///     step<Context>&           event, source, reason, post, process, finish, ...
///     float, a duration        the elapsed time, in seconds where it is a number (updates only)
///     scores<Context>&         contexts of many agents, and their scores (scores only)
///     const Event&             the event of a transition, once `.on<Event>()` has named it (guards, actions)
///
/// They can have any order. Other parameters are compile errors that begin with "hsm:".
#pragma once

#include <hsm/define/detail/erased.hpp>
#include <hsm/define/detail/signature.hpp>
#include <hsm/define/scores.hpp>
#include <hsm/define/step.hpp>

namespace hsm::detail {

/// Marks a transition without an event (so far).
struct no_event {};
/// Used instead of an event: the predicate of a hold can take the target of the waiting transition.
struct hold_query {};

template <class Event> struct event_parameter { using type = Event; };
template <> struct event_parameter<hold_query> { using type = state_ref; };
/// The parameter type that a hook can have for an event.
template <class Event> using event_parameter_of = typename event_parameter<Event>::type;

/// The use of a callable. It determines the parameters and results that it can have, and what its op does (bind.hpp).
struct as_hook;
struct as_update;
struct as_action;
struct as_guard;
struct as_delay;
struct as_score;

/// Guards and functions that compute a delay must not change anything.
template <class Role>
inline constexpr bool takes_const = std::is_same_v<Role, as_guard> || std::is_same_v<Role, as_delay> || std::is_same_v<Role, as_score>;

template <class T> inline constexpr bool is_step = false;
template <class C> inline constexpr bool is_step<step<C>> = true;

template <class P, class Context>
inline constexpr bool is_context = std::is_same_v<std::remove_cvref_t<P>, Context> || std::is_base_of_v<std::remove_cvref_t<P>, Context>;
template <class P>
inline constexpr bool is_elapsed =
    std::is_floating_point_v<std::remove_cvref_t<P>> || duration_like<std::remove_cvref_t<P>> || std::is_same_v<std::remove_cvref_t<P>, time_span>;
template <class P, class Event>
inline constexpr bool is_event =
    std::is_same_v<event_identity<std::remove_cvref_t<P>>, event_parameter_of<Event>> && !std::is_same_v<Event, no_event>;
/// All other classes are locals.
template <class P, class Context, class Event>
inline constexpr bool is_local = std::is_class_v<std::remove_cvref_t<P>> && !is_context<P, Context> && !is_elapsed<P> && !is_event<P, Event> &&
                                 !is_step<std::remove_cvref_t<P>> && !is_scores<std::remove_cvref_t<P>>;

// The checks report errors by static_assert and then return false, so that dependent code is not compiled.

template <class Role, class Context, class Event, class P> constexpr bool check_parameter() {
    constexpr bool by_reference = std::is_lvalue_reference_v<P>;
    constexpr bool by_const_reference = by_reference && std::is_const_v<std::remove_reference_t<P>>;
    constexpr bool guards = takes_const<Role>;
    if constexpr (is_event<P, Event>) {
        constexpr bool fits = !std::is_reference_v<P> || by_const_reference;
        static_assert(fits, "hsm: an event is taken by value or as const Event&");
        return fits;
    } else if constexpr (is_context<P, Context>) {
        static_assert(by_reference, "hsm: take the context by reference: changes of a copy are lost");
        static_assert(!guards || !by_reference || by_const_reference,
                      "hsm: guards, scores and delays take const Context&: they must not change the context");
        return by_reference && (!guards || by_const_reference);
    } else if constexpr (is_elapsed<P>) {
        constexpr bool fits = std::is_same_v<Role, as_update>;
        static_assert(fits, "hsm: only an update takes the elapsed time");
        return fits;
    } else if constexpr (is_step<std::remove_cvref_t<P>>) {
        constexpr bool mine = guards || std::is_same_v<P, step<Context>&>;
        static_assert(mine, "hsm: take the step as hsm::step<Context>&, where Context is this machine's context");
        static_assert(!guards, "hsm: guards, scores and delays take no step: they must not change the machine");
        return mine && !guards;
    } else if constexpr (is_scores<std::remove_cvref_t<P>>) {
        constexpr bool fits = std::is_same_v<Role, as_score> && std::is_same_v<P, scores<Context>&>;
        static_assert(fits, "hsm: only a score takes hsm::scores<Context>&, where Context is this machine's context");
        return fits;
    } else if constexpr (is_local<P, Context, Event>) {
        static_assert(by_reference, "hsm: take a local by reference: changes of a copy are lost");
        static_assert(!guards || !by_reference || by_const_reference,
                      "hsm: guards, scores and delays take const references: they must not change locals");
        return by_reference && (!guards || by_const_reference);
    } else {
        constexpr bool early =
            std::is_enum_v<std::remove_cvref_t<P>> && std::is_same_v<Event, no_event> && (guards || std::is_same_v<Role, as_action>);
        static_assert(!early, "hsm: call .on<Event>() before a guard or action that takes the event (a parameter of an "
                              "enumeration type is an event)");
        static_assert(early || is_local<P, Context, Event>,
                      "hsm: a hook cannot take a parameter of this type: it takes Context&, a local, hsm::step<Context>&, "
                      "the elapsed time (updates) or the event (after .on<Event>())");
        return false;
    }
}

/// A hook that takes a class but not the context was probably written for another context. Guards can take a local without the context.
template <class Context, class Event, class... A> constexpr bool check_has_context(arguments<A...>) {
    constexpr bool fits = (is_context<A, Context> || ...) || !(is_local<A, Context, Event> || ...);
    static_assert(
        fits, "hsm: this hook takes a class, but not the machine's Context&: add the context as a parameter (or is it a hook for another context?)");
    return fits;
}

template <class Role, class Context, class Event, class... A> constexpr bool check_each(arguments<A...>) {
    constexpr bool few = sizeof...(A) < 16; // together with the object of a member, they fit into a needs_list
    static_assert(few, "hsm: a hook takes fewer than 16 parameters");
    if constexpr (few) return (check_parameter<Role, Context, Event, A>() && ...);
    return false;
}

/// A step that lives for one call.
template <class Context> struct step_of_call {
    step<Context> here;
    operator step<Context>&() { return here; }
};

/// Returns the nearest local of type T, from the hook's state outwards. It is in the list of the hook's locals, which usually has one element. (If a
/// program exports its symbols to a plugin, the list can be the program's while this code is the plugin's.)
template <class T> T& local_of(machine& m) {
    const auto* slot = m.hook_context().locals;
    if (slot->type != &local_type_of<T>) slot = std::addressof(slot_of_local(local_type_of<T>, slot));
    return *reinterpret_cast<T*>(m.block + slot->offset);
}

template <class P, class Context, class Event> decltype(auto) argument(machine& m) {
    using T = std::remove_cvref_t<P>;
    if constexpr (is_event<P, Event> && std::is_same_v<Event, hold_query>)
        return (m.hook_context().hold_target);
    else if constexpr (is_event<P, Event>)
        return event_of<T>(m);
    else if constexpr (is_context<P, Context>)
        return static_cast<T&>(*static_cast<Context*>(m.context));
    else if constexpr (std::is_same_v<T, time_span> || duration_like<T>)
        return static_cast<T>(time_span::from_nanoseconds(m.hook_context().elapsed));
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<double>(m.hook_context().elapsed) / 1e9);
    else if constexpr (is_scores<T>)
        return scores_of_call<Context>(m.context, m.hook_context().score);
    else if constexpr (is_step<T>)
        return step_of_call<Context>{step<Context>(m)};
    else
        return local_of<T>(m);
}

/// Collects the needs of the parameters of one or more callables.
struct needs_list {
    static constexpr std::uint32_t most = 16;
    const local_type* locals[most] = {};
    std::uint32_t count = 0; ///< can exceed `most`
    bool hook_context = false;
    bool step = false;
    bool event = false;

    constexpr void add(const local_type& type) {
        hook_context = true;
        if (count < most) locals[count] = std::addressof(type);
        ++count;
    }
    constexpr void add(const needs_list& part) {
        hook_context = hook_context || part.hook_context;
        step = step || part.step;
        event = event || part.event;
        for (std::uint32_t i = 0; i < part.count && part.fits(); ++i) add(*part.locals[i]);
    }
    constexpr bool fits() const { return count <= most; }
};

template <class P, class Context, class Event> constexpr void add_parameter(needs_list& list) {
    if constexpr (is_local<P, Context, Event>)
        list.add(local_type_of<std::remove_cvref_t<P>>);
    else if constexpr (is_elapsed<P> || is_step<std::remove_cvref_t<P>> || (is_event<P, Event> && std::is_same_v<Event, hold_query>))
        list.hook_context = true;
    if constexpr (is_step<std::remove_cvref_t<P>>) list.step = true;
    if constexpr (is_event<P, Event> && !std::is_same_v<Event, hold_query>) list.event = true;
}

/// `hook_context`: whether it is needed independent of the parameters.
template <class Context, class Event, class... A> constexpr needs_list needs_of(arguments<A...>, bool hook_context) {
    needs_list list;
    list.hook_context = hook_context;
    (add_parameter<A, Context, Event>(list), ...);
    return list;
}

} // namespace hsm::detail
