/// A queue that accepts events for the agents of a crowd from any thread: `crowd.mailbox().post(id, hit{7});`
///
/// All agents share the slots of the mailbox; crowd_options::agent.mailbox sets their number. The crowd's next tick or decide moves the events to the
/// agents' posted queues. Agents without a posted queue handle their events immediately. Events are dropped if their agent was removed or is
/// inactive.
#pragma once

#include <hsm/crowd/agent_id.hpp>
#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/result.hpp>

#include <string_view>
#include <utility>

namespace hsm {

namespace detail {
class mailbox_queue;
}

class crowd_mailbox {
public:
    explicit crowd_mailbox(detail::mailbox_queue& queue) : queue_(queue) {}
    crowd_mailbox(const crowd_mailbox&) = delete;
    crowd_mailbox& operator=(const crowd_mailbox&) = delete;

    /// Stores the event and returns queued. Any thread may call this at any time. Returns full if no slot is free; then nothing is stored, and the
    /// event is not moved from. Returns unhandled if no transition of the chart handles the event; refused for a variant without a value. This
    /// function is lock-free and allocates only what copying the event allocates.
    template <detail::no_event_object E> result post(agent_id, const E&) { return detail::refuse_event<E>(), result::refused; }
    template <event_object E> result post(agent_id to, E&& e) {
        return detail::holds_event(e) ? put(to, detail::refer_to_queue(std::forward<E>(e))) : result::refused;
    }
    result post(agent_id to, std::string_view name, event_data data = {}) {
        return put(to, detail::refer_name(name, static_cast<event_data&&>(data)));
    }

private:
    result put(agent_id to, const event_ref& event);

    detail::mailbox_queue& queue_;
};

} // namespace hsm
