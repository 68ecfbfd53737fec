/// The parameter type of definition calls for hooks: any callable that fits, and its place. The argument's conversion constructs it, so the call is
/// not instantiated for each callable, and every compiler reports the place of the argument.
#pragma once

#include <hsm/define/named.hpp>

namespace hsm::detail {

template <class Role, class Context> struct given : bound_op {
    template <class F> given(F f, call_site at = {}) : bound_op(bind<Role, Context>(static_cast<F&&>(f), at)) {}
};
template <class Context> using given_hook = given<as_hook, Context>;
template <class Context> using given_update = given<as_update, Context>;
template <class Context> using given_done_data = given<as_done_data, Context>;
template <class Context> using given_action = given<as_action, Context>;

} // namespace hsm::detail
