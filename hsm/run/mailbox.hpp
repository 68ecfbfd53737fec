/// A queue that accepts events for an instance from any thread: `hsm::mailbox& mail = agent.mailbox();`, and elsewhere `mail.post(loaded{7});`
///
/// A mailbox has instance_options::mailbox slots. An event uses one slot until the event has been handled. All memory is allocated when the instance
/// is created. post is lock-free and allocates only what copying the event allocates.
///
/// The instance's next tick, decide or drain handles the posted events. The events of one thread are handled in the order in which it posted them.
/// Events of several threads are handled in the order of their posts if these posts did not overlap in time. The mailbox does not move with its
/// instance and is destroyed with it. No thread may post to a destroyed mailbox.
#pragma once

#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/result.hpp>

#include <string_view>
#include <utility>

namespace hsm {

class mailbox {
public:
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;

    /// Stores the event and returns queued. Any thread may call this, even while the instance is not active: then the event waits for the next start.
    /// Returns full if no slot is free; then nothing is stored, and the event is not moved from. Returns unhandled if no transition of the chart
    /// handles the event; refused for a variant without a value. Rethrows an exception of the event's copy or move; then nothing is stored.
    template <detail::no_event_object E> result post(const E&) { return detail::refuse_event<E>(), result::refused; }
    template <event_object E> result post(E&& e) {
        return detail::holds_event(e) ? put(detail::refer_to_queue(std::forward<E>(e))) : result::refused;
    }
    result post(std::string_view name, event_data data = {}) { return put(detail::refer_name(name, static_cast<event_data&&>(data))); }

protected:
    mailbox() = default;
    ~mailbox() = default;

private:
    result put(const event_ref& event);
};

} // namespace hsm
