/// What becomes of one event, whether it comes at once or out of a queue.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>

#include <cstddef>

namespace hsm::detail {

/// By its number; no_index: nobody waits for it.
result handle_event(machine& m, const chart_core& core, std::uint16_t number, const event_ref& event);
/// One that was stored, with its payload where it is now.
event_ref stored_event(const chart_core& core, std::uint16_t number, const void* payload);

/// The oldest entry of a queue; it is consumed even if a hook throws.
result handle_queued(machine& m, const chart_core& core, event_queue& queue);

/// What had come, to the posted queue and the mailbox, when a call began: that is handled in it, and nothing that comes meanwhile.
struct arrivals {
    std::size_t posted = 0;
    std::size_t mailed = 0;
};
arrivals arrived(const machine& m, const chart_core& core);
/// Mailed ones last.
void handle_posted(machine& m, const chart_core& core, const arrivals& there);

} // namespace hsm::detail
