/// Composition of guards: `all(...)`, `any(...)` and `no(...)` take every form of guard, and can be nested.
#pragma once

#include <hsm/define/detail/bind.hpp>

namespace hsm {

template <class... G> struct all_of { detail::pack<G...> parts; };
template <class... G> struct any_of { detail::pack<G...> parts; };
template <class G> struct negation { G part; };

/// A guard that holds if every part holds. It calls the parts from left to right until one is false.
template <class... G> constexpr all_of<std::decay_t<G>...> all(G&&... parts) { return {{std::forward<G>(parts)...}}; }
/// A guard that holds if at least one part holds. It calls the parts from left to right until one is true.
template <class... G> constexpr any_of<std::decay_t<G>...> any(G&&... parts) { return {{std::forward<G>(parts)...}}; }
/// A guard that holds if its part does not hold.
template <class G> constexpr negation<std::decay_t<G>> no(G&& part) { return {std::forward<G>(part)}; }

namespace detail {

template <class... Part> constexpr needs_list needs_of_parts() {
    needs_list list;
    (list.add(Part::needs), ...);
    return list;
}

template <class... Part> constexpr bool check_parts() {
    constexpr bool fits = (Part::fits && ...);
    constexpr bool few = !fits || needs_of_parts<Part...>().fits();
    static_assert(few, "hsm: a guard takes at most 16 locals in all its parts together");
    return fits && few;
}

template <class... Part> struct composed_form {
    static constexpr bool fits = check_parts<Part...>();
    static constexpr needs_list needs = needs_of_parts<Part...>();
};

template <class Context, class Event, class G> bool ask(const G& part, machine& m) {
    return static_cast<bool>(form_of<as_guard, Context, Event, G>::template call<G>(std::addressof(part), m));
}

template <class Context, class Event, class... G>
struct form<as_guard, Context, Event, unreadable<all_of<G...>>> : composed_form<form_of<as_guard, Context, Event, G>...> {
    template <class F> static bool call(const void* self, machine& m) {
        const auto every = [&](const G&... part) { return (ask<Context, Event>(part, m) && ...); };
        return callable_at<F>(self).parts.apply(every);
    }
};

template <class Context, class Event, class... G>
struct form<as_guard, Context, Event, unreadable<any_of<G...>>> : composed_form<form_of<as_guard, Context, Event, G>...> {
    template <class F> static bool call(const void* self, machine& m) {
        const auto some = [&](const G&... part) { return (ask<Context, Event>(part, m) || ...); };
        return callable_at<F>(self).parts.apply(some);
    }
};

template <class Context, class Event, class G>
struct form<as_guard, Context, Event, unreadable<negation<G>>> : composed_form<form_of<as_guard, Context, Event, G>> {
    template <class F> static bool call(const void* self, machine& m) { return !ask<Context, Event>(callable_at<F>(self).part, m); }
};

} // namespace detail

} // namespace hsm
