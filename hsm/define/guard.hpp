/// Guards, and their composition: `all(...)`, `any(...)` and `no(...)` take every form of guard, also each other.
#pragma once

#include <hsm/define/bind.hpp>

#include <tuple>

namespace hsm {

template <class... G> struct all_of {
    std::tuple<G...> parts;
};
template <class... G> struct any_of {
    std::tuple<G...> parts;
};
template <class G> struct negation {
    G part;
};

/// Holds when every part does; parts are asked from left to right, until one refuses.
template <class... G> all_of<std::decay_t<G>...> all(G&&... parts) { return {{std::forward<G>(parts)...}}; }
/// Holds when at least one part does; parts are asked from left to right, until one agrees.
template <class... G> any_of<std::decay_t<G>...> any(G&&... parts) { return {{std::forward<G>(parts)...}}; }
/// Holds when the part does not.
template <class G> negation<std::decay_t<G>> no(G&& part) { return {std::forward<G>(part)}; }

namespace detail {

/// One form of guard: how it is checked, what it wants, how it is asked.
template <class Context, class Event, class G> struct guard_form {
    static constexpr bool check() {
        constexpr bool callable = has_signature<G> || std::is_class_v<G>;
        static_assert(callable, "hsm: a guard is a callable or a member pointer that says yes or no");
        return callable && check_callable<as_guard, Context, Event, G>();
    }
    static constexpr void want(needs_list& list) {
        const auto mine = needs_of_callable<Context, Event, G>();
        for (std::uint32_t i = 0; i < mine.count && mine.fits(); ++i) list.add(*mine.locals[i]);
    }
    static bool ask(const G& g, machine& m) { return static_cast<bool>(call<as_guard, Context, Event>(g, m)); }
};

template <class Context, class Event, class... G> struct composed_form {
    static constexpr bool check() { return (guard_form<Context, Event, G>::check() && ...); }
    static constexpr void want(needs_list& list) { (guard_form<Context, Event, G>::want(list), ...); }
};

template <class Context, class Event, class... G>
struct guard_form<Context, Event, all_of<G...>> : composed_form<Context, Event, G...> {
    static bool ask(const all_of<G...>& g, machine& m) {
        return std::apply([&](const G&... part) { return (guard_form<Context, Event, G>::ask(part, m) && ...); }, g.parts);
    }
};

template <class Context, class Event, class... G>
struct guard_form<Context, Event, any_of<G...>> : composed_form<Context, Event, G...> {
    static bool ask(const any_of<G...>& g, machine& m) {
        return std::apply([&](const G&... part) { return (guard_form<Context, Event, G>::ask(part, m) || ...); }, g.parts);
    }
};

template <class Context, class Event, class G>
struct guard_form<Context, Event, negation<G>> : composed_form<Context, Event, G> {
    static bool ask(const negation<G>& g, machine& m) { return !guard_form<Context, Event, G>::ask(g.part, m); }
};

template <class Context, class Event, class G> constexpr needs_list guard_locals() {
    needs_list list;
    guard_form<Context, Event, G>::want(list);
    return list;
}
template <class Context, class Event, class G> inline constexpr needs_list guard_list = guard_locals<Context, Event, G>();

/// Does it take a class that is not the context? Then, for want of an event, it is taken for a local.
template <class Context, class G> inline constexpr bool takes_local = guard_list<Context, no_event, G>.count > 0;

template <class Form, class G> bool ask_at(const op* at, machine& m) {
    m.at = at;
    if constexpr (stateless<G>)
        return Form::ask(G{}, m);
    else
        return Form::ask(callable_at<G>(at->self), m);
}

template <class Context, class Event, class G> const op* guard_op(const op* at, machine& m) {
    if (ask_at<guard_form<Context, Event, G>, G>(at, m)) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

template <class Context, class Event = no_event, class G> guard make_guard(G&& g) {
    using type = std::decay_t<G>;
    if constexpr (guard_form<Context, Event, type>::check()) {
        constexpr bool fits = guard_list<Context, Event, type>.fits();
        static_assert(fits, "hsm: a guard takes at most 16 locals, all its parts together");
        if constexpr (fits)
            return erase<guard, &guard_op<Context, Event, type>>(std::forward<G>(g), view_of<guard_list<Context, Event, type>>());
    }
    return {};
}

} // namespace detail

} // namespace hsm
