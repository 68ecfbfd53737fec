/// What a callable takes: its parameters, whether it may be called as const, and the class it is a member of.
#pragma once

#include <type_traits>

namespace hsm::detail {

template <class... A> struct arguments {};

enum class callable_kind { functor, function, member_function, member_data };

template <class R, class C, bool Const, class... A> struct member_signature {
    using result = R;
    using object = C;
    using args = arguments<A...>;
    static constexpr bool is_const = Const;
    static constexpr auto kind = callable_kind::member_function;
};

template <class F> struct signature {};

template <class R, class... A> struct signature<R (*)(A...)> : member_signature<R, void, true, A...> {
    static constexpr auto kind = callable_kind::function;
};
template <class R, class... A> struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};

template <class R, class C, class... A> struct signature<R (C::*)(A...)> : member_signature<R, C, false, A...> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) noexcept> : member_signature<R, C, false, A...> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) const> : member_signature<R, C, true, A...> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const noexcept> : member_signature<R, C, true, A...> {};

template <class R, class C, class... A> struct signature<R (C::*)(A...) &> : signature<R (C::*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) & noexcept> : signature<R (C::*)(A...)> {};
template <class R, class C, class... A> struct signature<R (C::*)(A...) const&> : signature<R (C::*)(A...) const> {};
template <class R, class C, class... A>
struct signature<R (C::*)(A...) const & noexcept> : signature<R (C::*)(A...) const> {};

template <class M, class C>
    requires std::is_member_object_pointer_v<M C::*>
struct signature<M C::*> {
    using result = const M&;
    using object = C;
    using args = arguments<>;
    static constexpr bool is_const = true;
    static constexpr auto kind = callable_kind::member_data;
};

template <class F>
    requires requires { &F::operator(); }
struct signature<F> : signature<decltype(&F::operator())> {
    static constexpr auto kind = callable_kind::functor;
};

/// A function pointer, a member pointer, or an object with exactly one operator(): its parameters can be read off.
template <class F>
concept has_signature = requires { typename signature<F>::args; };

} // namespace hsm::detail
