/// Handles one event, immediately or from a queue.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>

namespace hsm::detail {

/// Handles the event with this number; no_index: no transition of the chart handles it.
result handle_event(machine& m, const chart_core& core, std::uint16_t number, const event_ref& event);
/// Returns a reference to a stored event whose payload is at this address.
event_ref stored_event(const chart_core& core, std::uint16_t number, const void* payload);

/// Handles the oldest entry of the queue. It is consumed even if a hook throws.
result handle_queued(machine& m, const chart_core& core, event_queue& queue);

/// The ends of the posted queue and of the mailbox when a call began. The call handles only the events before them.
struct arrivals {
    event_queue::position posted = nullptr; ///< null: no queues
    mailbox_queue::position mailed = 0;
};
arrivals arrived(const machine& m, const chart_core& core);
/// Returns whether posted or mailed events wait for a call that begins now.
bool has_arrivals(const machine& m, const chart_core& core);
/// Handles the posted events, then those of the mailbox.
void handle_posted(machine& m, const chart_core& core, arrivals there);
/// Handles the events of both for a ready machine with events_are_programs.
result drain_ready(machine& m, const chart_core& core);

} // namespace hsm::detail
