/// What is decided for one instance when it is made.
#pragma once

#include <cstdint>

namespace hsm {

struct instance_options {
    std::uint16_t internal_queue = 16; ///< events that hooks `process` and states they ask for, until the transition is complete
    std::uint16_t posted_queue = 16;   ///< events that wait for the next tick or drain
    std::uint16_t deferred_queue = 16; ///< events that states keep for later ones; room is taken only if the chart has such states
    std::uint16_t chain_limit = 100;   ///< transitions that may follow from one event, level or update; then chain_error
    std::uint32_t mailbox = 0;         ///< events from other threads that wait for the next tick or drain; 0: there is no mailbox

    friend bool operator==(const instance_options&, const instance_options&) = default;
};

} // namespace hsm
