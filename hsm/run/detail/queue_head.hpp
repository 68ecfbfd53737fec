/// The queues of a machine, and what its options say about them. They stand in an instance's own memory behind its block, or
/// apart; an agent of a crowd borrows them.
#pragma once

#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/detail/mailbox_queue.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstdint>
#include <utility>

namespace hsm::detail {

/// With the slots of both queues in the memory behind it.
struct queue_head {
    event_queue internal;
    event_queue posted;
    std::uint16_t chain_limit;
    bool stands_apart = false; ///< in memory of its own, which an instance has taken later
    double time_scale = 1.0;
    std::uint64_t lost = 0;    ///< posted events that found no room
    std::uint64_t* lost_at;    ///< where these are counted, atomically: here, or those of all agents in their crowd
    owned<mailbox_queue> mail; ///< null: there is none

    queue_head(const chart_core& core, const instance_options& options, std::byte* slots, owned<mailbox_queue> mailed,
               std::uint64_t* lost_of_all = nullptr)
        : internal(options.internal_queue, core, slots),
          posted(options.posted_queue, core, slots + event_queue::memory_size(options.internal_queue, core)), chain_limit(options.chain_limit),
          lost_at(lost_of_all ? lost_of_all : &lost), mail(std::move(mailed)) {}
    queue_head(const queue_head&) = delete;
};

} // namespace hsm::detail
