/// The result of an input, and the reason of a transition.
#pragma once

#include <cstdint>
#include <string_view>

namespace hsm {

enum class result : std::uint8_t {
    taken,     ///< a transition fired (tick, decide: at least one did)
    internal,  ///< an internal reaction consumed the event: no state was exited
    deferred,  ///< stored for a later state
    held,      ///< waits until a state can be exited
    refused,   ///< rejected: a pending transition has priority, or the argument is invalid (a negative time)
    guarded,   ///< an active state has a transition for the event, but every guard was false
    unhandled, ///< no active state has a transition for the event (tick, decide: no transition fired)
    queued,    ///< accepted; handled later
    full,      ///< the queue has no room; nothing was stored
    busy,      ///< not possible now: a call to the object is in progress (hooks, guards, observers), or the instance is already active
    inactive,  ///< the machine is not started, or has finished
};

enum class reason : std::uint8_t {
    none,       ///< no transition in progress (an update hook)
    start,      ///< start()
    stop,       ///< stop()
    event,      ///< an event's transition or reaction
    poll,       ///< a polled transition or reaction
    completion, ///< the source was finished
    entry,      ///< the entry choice of a machine: dispatch, initial, or the first substate
    request,    ///< change_to(), force_to(), or an update that returned a state
    time,       ///< a polled transition or reaction that is due: after(), every()
    history,    ///< a recorded state, entered by a history state or by a machine that remembers
    restart,    ///< restart()
};

std::string_view to_string(result value);
std::string_view to_string(reason value);

} // namespace hsm
