/// The queues of a machine and their options. They are in the instance's memory behind its block, or allocated separately.
#pragma once

#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/detail/mailbox_queue.hpp>
#include <hsm/run/instance_options.hpp>

#include <cstdint>
#include <utility>

namespace hsm::detail {

/// The slots of both queues follow it in memory.
struct queue_head {
    event_queue internal;
    event_queue posted;
    std::uint16_t chain_limit;
    bool stands_apart = false; ///< allocated separately, on first use
    double time_scale = 1.0;
    std::uint64_t lost = 0;    ///< posted events that did not fit
    std::uint64_t* lost_at;    ///< the counter, changed atomically: `lost`, or the crowd's
    owned<mailbox_queue> mail; ///< null: no mailbox

    queue_head(const chart_core& core, const instance_options& options, std::byte* slots, owned<mailbox_queue> mailed,
               std::uint64_t* lost_of_all = nullptr)
        : internal(options.internal_queue, core, slots),
          posted(options.posted_queue, core, slots + event_queue::memory_size(options.internal_queue, core)), chain_limit(options.chain_limit),
          lost_at(lost_of_all ? lost_of_all : &lost), mail(std::move(mailed)) {}
    queue_head(const queue_head&) = delete;
};

} // namespace hsm::detail
