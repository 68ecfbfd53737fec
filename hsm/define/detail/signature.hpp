/// Reads the signature of a callable: its parameters, whether it is const, and the class of a member.
#pragma once

#include <type_traits>

namespace hsm::detail {

template <class... A> struct arguments {};

enum class callable_kind { functor, function, member_function, member_data };

/// The properties of a callable. A functor's own class is not included, so lambdas with the same signature share one.
template <callable_kind Kind, class Object, bool Const, class Result, class... A> struct callable_signature {
    using object = Object; ///< the class that it is a member of, or void
    using object_reference = std::add_lvalue_reference_t<std::conditional_t<Const, const Object, Object>>;
    using result = Result;
    using args = arguments<A...>;
    static constexpr bool is_const = Const;
    static constexpr auto kind = Kind;
};

/// The signature of a callable that has none, or several overloads.
template <class F> struct unreadable {};

template <class F> struct signature_of { using type = unreadable<F>; };
template <class F> using signature = typename signature_of<F>::type;

template <class R, class... A> struct signature_of<R (*)(A...)> { using type = callable_signature<callable_kind::function, void, true, R, A...>; };
template <class R, class... A> struct signature_of<R (*)(A...) noexcept> : signature_of<R (*)(A...)> {};

template <class R, class C, class... A> struct signature_of<R (C::*)(A...)> {
    using type = callable_signature<callable_kind::member_function, C, false, R, A...>;
};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...) const> {
    using type = callable_signature<callable_kind::member_function, C, true, R, A...>;
};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...) noexcept> : signature_of<R (C::*)(A...)> {};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...) const noexcept> : signature_of<R (C::*)(A...) const> {};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...)&> : signature_of<R (C::*)(A...)> {};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...)& noexcept> : signature_of<R (C::*)(A...)> {};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...) const&> : signature_of<R (C::*)(A...) const> {};
template <class R, class C, class... A> struct signature_of<R (C::*)(A...) const& noexcept> : signature_of<R (C::*)(A...) const> {};

template <class M, class C>
requires std::is_object_v<M>
struct signature_of<M C::*> {
    using type = callable_signature<callable_kind::member_data, C, true, const M&>;
};

template <class Signature> struct as_functor;
template <callable_kind Kind, class C, bool Const, class R, class... A> struct as_functor<callable_signature<Kind, C, Const, R, A...>> {
    using type = callable_signature<callable_kind::functor, void, Const, R, A...>;
};

/// A function pointer, a member pointer, or an object with exactly one operator(): the parameters are known.
template <class F>
concept has_signature = requires {
    typename signature<F>::args;
};

template <class F>
requires has_signature<decltype(&F::operator())>
struct signature_of<F> : as_functor<signature<decltype(&F::operator())>> {
};

/// True if F has an overload, or a template instance, with exactly these parameters. The body of a generic lambda is compiled only in that case.
template <class F, class Result, class... P>
concept has_overload = requires {
    static_cast<Result (F::*)(P...) const>(&F::operator());
}
|| requires { static_cast<Result (F::*)(P...) const&>(&F::operator()); };

/// An overload with exactly these parameters that is not a template precedes all templates.
template <class F, class Result, class First, class... More> constexpr bool has_plain_overload() {
    if constexpr (requires { static_cast<Result (F::*)(First, More...) const>(&F::operator()); }) {
        constexpr auto chosen = static_cast<Result (F::*)(First, More...) const>(&F::operator());
        if constexpr (requires { static_cast<Result (F::*)(First, More...) const>(&F::template operator()<First>); })
            return chosen != static_cast<Result (F::*)(First, More...) const>(&F::template operator()<First>);
        else
            return true;
    } else {
        return false;
    }
}

/// Tries `fixed` unchanged, and each of the other parameters also by value.
template <class F, class Result, class... Fixed> constexpr bool overloads(arguments<Fixed...>, arguments<>) {
    return has_overload<F, Result, Fixed...>;
}
template <class F, class Result, class... Fixed, class Next, class... More> constexpr bool overloads(arguments<Fixed...>, arguments<Next, More...>) {
    return overloads<F, Result>(arguments<Fixed..., std::remove_cvref_t<Next>>{}, arguments<More...>{}) ||
           overloads<F, Result>(arguments<Fixed..., Next>{}, arguments<More...>{});
}

template <class Signature, class T> inline constexpr bool copies_first = false;
template <callable_kind Kind, class Object, bool Const, class Result, class P, class... A, class T>
inline constexpr bool copies_first<callable_signature<Kind, Object, Const, Result, P, A...>, T> =
    !std::is_reference_v<P> && std::is_base_of_v<std::remove_cv_t<P>, T>;

/// Returns whether F has an overload with exactly these parameters that takes the first one by reference.
template <class F, class Result, class T, class... More> constexpr bool has_reference_overload() {
    if constexpr (overloads<F, Result>(arguments<T&>{}, arguments<More...>{})) // otherwise a body could be compiled for a const T
        return true;
    else
        return overloads<F, Result>(arguments<const T&>{}, arguments<More...>{});
}

/// The template arguments that a generic lambda deduces: `T`, and of `More` those whose parameter is `auto`. They name its signature, which
/// includes parameters with default arguments.
template <class F, class T, class... Deduced> constexpr bool deduces_copy(arguments<Deduced...>, arguments<>) {
    if constexpr (requires { &F::template operator()<Deduced...>; })
        return copies_first<signature<decltype(&F::template operator()<Deduced...>)>, T>;
    else
        return false;
}
template <class F, class T, class... Deduced, class Next, class... More>
constexpr bool deduces_copy(arguments<Deduced...>, arguments<Next, More...>) {
    return deduces_copy<F, T>(arguments<Deduced..., std::remove_cvref_t<Next>>{}, arguments<More...>{}) ||
           deduces_copy<F, T>(arguments<Deduced...>{}, arguments<More...>{});
}

/// Returns whether a callable that is called with (T&, More...) takes the T by value. Aggregates are skipped: they are sets of overloads, not
/// lambdas, and a template that is not chosen need not compile for a T.
template <class F, class T, class... More> constexpr bool takes_copy() {
    using type = std::remove_const_t<T>;
    if constexpr (has_signature<F>)
        return copies_first<signature<F>, type>;
    else if constexpr (std::is_class_v<F> && !std::is_aggregate_v<F> && std::is_invocable_v<const F&, T&, More...>) {
        using result = std::invoke_result_t<const F&, T&, More...>;
        if constexpr (overloads<F, result>(arguments<type>{}, arguments<More...>{}))
            return !has_plain_overload<F, result, T&, More...>();
        else if constexpr (has_reference_overload<F, result, T, More...>())
            return false;
        else
            return deduces_copy<F, type>(arguments<type>{}, arguments<More...>{});
    } else {
        return false;
    }
}

} // namespace hsm::detail
