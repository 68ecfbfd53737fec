/// Hooks that are members of a class: `enter`, `update`, `exit` and `finished` of a node, or of a local.
///
/// They are found at compile time and are never virtual. A member with one of these names that cannot be the hook is a compile error, because a hook
/// that is silently not called is hard to find.
#pragma once

#include <hsm/define/guard.hpp>
#include <hsm/define/state_base.hpp>

#include <type_traits>

namespace hsm::detail {

template <class Context, class... A> inline constexpr bool is_among = (std::is_base_of_v<std::remove_cvref_t<A>, Context> || ...);

template <class Member, class Context> inline constexpr bool takes_context = false;
template <class R, class T, class... A, class Context> inline constexpr bool takes_context<R (T::*)(A...), Context> = is_among<Context, A...>;
template <class R, class T, class... A, class Context> inline constexpr bool takes_context<R (T::*)(A...) const, Context> = is_among<Context, A...>;
template <class R, class T, class... A, class Context>
inline constexpr bool takes_context<R (T::*)(A...) noexcept, Context> = is_among<Context, A...>;
template <class R, class T, class... A, class Context>
inline constexpr bool takes_context<R (T::*)(A...) const noexcept, Context> = is_among<Context, A...>;
template <class R, class... A, class Context> inline constexpr bool takes_context<R (*)(A...), Context> = is_among<Context, A...>;
template <class R, class... A, class Context> inline constexpr bool takes_context<R (*)(A...) noexcept, Context> = is_among<Context, A...>;

#define HSM_NEAR_MISS(name, hook)                                                                                                                    \
    if constexpr (requires { &T::name; })                                                                                                            \
        static_assert(!takes_context<decltype(&T::name), Context>, "hsm: " #name " takes the context, but is not a hook: the hook is named " #hook   \
                                                                   ". (If this is intended, see hsm::allows_similar_names.)");

/// Finds members with names similar to hooks: `on_enter`, `onEnter`, `Enter`, ... A member with such a name that takes the context is a compile
/// error, because a hook that is silently never called is hard to find.
template <class T, class Context> constexpr void check_similar_names() {
    HSM_NEAR_MISS(on_enter, enter)
    HSM_NEAR_MISS(onEnter, enter)
    HSM_NEAR_MISS(OnEnter, enter)
    HSM_NEAR_MISS(Enter, enter)
    HSM_NEAR_MISS(entry, enter)
    HSM_NEAR_MISS(on_entry, enter)
    HSM_NEAR_MISS(onEntry, enter)
    HSM_NEAR_MISS(OnEntry, enter)
    HSM_NEAR_MISS(on_update, update)
    HSM_NEAR_MISS(onUpdate, update)
    HSM_NEAR_MISS(OnUpdate, update)
    HSM_NEAR_MISS(Update, update)
    HSM_NEAR_MISS(on_exit, exit)
    HSM_NEAR_MISS(onExit, exit)
    HSM_NEAR_MISS(OnExit, exit)
    HSM_NEAR_MISS(Exit, exit)
    HSM_NEAR_MISS(is_finished, finished)
    HSM_NEAR_MISS(isFinished, finished)
    HSM_NEAR_MISS(IsFinished, finished)
    HSM_NEAR_MISS(Finished, finished)
}

#undef HSM_NEAR_MISS

// Tests whether T has a member named enter in any form: the name is then ambiguous in a class that derives from T and from another class with a
// member of that name.
struct named_enter {
    int enter;
};
struct named_update {
    int update;
};
struct named_exit {
    int exit;
};
struct named_finished {
    int finished;
};
template <class T, class Named> struct probe : T, Named {};

// A type with that name is ignored. The test needs a derived class: in T itself, the name of T is its constructor.
template <class T> struct heir : T {};
template <class T>
concept mentions_enter = !requires {
    &probe<T, named_enter>::enter;
}
&&!requires { typename heir<T>::enter; };
template <class T>
concept mentions_update = !requires {
    &probe<T, named_update>::update;
}
&&!requires { typename heir<T>::update; };
template <class T>
concept mentions_exit = !requires {
    &probe<T, named_exit>::exit;
}
&&!requires { typename heir<T>::exit; };
template <class T>
concept mentions_finished = !requires {
    &probe<T, named_finished>::finished;
}
&&!requires { typename heir<T>::finished; };

/// How a member function of a node (the op's object) or of a local (which is looked up) is called.
template <class T, class Context, auto Member, class Signature = signature<decltype(Member)>> struct member_form;

template <class T, class Context, auto Member, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct member_form<T, Context, Member, callable_signature<Kind, Object, Const, Result, A...>> {
    static constexpr bool of_node = std::is_base_of_v<state_base, T>;
    static constexpr needs_list needs = [] {
        auto list = needs_of<Context, no_event>(arguments<A...>{}, !std::is_void_v<Result>); // a result is stored in the hook context
        if constexpr (!of_node) list.add(local_type_of<T>);
        return list;
    }();

    template <class> static Result call([[maybe_unused]] const void* node, machine& m) {
        const auto member = Member;
        if constexpr (of_node)
            return (static_cast<const T*>(node)->*member)(argument<A, Context, no_event>(m)...);
        else
            return (local_of<T>(m).*member)(argument<A, Context, no_event>(m)...);
    }
};

template <class Role, class T, class Context, auto Member> constexpr bool check_member() {
    using type = decltype(Member);
    constexpr bool guards = std::is_same_v<Role, as_guard>;
    constexpr bool function = std::is_member_function_pointer_v<type>;
    static_assert(function, "hsm: enter, update, exit and finished are the names of hooks: a member with such a name must be a "
                            "non-static member function");
    if constexpr (function) {
        using sig = signature<type>;
        using parameters = typename sig::args;
        constexpr bool shared = !std::is_base_of_v<state_base, T> || sig::is_const;
        static_assert(shared, "hsm: the hooks of a node must be const: all instances share a node; store changing data in the "
                              "context or in a local");
        constexpr bool changes_nothing = !shared || !guards || sig::is_const;
        static_assert(changes_nothing, "hsm: finished() must be const: it must not change the object");
        constexpr bool answers = !guards || std::is_constructible_v<bool, typename sig::result>;
        static_assert(answers, "hsm: finished() returns bool or a type that converts to bool");
        constexpr bool fits = check_each<Role, Context, no_event>(parameters{});
        if constexpr (fits && !guards)
            return check_has_context<Context, no_event>(parameters{}) && shared;
        else
            return shared && changes_nothing && answers && fits;
    }
    return false;
}

template <class Role, class T, class Context, auto Member, class Add> void bind_member(const T* self, Add add) {
    if constexpr (check_member<Role, T, Context, Member>()) {
        using form = member_form<T, Context, Member>;
        add({&Role::template run<form, T>, self, nullptr, wants<form>});
    }
}

template <class T, class Context> void bind_each_class_hook(state_base& state, const T* self) {
    if constexpr (mentions_enter<T>) {
        static_assert(
            requires { &T::enter; }, "hsm: the member enter cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::enter; })
            bind_member<as_hook, T, Context, &T::enter>(self, [&](const bound_op& h) { state.add_hook(hook_kind::enter, h); });
    }
    if constexpr (mentions_update<T>) {
        static_assert(
            requires { &T::update; }, "hsm: the member update cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::update; })
            bind_member<as_update, T, Context, &T::update>(self, [&](const bound_op& h) {
                if constexpr (!std::is_void_v<typename signature<decltype(&T::update)>::result>) state.set_names_successor();
                state.add_hook(hook_kind::update, h);
            });
    }
    if constexpr (mentions_exit<T>) {
        static_assert(
            requires { &T::exit; }, "hsm: the member exit cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::exit; })
            bind_member<as_hook, T, Context, &T::exit>(self, [&](const bound_op& h) { state.add_hook(hook_kind::exit, h); });
    }
    if constexpr (mentions_finished<T>) {
        static_assert(
            requires { &T::finished; }, "hsm: the member finished cannot be used as a hook: it is private, overloaded or a template");
        if constexpr (requires { &T::finished; })
            bind_member<as_guard, T, Context, &T::finished>(self, [&](const bound_op& g) { state.add_predicate(g); });
    }
}

/// Binds the class hooks of T to `state`. `self` is the node, or null for a local. A node's state can then be found by its class.
template <class T, class Context> void bind_class_hooks(state_base& state, const T* self) {
    if constexpr (std::is_base_of_v<state_base, T>) state.set_class(class_tag_of<T>());
    static_assert(!std::is_final_v<T>, "hsm: a node or local with hooks cannot be a final class: hsm cannot find its hooks");
    if constexpr (!std::is_final_v<T>) bind_each_class_hook<T, Context>(state, self);
    if constexpr (!allows_similar_names<T>) check_similar_names<T, Context>();
}

} // namespace hsm::detail
