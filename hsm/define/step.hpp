/// What a hook may ask of, and tell, the instance that runs it. Handed to hooks that take a `hsm::step<Context>&`;
/// it is valid during that call only.
#pragma once

#include <hsm/define/frame.hpp>
#include <hsm/define/time_span.hpp>

namespace hsm {

template <class Context> class step {
public:
    explicit step(frame& f) : frame_(f) {}

    /// The state whose hook runs. For a transition's action the innermost state that stays active; none if that is above the root.
    state_ref state() const { return state_ref(frame_.state); }
    state_ref current() const { return frame_.host->current(); }

    // Why this hook runs. An update hook has no transition: reason::none, and no states.
    hsm::reason reason() const { return frame_.cause->reason; }
    state_ref source() const { return state_ref(frame_.cause->source); }
    state_ref target() const { return state_ref(frame_.cause->target); }
    /// The leaf that was active before the transition began.
    state_ref previous() const { return state_ref(frame_.cause->previous); }

    /// The payload of the event being handled; null when it is of another type, or when there is none.
    template <class E> const E* event() const {
        const auto* e = frame_.cause->event;
        return e && e->type == &event_type_of<E> ? static_cast<const E*>(e->object) : nullptr;
    }
    /// The name of the named event being handled; empty when there is none.
    std::string_view event_name() const { return frame_.cause->event ? frame_.cause->event->name : std::string_view(); }

    time_span time_in_state() const {
        return time_span::from_nanoseconds(frame_.state ? frame_.host->time_in_state(*frame_.state) : 0);
    }
    /// The time that this update covers; zero outside updates.
    time_span elapsed() const { return time_span::from_nanoseconds(frame_.elapsed); }

    /// The nearest T from this state outwards to the root; null if there is none.
    template <class T> T* local() const {
        return frame_.state ? static_cast<T*>(frame_.host->local(*frame_.state, local_type_of<T>)) : nullptr;
    }

    /// To the internal queue: handled once this transition or update is complete. queued, full or unhandled.
    template <event_object E> result process(E&& e) { return frame_.host->process(detail::refer(std::forward<E>(e))); }
    result process(std::string_view name) { return frame_.host->process(detail::refer_name(name)); }
    /// To the external queue: handled in the next tick or drain(). queued, full or unhandled.
    template <event_object E> result post(E&& e) { return frame_.host->post(detail::refer(std::forward<E>(e))); }
    result post(std::string_view name) { return frame_.host->post(detail::refer_name(name)); }

    /// Asks for a transition to that state, by way of the internal queue.
    result change_to(const state_key& target) { return frame_.host->change_to(target); }
    /// Marks this state as over; its on_finished() transitions follow.
    void finish() {
        if (frame_.state) frame_.host->finish(*frame_.state);
    }
    /// Stops the machine as soon as the transition or hook in progress is complete.
    result stop() { return frame_.host->stop(); }

private:
    frame& frame_;
};

} // namespace hsm
