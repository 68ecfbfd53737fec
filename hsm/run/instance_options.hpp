/// What is decided for one instance when it is made.
#pragma once

#include <cstdint>

namespace hsm {

/// A queue of 16, whose memory is taken when an event first has to wait.
inline constexpr std::uint16_t when_used = 0xffff;

/// An instance of which nothing is said here is small, and takes the memory of both its queues when one of them is first used; if there is
/// none, it answers `full`. If anything is said, or the instance is made in the user's memory, or after reserve(), all memory is there from
/// the beginning, and none is taken later.
struct instance_options {
    std::uint16_t internal_queue = when_used; ///< events that hooks `process` and states they ask for, until the transition is complete
    std::uint16_t posted_queue = when_used;   ///< events that wait for the next tick or drain
    std::uint16_t deferred_queue = 16;        ///< events that states keep for later ones; room is taken only if the chart has such states
    std::uint16_t chain_limit = 100;          ///< transitions that may follow from one event, level or update; then chain_error
    std::uint32_t mailbox = 0;                ///< events from other threads that wait for the next tick or drain; 0: there is no mailbox

    friend bool operator==(const instance_options&, const instance_options&) = default;
};

} // namespace hsm
