/// A hook or a guard of a constant chart: a pointer that the compiler knows, so that it can put the code behind it where it is called.
///
/// Lambdas without captures and other classes without data are made anew where they are called; of function and member
/// pointers the pointer is kept. What they may take is what parameters.hpp lists, without locals and the step.
#pragma once

#include <hsm/define/when.hpp>

#include <cstdint>

namespace hsm::detail {

/// What a hook is called with beside the context: the event's payload; the value of an event that is an enumerator, or the
/// elapsed nanoseconds of an update.
struct constant_call {
    const void* payload = nullptr;
    std::int64_t number = 0;
};

template <class Context> struct constant_hook {
    void (*thunk)(Context&, const constant_call&) = nullptr;
    void (*function)(Context&) = nullptr;
    void (*reader)(const Context&) = nullptr;
    void (Context::*member)() = nullptr;
    void (Context::*const_member)() const = nullptr;
    bool takes_event = false;
    bool takes_elapsed = false;

    [[gnu::always_inline]] inline void operator()(Context& c, const constant_call& call) const noexcept {
        if (thunk) return thunk(c, call);
        if (function) return function(c);
        if (reader) return reader(c);
        if (member) return (c.*member)();
        (c.*const_member)();
    }
};

/// A guard, or several: a tree. Index -1: none.
template <class Context> struct constant_guard {
    enum kind_of : std::uint8_t { asks, all, any, no } kind = asks;
    std::int32_t part = -1; ///< the first, of what is composed
    std::int32_t next = -1; ///< the next part of the same whole, or the next guard of the same transition
    bool (*thunk)(const Context&, const constant_call&) = nullptr;
    bool (*function)(const Context&) = nullptr;
    bool Context::*data = nullptr;
    bool (Context::*member)() const = nullptr;
    bool takes_event = false;

    [[gnu::always_inline]] inline bool operator()(const Context& c, const constant_call& call) const noexcept {
        if (thunk) return thunk(c, call);
        if (function) return function(c);
        if (data) return c.*data;
        return (c.*member)();
    }
};

template <class P, class Context, class Event, class Given> [[gnu::always_inline]] inline decltype(auto) constant_argument(Given& c, const constant_call& call) {
    using type = std::remove_cvref_t<P>;
    if constexpr (is_event<P, Event> && std::is_enum_v<type>)
        return static_cast<type>(call.number);
    else if constexpr (is_event<P, Event>)
        return *static_cast<const type*>(call.payload);
    else if constexpr (is_context<P, Context>)
        return static_cast<std::conditional_t<std::is_const_v<Given>, const type, type>&>(c);
    else if constexpr (std::is_floating_point_v<type>)
        return static_cast<type>(static_cast<double>(call.number) / 1e9);
    else
        return static_cast<type>(time_span::from_nanoseconds(call.number));
}

template <class Role, class Context, class Event, class F, class Signature> struct constant_form;

/// Says in words what a constant chart's hooks cannot take.
template <class Context, class Event, class... A> constexpr bool check_constant_parameters(arguments<A...>) {
    constexpr bool no_step = !(is_step<std::remove_cvref_t<A>> || ...);
    static_assert(no_step,
                  "hsm: the hooks of a constant chart take no hsm::step: use the context, or hsm::compile");
    constexpr bool no_local = !((is_local<A, Context, Event> && !is_step<std::remove_cvref_t<A>>) || ...);
    static_assert(no_local,
                  "hsm: a constant chart has no locals: keep the data in the context, or use hsm::compile (an event is taken after .on<Event>())");
    return no_step && no_local;
}

template <class Role, class Context, class Event, class F, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct constant_form<Role, Context, Event, F, callable_signature<Kind, Object, Const, Result, A...>> {
    static constexpr bool fits = form_of<Role, Context, Event, F>::fits && check_constant_parameters<Context, Event>(arguments<A...>{});

    static constexpr bool takes_event = (is_event<A, Event> || ...);
    static constexpr bool takes_elapsed = (is_elapsed<A> || ...);

    template <class Given> [[gnu::always_inline]] static inline decltype(auto) call(Given& c, const constant_call& with) {
        return F{}(constant_argument<A, Context, Event>(c, with)...);
    }
};

/// Generic lambdas and overloaded operators are given the context, or the context and the event.
template <class Role, class Context, class Event, class F> struct constant_form<Role, Context, Event, F, unreadable<F>> {
    static constexpr bool alone = std::is_invocable_v<const F&, std::conditional_t<only_looks<Role>, const Context&, Context&>>;
    static constexpr bool takes_event = !alone;
    static constexpr bool takes_elapsed = false;
    static constexpr bool fits = alone || detail::takes_event<F, Context, Event>();
    static_assert(fits,
                  "hsm: this cannot be called with (Context&), nor with (Context&, const Event&) once .on<Event>() has named the event");

    template <class Given> [[gnu::always_inline]] static inline decltype(auto) call(Given& c, const constant_call& with) {
        if constexpr (alone)
            return F{}(c);
        else
            return F{}(c, constant_argument<const Event&, Context, Event>(c, with));
    }
};

template <class Form, class Context> inline void constant_thunk(Context& c, const constant_call& call) { Form::call(c, call); }
template <class Form, class Context> inline bool constant_question(const Context& c, const constant_call& call) {
    return static_cast<bool>(Form::call(c, call));
}

template <class Role, class F> constexpr bool check_constant_callable() {
    constexpr bool constant = stateless<F> || !std::is_class_v<F>;
    static_assert(constant,
                  "hsm: a constant chart has no place for what a hook captures: capture nothing, or use hsm::compile");
    return constant;
}

template <class Role, class Context, class Event = no_event, class F> constexpr auto constant_bind(F f) {
    constant_hook<Context> h;
    if constexpr (check_constant_callable<Role, F>()) {
        if constexpr (stateless<F>) {
            using form = constant_form<Role, Context, Event, F, signature<F>>;
            if constexpr (form::fits) {
                constexpr bool done = std::is_void_v<decltype(form::call(std::declval<Context&>(), constant_call{}))> || !std::is_same_v<Role, as_update>;
                static_assert(done,
                              "hsm: the updates of a constant chart return nothing: use a transition, or hsm::compile");
                h.thunk = &constant_thunk<form, Context>;
                h.takes_event = form::takes_event;
                h.takes_elapsed = form::takes_elapsed;
            }
        } else if constexpr (std::is_convertible_v<F, void (*)(Context&)>) {
            h.function = f;
        } else if constexpr (std::is_convertible_v<F, void (*)(const Context&)>) {
            h.reader = f;
        } else if constexpr (std::is_convertible_v<F, void (Context::*)()>) {
            h.member = f;
        } else if constexpr (std::is_convertible_v<F, void (Context::*)() const>) {
            h.const_member = f;
        } else {
            static_assert(!std::is_same_v<F, F>,
                          "hsm: a constant chart takes function pointers as void (Context&) and member functions as "
                                                 "void (), of the context: write a lambda around it");
        }
    }
    return h;
}

template <class Context, class Event, class F> constexpr auto constant_bind_guard(F f) {
    constant_guard<Context> g;
    if constexpr (names_condition<F>) {
        static_assert(!names_condition<F>,
                      "hsm: a constant chart has no conditions by name: keep a bool in the context, or use hsm::compile");
    } else if constexpr (check_constant_callable<as_guard, F>()) {
        if constexpr (stateless<F>) {
            using form = constant_form<as_guard, Context, Event, F, signature<F>>;
            if constexpr (form::fits) {
                g.thunk = &constant_question<form, Context>;
                g.takes_event = form::takes_event;
            }
        } else if constexpr (std::is_convertible_v<F, bool (*)(const Context&)>) {
            g.function = f;
        } else if constexpr (std::is_convertible_v<F, bool Context::*>) {
            g.data = f;
        } else if constexpr (std::is_convertible_v<F, bool (Context::*)() const>) {
            g.member = f;
        } else {
            static_assert(!std::is_same_v<F, F>,
                          "hsm: a constant chart takes guards as bool (const Context&), bool () const of the context, or a bool "
                                                 "of the context: write a lambda around it");
        }
    }
    return g;
}

} // namespace hsm::detail
