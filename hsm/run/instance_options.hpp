/// The options of one instance: the sizes of its queues, its mailbox and its chain limit.
#pragma once

#include <cstdint>

namespace hsm {

/// Requests a queue of 16 slots that is allocated when an event is first queued.
inline constexpr std::uint16_t when_used = 0xffff;

/// With default options an instance is small. It allocates the internal and the posted queue when one of them is first used. If this allocation
/// fails, the result is `full`. If you set the size of a queue, the mailbox or the chain limit, or pass memory to the instance, the queues exist from
/// the beginning. If you call reserve(), they exist from that call on. In both cases, later calls allocate no queues.
struct instance_options {
    std::uint16_t internal_queue = when_used; ///< events and requests of hooks, until the current transition is complete
    std::uint16_t posted_queue = when_used;   ///< events that wait for the next tick or drain
    std::uint16_t deferred_queue = 16;        ///< events that states defer; allocated only if the chart defers events
    std::uint16_t chain_limit = 100;          ///< the most transitions and internal events in a chain; one more causes a chain_error
    std::uint32_t mailbox = 0;                ///< events from other threads that wait for the next tick or drain; 0: no mailbox
    std::uint64_t seed = 0;                   ///< the seed of choices by chance. Equal seeds, streams and inputs lead to equal choices
    std::uint64_t stream = 0;                 ///< distinguishes instances with the same seed. A crowd adds the agent's id, and a
                                              ///< manager the number of machines that it has created

    friend bool operator==(const instance_options&, const instance_options&) = default;
};

} // namespace hsm
