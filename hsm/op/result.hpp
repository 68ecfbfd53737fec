/// What became of an input, and why a transition happened.
#pragma once

#include <cstdint>
#include <string_view>

namespace hsm {

enum class result : std::uint8_t {
    taken,     ///< a transition fired (tick, decide: at least one did)
    internal,  ///< an internal reaction consumed the event: no state was left
    deferred,  ///< kept for a later state
    held,      ///< waits until a state lets go
    refused,   ///< turned away: a pending transition has priority, or the argument makes no sense (time running backwards)
    guarded,   ///< a state on the active path knows the event, but every guard refused
    unhandled, ///< nobody on the active path knows the event (tick, decide: no transition fired)
    queued,    ///< accepted; acted upon later
    full,      ///< the queue has no room; nothing was stored
    busy,      ///< not possible now: a hook of this instance is running, or it has been started before
    inactive,  ///< the machine is not started, or has finished
};

enum class reason : std::uint8_t {
    none,       ///< no transition is in progress (an update hook)
    start,      ///< start()
    stop,       ///< stop()
    event,      ///< an event's transition or reaction
    poll,       ///< a polled transition or reaction
    completion, ///< the source was finished
    entry,      ///< the entry choice of a machine: dispatch, initial, its first substate
    request,    ///< change_to(), force_to(), or an update that returned a state
    time,       ///< a polled transition or reaction whose time has come: after(), every()
    history,    ///< entered where a machine had been left
    restart,    ///< restart()
};

std::string_view to_string(result value);
std::string_view to_string(reason value);

} // namespace hsm
