/// From a user's callable to a type-erased hook: reads what the callable takes, in any order, and hands it over.
///
///     Context&                 the machine's context (or a base of it); guards take it as const
///     T&                       the nearest local of type T, from the hook's state outwards
///     step<Context>&           event, source, reason, post, process, finish, ...
///     float, a duration        the elapsed time, in seconds where it is a number (updates only)
///     const Event&             the event of a transition, once `.on<Event>()` has named it (guards, actions)
///
/// Whatever does not fit is a compile error that begins with "hsm:".
#pragma once

#include <hsm/define/erased.hpp>
#include <hsm/define/signature.hpp>
#include <hsm/define/step.hpp>

namespace hsm {

/// Stands for "this transition has no event (yet)".
struct no_event {};

namespace detail {

/// What kind of hook a callable is used as; decides what it may take and give.
struct as_hook {};
struct as_update {};
struct as_action {};
struct as_guard {};

template <class T> inline constexpr bool is_step = false;
template <class C> inline constexpr bool is_step<step<C>> = true;

template <class P, class Context>
inline constexpr bool is_context = std::is_same_v<std::remove_cvref_t<P>, Context> ||
                                   std::is_base_of_v<std::remove_cvref_t<P>, Context>;
template <class P>
inline constexpr bool is_elapsed = std::is_floating_point_v<std::remove_cvref_t<P>> ||
                                   duration_like<std::remove_cvref_t<P>> ||
                                   std::is_same_v<std::remove_cvref_t<P>, time_span>;
template <class P, class Event>
inline constexpr bool is_event = std::is_same_v<std::remove_cvref_t<P>, Event> && !std::is_same_v<Event, no_event>;
/// Whatever class is left over can only be a local.
template <class P, class Context, class Event>
inline constexpr bool is_local = std::is_class_v<std::remove_cvref_t<P>> && !is_context<P, Context> &&
                                 !is_elapsed<P> && !is_event<P, Event> && !is_step<std::remove_cvref_t<P>>;

// The checks say what is wrong in a static_assert, and are false then: what would follow from it is not compiled.

template <class Role, class Context, class Event, class P> constexpr bool check_parameter() {
    constexpr bool by_reference = std::is_lvalue_reference_v<P>;
    constexpr bool by_const_reference = by_reference && std::is_const_v<std::remove_reference_t<P>>;
    constexpr bool guards = std::is_same_v<Role, as_guard>;
    if constexpr (is_event<P, Event>) {
        constexpr bool fits = !std::is_reference_v<P> || by_const_reference;
        static_assert(fits, "hsm: an event is taken by value or as const Event&");
        return fits;
    } else if constexpr (is_context<P, Context>) {
        static_assert(by_reference, "hsm: take the context by reference: a copy would be changed in vain");
        static_assert(!guards || !by_reference || by_const_reference,
                      "hsm: a guard takes const Context&: deciding must not change what is decided upon");
        return by_reference && (!guards || by_const_reference);
    } else if constexpr (is_elapsed<P>) {
        constexpr bool fits = std::is_same_v<Role, as_update>;
        static_assert(fits, "hsm: only an update takes the elapsed time");
        return fits;
    } else if constexpr (is_step<std::remove_cvref_t<P>>) {
        constexpr bool mine = guards || std::is_same_v<P, step<Context>&>;
        static_assert(mine, "hsm: take the step as hsm::step<Context>&, of this machine's context");
        static_assert(!guards, "hsm: a guard takes no step: deciding must not change what is decided upon");
        return mine && !guards;
    } else if constexpr (is_local<P, Context, Event>) {
        static_assert(by_reference, "hsm: take a local by reference: a copy would be changed in vain");
        static_assert(!guards || !by_reference || by_const_reference,
                      "hsm: a guard takes const references: deciding must not change what is decided upon");
        return by_reference && (!guards || by_const_reference);
    } else {
        constexpr bool early = std::is_enum_v<std::remove_cvref_t<P>> && std::is_same_v<Event, no_event> &&
                               (guards || std::is_same_v<Role, as_action>);
        static_assert(!early, "hsm: call .on<Event>() before a guard or action that takes the event (a parameter of an "
                              "enumeration is one)");
        static_assert(early || is_local<P, Context, Event>,
                      "hsm: a hook cannot take a parameter of this type: it takes Context&, a local, hsm::step<Context>&, "
                      "the elapsed time (updates) or the event (after .on<Event>())");
        return false;
    }
}

/// A hook that takes a class, but not the context, most likely belongs to another context. Guards may take a local alone.
template <class Context, class Event, class... A> constexpr bool check_has_context(arguments<A...>) {
    constexpr bool fits = (is_context<A, Context> || ...) || !(is_local<A, Context, Event> || ...);
    static_assert(fits, "hsm: this hook takes a class, but not the machine's Context& (is it written for another context?)");
    return fits;
}

template <class P, class Context, class Event>
decltype(auto) argument(machine& m, step<Context>& here) {
    using T = std::remove_cvref_t<P>;
    if constexpr (is_event<P, Event>)
        return event_of<T>(m);
    else if constexpr (is_context<P, Context>)
        return static_cast<T&>(*static_cast<Context*>(m.context));
    else if constexpr (std::is_same_v<T, time_span> || duration_like<T>)
        return static_cast<T>(time_span::from_nanoseconds(m.moment().elapsed));
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<double>(m.moment().elapsed) / 1e9);
    else if constexpr (is_step<T>)
        return (here);
    else
        return *static_cast<T*>(m.chart->host->local(m, m.moment().state, local_type_of<T>));
}

template <class Context, class Event, class Call, class... A>
decltype(auto) with_arguments(machine& m, const Call& call, arguments<A...>) {
    [[maybe_unused]] step<Context> here(m);
    return call(argument<A, Context, Event>(m, here)...);
}

template <class F, class Context, class Event> constexpr bool takes_event() {
    if constexpr (std::is_same_v<Event, no_event>)
        return false;
    else
        return std::is_invocable_v<const F&, Context&, const Event&>;
}

template <class Role, class F, class Context> constexpr bool takes_step() {
    if constexpr (std::is_same_v<Role, as_guard>)
        return false;
    else
        return std::is_invocable_v<const F&, Context&, step<Context>&>;
}

/// Callables without a readable signature (generic lambdas, overloaded operators): context alone, or with the event or step.
template <class Role, class Context, class Event, class F> decltype(auto) call_generic(const F& fn, machine& m) {
    constexpr bool guards = std::is_same_v<Role, as_guard>;
    using context = std::conditional_t<guards, const Context, Context>;
    auto& c = *static_cast<context*>(m.context);
    if constexpr (std::is_invocable_v<const F&, context&>) {
        return fn(c);
    } else if constexpr (takes_event<F, context, Event>()) {
        return fn(c, event_of<Event>(m));
    } else if constexpr (takes_step<Role, F, Context>()) {
        step<Context> here(m);
        return fn(c, here);
    } else {
        static_assert(!std::is_same_v<F, F>,
                      "hsm: this cannot be called with (Context&), nor with (Context&, const Event&) once .on<Event>() has "
                      "named the event, nor, unless it is a guard, with (Context&, hsm::step<Context>&)");
        if constexpr (guards) return false;
    }
}

/// Calls a member of the context or of a local: which of the two, its class says.
template <class Context, class Event, class Member> decltype(auto) call_member(Member member, machine& m) {
    using sig = signature<Member>;
    using object = typename sig::object;
    object* self = nullptr;
    if constexpr (is_context<object, Context>)
        self = static_cast<Context*>(m.context);
    else
        self = static_cast<object*>(m.chart->host->local(m, m.moment().state, local_type_of<object>));
    if constexpr (sig::kind == callable_kind::member_data)
        return (self->*member);
    else
        return with_arguments<Context, Event>(
            m, [self, member](auto&&... a) -> decltype(auto) { return (self->*member)(std::forward<decltype(a)>(a)...); },
            typename sig::args{});
}

template <class Role, class Context, class Event, class F> decltype(auto) call(const F& fn, machine& m) {
    if constexpr (std::is_member_pointer_v<F>)
        return call_member<Context, Event>(fn, m);
    else if constexpr (has_signature<F>)
        return with_arguments<Context, Event>(m, fn, typename signature<F>::args{});
    else
        return call_generic<Role, Context, Event>(fn, m);
}

template <class Role, class Context, class Event, class... A> constexpr bool check_each(arguments<A...>) {
    constexpr bool few = sizeof...(A) < 16; // with the object of a member, all of them fit into a needs_list
    static_assert(few, "hsm: a hook takes fewer than 16 parameters");
    if constexpr (few) return (check_parameter<Role, Context, Event, A>() && ...);
    return false;
}

template <class Role, class Context, class Event, class F> constexpr bool check_callable() {
    if constexpr (has_signature<F>) {
        using sig = signature<F>;
        using parameters = typename sig::args;
        constexpr bool guards = std::is_same_v<Role, as_guard>;
        constexpr bool callable = sig::kind != callable_kind::functor || sig::is_const;
        static_assert(callable, "hsm: a hook must be callable as const, because a chart is shared by all its agents: a mutable "
                                "lambda has nowhere to keep its changes; keep them in the context or in a local");
        constexpr bool changes_nothing = !callable || !guards || sig::is_const;
        static_assert(changes_nothing,
                      "hsm: a member function used as a guard must be const: deciding must not change what is decided upon");
        constexpr bool answers = !guards || std::is_constructible_v<bool, typename sig::result>;
        static_assert(answers, "hsm: a guard says yes or no: it returns what converts to bool");
        constexpr bool fits = check_each<Role, Context, Event>(parameters{});
        if constexpr (fits && !guards && !std::is_member_pointer_v<F>)
            return check_has_context<Context, Event>(parameters{}) && callable;
        else
            return callable && changes_nothing && answers && fits;
    } else {
        return true; // see call_generic
    }
}

/// What an update returns may be the state to go to next.
template <class Result> constexpr bool check_successor() {
    constexpr bool fits = std::is_convertible_v<Result, successor>;
    static_assert(fits, "hsm: an update returns nothing, or the state to go to next: a state, a pointer to one, an enumerator, "
                        "an optional of it, or hsm::successor");
    return fits;
}

struct needs_list {
    static constexpr std::uint32_t most = 16;
    const local_type* locals[most] = {};
    std::uint32_t count = 0; ///< can exceed what there is room for
    bool moment = false;

    constexpr void add(const local_type& type) {
        moment = true;
        if (count < most) locals[count] = &type;
        ++count;
    }
    constexpr bool fits() const { return count <= most; }
};

template <class Context, class Event, class P> constexpr void add_parameter(needs_list& list) {
    if constexpr (is_local<P, Context, Event>)
        list.add(local_type_of<std::remove_cvref_t<P>>);
    else if constexpr (is_elapsed<P> || is_step<std::remove_cvref_t<P>>)
        list.moment = true;
}

template <class Context, class Event, class... A> constexpr void add_parameters(needs_list& list, arguments<A...>) {
    (add_parameter<Context, Event, A>(list), ...);
}

template <class Context, class Event, class F> constexpr needs_list needs_of_callable() {
    needs_list list;
    if constexpr (has_signature<F>) {
        using sig = signature<F>;
        if constexpr (std::is_member_pointer_v<F>) add_parameter<Context, Event, typename sig::object>(list);
        add_parameters<Context, Event>(list, typename sig::args{});
    } else {
        list.moment = true; // it cannot be told
    }
    return list;
}

/// The list as a hook carries it. Nothing is stored for the many hooks that want no local.
template <const needs_list& List> constexpr hook_needs view_of() {
    if constexpr (List.count == 0)
        return {nullptr, 0, List.moment};
    else
        return {List.locals, List.count, true};
}

template <class Context, class Event, class F>
inline constexpr needs_list needs = needs_of_callable<Context, Event, F>();

/// Callables without data of their own need no storage: they are made anew where they are called.
template <class F> inline constexpr bool stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class F> void release_callable(const void* self) noexcept { delete static_cast<const F*>(self); }

template <class F> const F& callable_at(const void* self) { return *static_cast<const F*>(self); }

template <class Role, class Context, class Event, class F> void call_hook(const F& fn, machine& m) {
    using result_type = decltype(call<Role, Context, Event>(fn, m));
    if constexpr (std::is_same_v<Role, as_update> && !std::is_void_v<result_type>) {
        if constexpr (check_successor<result_type>())
            if (const successor next = call<Role, Context, Event>(fn, m)) m.moment().next = next;
    } else {
        call<Role, Context, Event>(fn, m);
    }
}

/// Does an update return the state to go to next?
template <class Context, class F> constexpr bool names_successor_of() {
    if constexpr (has_signature<F>)
        return !std::is_void_v<typename signature<F>::result>;
    else
        return !std::is_void_v<decltype(call<as_update, Context, no_event>(std::declval<const F&>(), std::declval<machine&>()))>;
}
template <class Context, class F> inline constexpr bool names_successor = names_successor_of<Context, F>();

template <class Erased, auto Thunk, class F> Erased erase(F&& fn, hook_needs wants) {
    using type = std::decay_t<F>;
    if constexpr (stateless<type>)
        return Erased(Thunk, nullptr, nullptr, wants);
    else
        return Erased(Thunk, new type(std::forward<F>(fn)), &release_callable<type>, wants);
}

/// An update may return the state to go to next; its hook keeps a moment to put it in.
template <class Role, class Context, class F> constexpr bool returns_successor() {
    if constexpr (std::is_same_v<Role, as_update>)
        return names_successor<Context, F>;
    else
        return false;
}

template <class Role, class Context, class Event, class F> const op* hook_op(const op* at, machine& m) {
    m.at = at;
    if constexpr (stateless<F>)
        call_hook<Role, Context, Event>(F{}, m);
    else
        call_hook<Role, Context, Event>(callable_at<F>(at->self), m);
    at = next(at);
    HSM_PROCEED(at);
}

template <class Role, class Context, class Event = no_event, class F> hook make_hook(F&& fn) {
    using type = std::decay_t<F>;
    if constexpr (check_callable<Role, Context, Event, type>()) {
        auto wants = view_of<needs<Context, Event, type>>();
        wants.moment = wants.moment || returns_successor<Role, Context, type>();
        return erase<hook, &hook_op<Role, Context, Event, type>>(std::forward<F>(fn), wants);
    } else {
        return {};
    }
}

} // namespace detail

} // namespace hsm
