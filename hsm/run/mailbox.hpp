/// Where any thread leaves events for an instance: `hsm::mailbox& mail = agent.mailbox();`, and elsewhere `mail.post(loaded{7});`
///
/// It has as many slots as instance_options::mailbox says; an event takes one until it has been handled. All its memory is taken
/// when the instance is made; posting is lock-free and allocates nothing, but for what the copy of an event allocates.
///
/// The owner's next tick, decide or drain handles what has been posted. The events of one thread are handled in the order in which
/// it posted them; so are those of several, if one was posted after the other. The mailbox stays where it is when the instance is
/// moved, and goes when the instance goes: nobody may post any more by then.
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

    /// From any thread, at any time, also while the instance is not active: then it waits for the next start. queued; full: nothing
    /// was stored, and the event was not moved from; unhandled: no transition of the chart waits for it. What the copy or
    /// move of the event throws reaches the caller, and nothing was stored.
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
