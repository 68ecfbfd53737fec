/// A function that is known at compile time, for hooks of constant charts: `hsm::fixed<monster_is_dead>`.
///
/// A constant chart can call a function pointer only with the context. With `fixed`, the chart knows the function's parameters, so the function can
/// also take the event or the elapsed time. Pointers to members, and objects without data such as lambdas, do not need `fixed`.
#pragma once

#include <hsm/op/detail/compiler.hpp>

namespace hsm {

namespace detail {

template <auto F, class Type = decltype(F)> struct fixed_form { static constexpr auto what = F; };

template <auto F, class Result, class... A> struct fixed_function {
    HSM_ALWAYS_INLINE constexpr Result operator()(A... a) const { return F(static_cast<A&&>(a)...); }
};
template <auto F, class Result, class... A> struct fixed_form<F, Result (*)(A...)> { static constexpr fixed_function<F, Result, A...> what{}; };
template <auto F, class Result, class... A> struct fixed_form<F, Result (*)(A...) noexcept> {
    static constexpr fixed_function<F, Result, A...> what{};
};

} // namespace detail

template <auto F> inline constexpr auto fixed = detail::fixed_form<F>::what;

} // namespace hsm
