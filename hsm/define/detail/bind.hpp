/// Converts a user's callable to a type-erased hook or guard. parameters.hpp lists the parameters it can have.
///
/// Properties of a signature are in a `form`, which all callables with the same signature share. Each callable adds one function, its op. Large
/// programs have thousands of these; `call` and `bind` are therefore always inlined, which shortens compile times.
#pragma once

#include <hsm/define/detail/parameters.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <cstddef>
#include <utility>

namespace hsm::detail {

/// A minimal tuple. std::tuple is not used because including <tuple> takes about 5 % of the compile time of <hsm/hsm.hpp>.
template <std::size_t I, class T> struct pack_part { [[no_unique_address]] T part; };

template <class Places, class... T> struct pack_at;

template <std::size_t... I, class... T> struct pack_at<std::index_sequence<I...>, T...> : pack_part<I, T>... {
    constexpr pack_at(T... parts) : pack_part<I, T>{static_cast<T&&>(parts)}... {}

    static constexpr std::size_t size() { return sizeof...(T); }
    /// Returns f(parts...).
    template <class F> constexpr decltype(auto) apply(F f) const { return f(static_cast<const pack_part<I, T>&>(*this).part...); }
    template <class F> constexpr decltype(auto) apply(F f) { return f(static_cast<pack_part<I, T>&>(*this).part...); }
};

template <class... T> using pack = pack_at<std::index_sequence_for<T...>, T...>;

/// Callables without data are not stored: each call constructs one.
template <class F>
concept stateless = std::is_empty<F>::value && requires {
    F{};
};

template <stateless F> HSM_ALWAYS_INLINE inline F callable_at(const void*) { return F{}; }
template <class F> HSM_ALWAYS_INLINE inline const F& callable_at(const void* self) { return *static_cast<const F*>(self); }

template <class F> void delete_callable(const void* self) noexcept { delete static_cast<const F*>(self); }

/// The use of callables with this signature in a role: whether they fit, the data that they need, and how they are called.
template <class Role, class Context, class Event, class Signature> struct form;
template <class Role, class Context, class Event, class F> using form_of = form<Role, Context, Event, signature<F>>;

template <class Role, class Context, class Event, class Signature> constexpr bool check_signature() {
    using parameters = typename Signature::args;
    constexpr bool guards = takes_const<Role>;
    constexpr bool callable = Signature::kind != callable_kind::functor || Signature::is_const;
    static_assert(callable, "hsm: a hook must be callable as const, because all instances share a chart: do not use a mutable "
                            "lambda; store changing data in the context or in a local");
    constexpr bool changes_nothing = !callable || !guards || Signature::is_const;
    static_assert(changes_nothing, "hsm: a member function used as a guard must be const: a guard must not change the context");
    constexpr bool answers = !std::is_same_v<Role, as_guard> || std::is_constructible_v<bool, typename Signature::result>;
    static_assert(answers, "hsm: a guard returns bool or a type that converts to bool");
    constexpr bool lasts = !changes_nothing || !is_step<typename Signature::object>;
    static_assert(lasts, "hsm: a member of hsm::step cannot be a hook: write a lambda that takes the step");
    constexpr bool fits = check_each<Role, Context, Event>(parameters{});
    constexpr bool good = callable && changes_nothing && answers && lasts && fits;
    if constexpr (fits && changes_nothing && lasts && !std::is_void_v<typename Signature::object>)
        return check_parameter<Role, Context, Event, typename Signature::object_reference>() && good;
    else if constexpr (fits && !guards && std::is_void_v<typename Signature::object>)
        return check_has_context<Context, Event>(parameters{}) && good;
    else
        return good;
}

template <class Role, class Context, class Event, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct form<Role, Context, Event, callable_signature<Kind, Object, Const, Result, A...>> {
    using own_signature = callable_signature<Kind, Object, Const, Result, A...>;
    static constexpr bool fits = check_signature<Role, Context, Event, own_signature>();
    static constexpr bool uses_result = std::is_same_v<Role, as_update> && !std::is_void_v<Result>;
    static constexpr needs_list needs = needs_of<Context, Event>(arguments<Object, A...>{}, uses_result);
    static constexpr bool takes_scores = (is_scores<std::remove_cvref_t<A>> || ...);

    /// `self` points to the callable, unless it is stateless. The object of a member pointer is found like a parameter.
    template <class F> HSM_ALWAYS_INLINE static Result call(const void* self, machine& m) {
        using object = typename own_signature::object_reference;
        if constexpr (Kind == callable_kind::member_data)
            return argument<object, Context, Event>(m).*callable_at<F>(self);
        else if constexpr (Kind == callable_kind::member_function)
            return (argument<object, Context, Event>(m).*callable_at<F>(self))(argument<A, Context, Event>(m)...);
        else
            return callable_at<F>(self)(argument<A, Context, Event>(m)...);
    }
};

template <class F, class Context, class Event> constexpr bool takes_event() {
    if constexpr (std::is_same_v<Event, no_event>)
        return false;
    else
        return std::is_invocable_v<const F&, Context&, const event_parameter_of<Event>&>;
}

/// `{s}` does not convert to a parameter of type `auto`: the step's type must be written.
template <class F, class Context>
concept takes_step = requires(const F& f, Context& c, step<Context>& s) {
    f(c, {s});
};

/// The parameters with which generic lambdas and overloaded operators are called.
enum class unreadable_call { none, context, event, step };

template <class Role, class Context, class Event, class F> constexpr unreadable_call how_to_call() {
    constexpr bool guards = takes_const<Role>;
    using context = std::conditional_t<guards, const Context, Context>;
    if constexpr (std::is_invocable_v<const F&, context&>)
        return unreadable_call::context;
    else if constexpr (takes_event<F, context, Event>())
        return unreadable_call::event;
    else if constexpr (!guards && takes_step<F, Context>)
        return unreadable_call::step;
    else
        return unreadable_call::none;
}

template <class Role, class Context, class Event, class F> decltype(auto) call_unreadable(const F& fn, machine& m) {
    constexpr auto how = how_to_call<Role, Context, Event, F>();
    auto& c = *static_cast<std::conditional_t<takes_const<Role>, const Context, Context>*>(m.context);
    if constexpr (how == unreadable_call::context) {
        return fn(c);
    } else if constexpr (how == unreadable_call::event) {
        return fn(c, argument<const event_parameter_of<Event>&, Context, Event>(m));
    } else if constexpr (how == unreadable_call::step) {
        step<Context> here(m);
        return fn(c, here);
    } else if constexpr (takes_const<Role>) {
        return false;
    }
}

/// `Context` is const for roles that must not change the context. `More` are the other arguments.
template <class F, class Context, class... More> constexpr bool check_no_copy() {
    constexpr bool by_reference = !takes_copy<F, Context, More...>();
    static_assert(by_reference, "hsm: take the context by reference: changes of a copy are lost");
    return by_reference;
}

template <class Role, class Context, class Event, class F> constexpr bool check_unreadable() {
    constexpr bool callable = std::is_class_v<F> || !std::is_same_v<Role, as_guard>;
    static_assert(callable, "hsm: a guard is a callable or a member pointer that returns bool");
    if constexpr (callable) {
        using context = std::conditional_t<takes_const<Role>, const Context, Context>;
        constexpr auto how = how_to_call<Role, Context, Event, F>();
        constexpr bool known = how != unreadable_call::none;
        static_assert(known, "hsm: this cannot be called with (Context&). Other possible parameters are (Context&, const Event&) after "
                             ".on<Event>(), and (Context&, hsm::step<Context>&) except for a guard. In a generic lambda with several parameters, "
                             "write their types: `auto` can be the elapsed time, the step, a local or the event");
        if constexpr (how == unreadable_call::context) return check_no_copy<F, context>();
        if constexpr (how == unreadable_call::event) return check_no_copy<F, context, const event_parameter_of<Event>&>();
        if constexpr (how == unreadable_call::step) return check_no_copy<F, context, step<Context>&>();
    }
    return false;
}

template <class Role, class Context, class Event, class F> struct form<Role, Context, Event, unreadable<F>> {
    static constexpr bool fits = check_unreadable<Role, Context, Event, F>();
    static constexpr bool takes_scores = false;
    // the parameters are unknown, so everything that they could need is set
    static constexpr needs_list needs = {.hook_context = !std::is_same_v<Role, as_guard> || std::is_same_v<Event, hold_query>,
                                         .step = !std::is_same_v<Role, as_guard>,
                                         .event = !std::is_same_v<Event, hold_query> &&
                                                  how_to_call<Role, Context, Event, F>() == unreadable_call::event};

    template <class> static decltype(auto) call(const void* self, machine& m) {
        return call_unreadable<Role, Context, Event, F>(callable_at<F>(self), m);
    }
};

/// Needs of a callable. Most hooks need no local, and store no list.
template <class Form>
inline constexpr hook_needs wants =
    Form::needs.count == 0 ? hook_needs{nullptr, 0, Form::needs.hook_context, Form::needs.step, Form::needs.event}
                           : hook_needs{Form::needs.locals, Form::needs.count, true, Form::needs.step, Form::needs.event};

// Roles differ in how they use the result of a callable.

struct as_hook {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        m.at = at;
        Form::template call<F>(at->self, m);
        at = next(at);
        HSM_PROCEED(at);
    }
};

struct as_action : as_hook {};

/// Passes the data of a final state to the machine.
struct as_done_data {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        m.at = at;
        m.chart->host->raise_done(m, Form::template call<F>(at->self, m));
        at = next(at);
        HSM_PROCEED(at);
    }
};

template <class Form, class F> using result_of = decltype(Form::template call<F>(nullptr, std::declval<machine&>()));

template <class Context, class F>
concept names_successor = !std::is_void_v<result_of<form_of<as_update, Context, no_event, F>, F>>;

/// Checks that the result of an update converts to `successor`.
template <class Result> constexpr bool check_successor() {
    constexpr bool fits = std::is_convertible_v<Result, successor>;
    static_assert(fits, "hsm: an update returns nothing or the next state: a state, a pointer to one, an enumerator, "
                        "an optional of one of them, or hsm::successor");
    return fits;
}

struct as_update {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        using result = result_of<Form, F>;
        m.at = at;
        if constexpr (std::is_void_v<result>) {
            Form::template call<F>(at->self, m);
        } else if constexpr (check_successor<result>()) {
            if (const successor next = Form::template call<F>(at->self, m)) m.hook_context().next = next;
        }
        at = next(at);
        HSM_PROCEED(at);
    }
};

struct as_guard {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        m.at = at;
        if (static_cast<bool>(Form::template call<F>(at->self, m))) [[unlikely]] // guards of ticks are usually false
            HSM_PROCEED(at + 2);
        HSM_PROCEED(at[1].target);
    }
};

/// True for the parameters that a hook that runs for many agents can have.
template <class P, class Context> inline constexpr bool takes_context_or_time = is_context<P, Context> || is_elapsed<P>;

template <class P, class Context> HSM_ALWAYS_INLINE inline decltype(auto) plain_argument(Context& c, time_span elapsed) {
    using T = std::remove_cvref_t<P>;
    if constexpr (is_context<P, Context>)
        return static_cast<T&>(c);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(static_cast<double>(elapsed.nanoseconds()) / 1e9);
    else
        return static_cast<T>(elapsed);
}

template <class Context, class Signature> struct many_of { static constexpr bool fits = false; };
template <class Context, callable_kind Kind, class Object, bool Const, class... A>
struct many_of<Context, callable_signature<Kind, Object, Const, void, A...>> {
    static constexpr bool fits =
        Kind != callable_kind::member_data && (takes_context_or_time<A, Context> && ...) && (std::is_void_v<Object> || is_context<Object, Context>);

    template <class F> static void run(const void* self, agent_run& agents) {
        auto* const contexts = static_cast<Context*>(agents.contexts);
        const auto elapsed = agents.elapsed;
        const auto& f = callable_at<F>(self);
        const auto interrupts = [&](std::size_t i) {
            agents.at = i;
            if constexpr (Kind == callable_kind::member_function)
                (contexts[i].*f)(plain_argument<A, Context>(contexts[i], elapsed)...);
            else
                f(plain_argument<A, Context>(contexts[i], elapsed)...);
            return agents.interrupted != 0;
        };
        if (!agents.listed) {
            for (auto i = agents.at; i < agents.end; ++i)
                if (interrupts(i)) return;
        } else {
            auto* next = agents.listed;
            do
                if (interrupts(*next++)) return;
            while (agents.at + 1 < agents.end);
        }
        agents.at = agents.end;
    }
};

/// Computes the scores of many agents.
template <class Context, class F> void run_scores(const void* self, agent_run& agents) {
    scores<Context> some(agents);
    callable_at<F>(self)(some);
}

/// Returns the data that a hook needs, and its additional abilities: naming a successor, running for many agents.
template <class Role, class Context, class Event, class F> constexpr hook_needs needs_and_gives() {
    auto all = wants<form_of<Role, Context, Event, F>>;
    if constexpr (std::is_same_v<Role, as_update>) all.answers = names_successor<Context, F>;
    if constexpr (std::is_same_v<Role, as_update>)
        if constexpr (many_of<Context, signature<F>>::fits) all.many = &many_of<Context, signature<F>>::template run<F>;
    if constexpr (std::is_same_v<Role, as_score>)
        if constexpr (form_of<Role, Context, Event, F>::takes_scores) all.many = &run_scores<Context, F>;
    return all;
}

/// Returns the parts of a hook or guard. Casts replace std::move here and in the callers, because each lambda would instantiate it.
template <class Role, class Context, class Event = no_event, class F>
HSM_ALWAYS_INLINE inline bound_op bind([[maybe_unused]] F fn, [[maybe_unused]] origin at = {}) {
    using form = form_of<Role, Context, Event, F>;
    if constexpr (!form::fits)
        return {};
    else if constexpr (stateless<F>)
        return {&Role::template run<form, F>, nullptr, nullptr, needs_and_gives<Role, Context, Event, F>(), at};
    else
        return {&Role::template run<form, F>, new F(static_cast<F&&>(fn)), &delete_callable<F>, needs_and_gives<Role, Context, Event, F>(), at};
}

} // namespace hsm::detail
