/// Finds members with names similar to hooks: `on_enter`, `onEnter`, `Enter`, ... A member with such a name that takes the context is a compile
/// error, because a hook that is silently never called is hard to find.
#pragma once

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
        static_assert(!takes_context<decltype(&T::name), Context>,                                                                                   \
                      "hsm: " #name " takes the context, but is not a hook: the hook is named " #hook ". (If this is intended, see hsm::allows_similar_names.)");

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

} // namespace hsm::detail
