/// Where any thread leaves events for the agents of a crowd: `herd.mailbox().post(id, hit{7});`
///
/// It has as many slots as crowd_options::agent.mailbox says, for all agents together. The next tick or decide of the crowd hands them
/// to their agents, which handle them as what was posted to them; those of agents that have been removed, or are not active, are
/// dropped. An agent without a posted queue handles them at once.
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

    /// From any thread, at any time. queued; full: nothing was stored, and the event was not moved from; unhandled: no transition
    /// of the chart waits for it. Lock-free; allocates nothing, but for what the copy of an event allocates.
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
