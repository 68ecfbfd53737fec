/// A call that does not come from the machine's own hooks, with all data that is needed to repeat the call. If an observer's wants_inputs() returns
/// true, the observer is notified before the call begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hsm {

struct event_ref;

enum class input_kind : std::uint8_t {
    start, ///< state: the requested state; no_state: the default state
    stop,
    restart,
    destroy,
    tick, ///< elapsed
    decide,
    update,  ///< elapsed
    process, ///< event
    post,    ///< event
    mailed,  ///< event: it arrived in the mailbox; the call that handles it follows
    drain,
    change_to, ///< state
    force_to,  ///< state
    finish,    ///< state
    release,   ///< state
    set,       ///< condition
    clear,     ///< condition
    pulse,     ///< condition
    clear_all, ///< conditions
    pause,
    resume,
    time_scale, ///< factor
    reset,
    set_state,      ///< state
    set_timer = 29, ///< timer, change, elapsed (the time left); 24 to 28 are further codes of logs
    reload,         ///< plan; reported twice: before the reload with an empty plan, after it with the plan
};

/// A change of a timer by a call.
enum class timer_change : std::uint8_t {
    restart, ///< the timer starts again with its whole time
    set,     ///< the time left is set
    cancel,
};

struct input {
    input_kind kind;
    std::uint16_t state = no_state; ///< the state's number in the chart
    std::uint32_t condition = 0;    ///< the condition's number
    std::uint32_t timer = 0;        ///< the timer's number
    timer_change change = timer_change::restart;
    std::int64_t elapsed = 0; ///< nanoseconds, as passed
    double factor = 1.0;
    const event_ref* event = nullptr; ///< valid during on_input
    std::string_view plan = {};       ///< bytes that identify the plan (see log_plan); valid during on_input
    bool failed = false;              ///< of a reload: an exit hook has thrown, so nothing has changed

    static constexpr std::uint16_t no_state = 0xffff;
};

} // namespace hsm
