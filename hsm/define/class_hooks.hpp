/// Hooks that are members of a class: `enter`, `update`, `exit` and `finished` of a node, or of a local.
///
/// They are found at compile time and never virtual. A member of one of these names that cannot serve as the hook is a
/// compile error: a hook that is silently not called is the hardest mistake to find.
#pragma once

#include <hsm/define/guard.hpp>
#include <hsm/define/state_base.hpp>

namespace hsm::detail {

// "Does T have a member named enter, in whatever form?": the name is ambiguous in a class that derives from T and from
// another class with a member of that name.
struct named_enter { int enter; };
struct named_update { int update; };
struct named_exit { int exit; };
struct named_finished { int finished; };
template <class T, class Named> struct probe : T, Named {};

// A type of that name is none of our business. (In T itself, the name of T would be that of its constructor.)
template <class T> struct heir : T {};
template <class T> concept mentions_enter = !requires { &probe<T, named_enter>::enter; } && !requires { typename heir<T>::enter; };
template <class T> concept mentions_update = !requires { &probe<T, named_update>::update; } && !requires { typename heir<T>::update; };
template <class T> concept mentions_exit = !requires { &probe<T, named_exit>::exit; } && !requires { typename heir<T>::exit; };
template <class T> concept mentions_finished = !requires { &probe<T, named_finished>::finished; } && !requires { typename heir<T>::finished; };

/// Calls member function Member of a node (the op's object) or of a local (which is looked up).
template <class T, class Context, auto Member> struct member_hook {
    using sig = signature<decltype(Member)>;

    static decltype(auto) call(const op* at, machine& m) {
        m.at = at;
        const auto on = [&](auto& object) -> decltype(auto) {
            return with_arguments<Context, no_event>(
                m, [&object, member = Member](auto&&... a) -> decltype(auto) { return (object.*member)(std::forward<decltype(a)>(a)...); },
                typename sig::args{});
        };
        if constexpr (std::is_base_of_v<state_base, T>)
            return on(*static_cast<const T*>(at->self));
        else
            return on(*static_cast<T*>(m.chart->host->local(m, m.moment().state, local_type_of<T>)));
    }
    static const op* run(const op* at, machine& m) {
        call(at, m);
        at = next(at);
        HSM_PROCEED(at);
    }
    static const op* update(const op* at, machine& m) {
        using result_type = decltype(call(at, m));
        if constexpr (std::is_void_v<result_type>) {
            call(at, m);
        } else if constexpr (check_successor<result_type>()) {
            if (const successor next = call(at, m)) m.moment().next = next;
        }
        at = next(at);
        HSM_PROCEED(at);
    }
    static const op* ask(const op* at, machine& m) {
        if (static_cast<bool>(call(at, m))) HSM_PROCEED(at + 2);
        HSM_PROCEED(at[1].target);
    }
};

template <class Role, class T, class Context, auto Member> constexpr bool check_member() {
    using type = decltype(Member);
    constexpr bool guards = std::is_same_v<Role, as_guard>;
    constexpr bool function = std::is_member_function_pointer_v<type>;
    static_assert(function, "hsm: enter, update, exit and finished are the names of hooks: a member of that name must be a member "
                            "function, and not a static one");
    if constexpr (function) {
        using sig = signature<type>;
        using parameters = typename sig::args;
        constexpr bool shared = !std::is_base_of_v<state_base, T> || sig::is_const;
        static_assert(shared, "hsm: the hooks of a node must be const: one node serves all agents; what changes belongs in the "
                              "context or in a local");
        constexpr bool changes_nothing = !shared || !guards || sig::is_const;
        static_assert(changes_nothing, "hsm: finished() must be const: deciding must not change what is decided upon");
        constexpr bool answers = !guards || std::is_constructible_v<bool, typename sig::result>;
        static_assert(answers, "hsm: finished() says yes or no: it returns what converts to bool");
        constexpr bool fits = check_each<Role, Context, no_event>(parameters{});
        if constexpr (fits && !guards)
            return check_has_context<Context, no_event>(parameters{}) && shared;
        else
            return shared && changes_nothing && answers && fits;
    }
    return false;
}

template <class T, class Context, auto Member> inline constexpr needs_list member_needs = [] {
    using sig = signature<decltype(Member)>;
    needs_list list;
    list.moment = !std::is_base_of_v<state_base, T> || !std::is_void_v<typename sig::result>; // to find the local, to keep the result
    add_parameters<Context, no_event>(list, typename sig::args{});
    return list;
}();

template <class Role, class T, class Context, auto Member, class Add> void bind_member(const T* self, Add&& add) {
    if constexpr (check_member<Role, T, Context, Member>()) {
        using member = member_hook<T, Context, Member>;
        constexpr auto wants = view_of<member_needs<T, Context, Member>>();
        if constexpr (std::is_same_v<Role, as_guard>)
            add(guard(&member::ask, self, nullptr, wants));
        else if constexpr (std::is_same_v<Role, as_update>)
            add(hook(&member::update, self, nullptr, wants));
        else
            add(hook(&member::run, self, nullptr, wants));
    }
}

template <class T, class Context> void bind_each_class_hook(state_base& state, const T* self) {
    if constexpr (mentions_enter<T>) {
        static_assert(requires { &T::enter; },
                      "hsm: the member enter cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::enter; })
            bind_member<as_hook, T, Context, &T::enter>(self, [&](hook h) { state.add_hook(hook_kind::enter, std::move(h)); });
    }
    if constexpr (mentions_update<T>) {
        static_assert(requires { &T::update; },
                      "hsm: the member update cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::update; })
            bind_member<as_update, T, Context, &T::update>(self, [&](hook h) {
                if constexpr (!std::is_void_v<typename signature<decltype(&T::update)>::result>) state.set_names_successor();
                state.add_hook(hook_kind::update, std::move(h));
            });
    }
    if constexpr (mentions_exit<T>) {
        static_assert(requires { &T::exit; },
                      "hsm: the member exit cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::exit; })
            bind_member<as_hook, T, Context, &T::exit>(self, [&](hook h) { state.add_hook(hook_kind::exit, std::move(h)); });
    }
    if constexpr (mentions_finished<T>) {
        static_assert(requires { &T::finished; },
                      "hsm: the member finished cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::finished; })
            bind_member<as_guard, T, Context, &T::finished>(self, [&](guard g) { state.add_predicate(std::move(g)); });
    }
}

/// Binds the class hooks of T to `state`. `self` is the node, or null for a local.
template <class T, class Context> void bind_class_hooks(state_base& state, const T* self) {
    static_assert(!std::is_final_v<T>, "hsm: a node or local with hooks cannot be a final class: its hooks could not be found");
    if constexpr (!std::is_final_v<T>) bind_each_class_hook<T, Context>(state, self);
}

} // namespace hsm::detail
