/// What words for hooks take: any callable that fits, and where it stands. It is made where the word is called, by the conversion of the
/// argument: so the word need not be made for each callable, and the place is that of the argument with every compiler.
#pragma once

#include <hsm/define/named.hpp>

namespace hsm::detail {

template <class Role, class Context> struct given : op_parts {
    template <class F> given(F f, code_place at = {}) : op_parts(bind<Role, Context>(static_cast<F&&>(f), at)) {}
};
template <class Context> using given_hook = given<as_hook, Context>;
template <class Context> using given_update = given<as_update, Context>;
template <class Context> using given_done_data = given<as_done_data, Context>;
template <class Context> using given_action = given<as_action, Context>;

} // namespace hsm::detail
