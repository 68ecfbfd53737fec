/// The parameter types of definition calls: hooks and times.
#pragma once

#include <hsm/define/detail/delay.hpp>
#include <hsm/define/named.hpp>

namespace hsm::detail {

/// The parameter type of definition calls for hooks: any callable that fits, and its place. The argument's conversion constructs it, so the call is
/// not instantiated for each callable, and every compiler reports the place of the argument.
template <class Role, class Context> struct given : bound_op {
    template <class F> given(F f, call_site at = {}) : bound_op(bind<Role, Context>(static_cast<F&&>(f), at)) {}
};
template <class Context> using given_hook = given<as_hook, Context>;
template <class Context> using given_update = given<as_update, Context>;
template <class Context> using given_done_data = given<as_done_data, Context>;
template <class Context> using given_action = given<as_action, Context>;

/// Computes the score of the candidate in at[1].
struct as_score {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        constexpr bool is_number = std::is_arithmetic_v<std::remove_cvref_t<result_of<Form, F>>>;
        static_assert(is_number || Form::takes_scores,
                      "hsm: a score is computed by a function or a member that returns a number, or by a function that takes hsm::scores");
        m.at = at;
        if constexpr (is_number || Form::takes_scores) {
            double score = 0;
            if constexpr (is_number)
                score = static_cast<double>(Form::template call<F>(at->self, m));
            else if (const auto& hooks = m.hook_context(); hooks.uses_scores)
                score = hooks.scores[static_cast<std::uint32_t>(at[1].number) * most_scores];
            else
                Form::template call<F>(at->self, m), score = hooks.score;
            auto& hooks = m.hook_context(); // here, so that no register keeps it during the call
            hooks.score = score;
            if (score > hooks.choice.bar) [[unlikely]]
                HSM_MUSTTAIL return take_offer(at, m);
        }
        at = next(at + 1);
        HSM_PROCEED(at);
    }
};

/// The parameter type of `.score`: a callable that takes `const Context&`, a local, or both, or a member of one of them.
template <class Context> struct given_score : bound_op {
    template <class F> given_score(F f, call_site at = {}) : bound_op(bind<as_score, Context>(static_cast<F&&>(f), at)) { needs.hook_context = true; }
};

template <class T> inline constexpr bool is_time = duration_like<T> || std::is_same_v<T, time_span> || std::is_floating_point_v<T>;

template <class T> constexpr time_span time_from(const T& t) {
    if constexpr (std::is_floating_point_v<T>)
        return time_span::from_seconds(static_cast<double>(t));
    else
        return t;
}

template <class Result> constexpr bool check_time() {
    constexpr bool fits = is_time<std::remove_cvref_t<Result>>;
    static_assert(fits, "hsm: a delay is a duration, or seconds as a floating-point number, or a function that returns one of them");
    return fits;
}

/// Computes a time and stores it in the hook context.
struct as_delay {
    template <class Form, class F> static const op* run(const op* at, machine& m) {
        using result = result_of<Form, F>;
        m.at = at;
        if constexpr (check_time<result>())
            m.hook_context().delay = time_from<std::remove_cvref_t<result>>(Form::template call<F>(at->self, m)).nanoseconds();
        at = next(at);
        HSM_PROCEED(at);
    }
};

/// The parameter type of `.after`, `every` and `min_duration`: a duration, a number of seconds, or a function that computes the time when the state
/// is entered, after the enter hooks. The function is a callable that takes `const Context&`, a local, or both, or a member of one of them.
///
///     aim.to(shoot).after(500ms);
///     aim.to(shoot).after(&archer::draw_time);
///     aim.to(shoot).after([](const archer& a) { return a.tired ? 900ms : 500ms; });
template <class Context> struct given_delay : delay_spec {
    template <class T> given_delay(T time, call_site at = {}) {
        where = at;
        if constexpr (is_time<T>) {
            fixed = time_span(time_from(time)).nanoseconds();
        } else if constexpr (std::is_integral_v<T>) {
            fixed = without_unit(time).nanoseconds();
        } else {
            find = bind<as_delay, Context>(static_cast<T&&>(time), at);
            find.needs.hook_context = true;
        }
    }
};

} // namespace hsm::detail
