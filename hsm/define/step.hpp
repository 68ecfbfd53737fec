/// The interface between a hook and its instance, for hooks that take a `hsm::step<Context>&`. It is valid only during the call of the hook.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/held_event.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/detail/local.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/input.hpp>

#include <optional>

#include <vector>

namespace hsm {

namespace detail {
/// Returns the payload of the current event. A named event without a payload is any_named_event.
template <class Event> const Event& event_of(const machine& m) {
    if constexpr (std::is_same_v<Event, named_event>)
        if (!m.payload) return any_named_event;
    return *static_cast<const Event*>(m.payload);
}
} // namespace detail

template <class Context> class step {
public:
    explicit step(detail::machine& m) : machine_(m) {}

    /// Returns the state whose hook runs; for the action of a transition, the innermost state that stays active. Returns an empty reference if no
    /// state stays active.
    state_ref state() const { return state_ref(hook_context().state); }
    state_ref current() const { return host().current(machine_); }

    /// Returns whether that state, or a state with that tag, is active. During a transition, states that have already been exited are not active, and
    /// states that have already been entered are active.
    [[nodiscard]] bool is_in(const state_query& s) const { return host().is_in(machine_, s); }

    // Conditions of the instance.
    bool get(const condition_key& c) const { return host().get_condition(machine_, c); }
    void set(const condition_key& c, bool on = true) { host().set_condition(machine_, c, on ? condition_change::on : condition_change::off); }
    template <std::size_t N> void set(const condition_key&, const char (&)[N]) = delete; ///< set one condition per call
    void clear(const condition_key& c) { set(c, false); }
    /// Sets the condition until the end of the next tick or decide.
    void pulse(const condition_key& c) { host().set_condition(machine_, c, condition_change::pulse); }
    /// Sets a condition that was defined as a trigger. It stays set until a transition uses it. Throws condition_error for other conditions.
    void trigger(const condition_key& c) { host().trigger(machine_, c); }

    // These functions return why this hook runs. An update hook does not belong to a transition: reason() returns reason::none, transition() returns
    // null, and source(), target() and previous() return empty references.
    /// Returns the reason of the transition. In the enter hooks of a state that an entry choice or a history enters, returns reason::entry or
    /// reason::history instead.
    hsm::reason reason() const { return hook_context().entered != reason::none ? hook_context().entered : hook_context().cause.reason; }
    /// Returns the definition of the transition in progress; null for start, stop, requests and entry choices.
    const transition_spec* transition() const { return hook_context().cause.transition; }
    state_ref source() const { return state_ref(hook_context().cause.source); }
    state_ref target() const { return state_ref(hook_context().cause.target); }
    /// Returns the leaf that was active before the transition. With regions, returns the innermost active state of the region in which the transition
    /// takes place.
    state_ref previous() const { return state_ref(hook_context().cause.previous); }

    /// Returns the payload of the current event; null if there is no event, or if the event has another type.
    template <class E> const E* event() const {
        const auto* e = hook_context().cause.event;
        return e && detail::same_type(*e->type, event_type_of<detail::event_identity<E>>) ? &detail::event_of<E>(machine_) : nullptr;
    }
    /// Returns the name of the current named event; empty if there is none.
    std::string_view event_name() const {
        const auto* e = hook_context().cause.event;
        if (!e || !e->type->is_name) return {};
        const auto said = detail::event_of<named_event>(machine_).name(); // e->name is only a prefix if the transition waits for a prefix
        return said.empty() ? std::string_view(e->name) : said;
    }
    /// Returns the data of the current named event; `nothing` if it has no data, or if there is no named event.
    event_data data() const {
        const auto* e = hook_context().cause.event;
        return e && e->type->is_name ? detail::event_of<named_event>(machine_).data() : event_data();
    }

    /// Lists the events, requests and polled transitions that wait because states hold: see instance::pending().
    std::vector<held_transition> pending() const { return host().pending(machine_); }

    time_span time_in_state() const {
        return time_span::from_nanoseconds(hook_context().state ? host().time_in_state(machine_, *hook_context().state) : 0);
    }
    // Timers of the instance: see instance_base.hpp.
    std::optional<time_span> time_left(const timer_key& timer) const {
        std::int64_t left = 0;
        if (!host().time_left(machine_, timer, left)) return {};
        return time_span::from_nanoseconds(left);
    }
    result restart_timer(const timer_key& timer) { return host().set_timer(machine_, timer, timer_change::restart, 0); }
    result set_time_left(const timer_key& timer, time_span left) { return host().set_timer(machine_, timer, timer_change::set, left.nanoseconds()); }
    result cancel_timer(const timer_key& timer) { return host().set_timer(machine_, timer, timer_change::cancel, 0); }

    /// Returns the time that this update covers; zero outside updates.
    time_span elapsed() const { return time_span::from_nanoseconds(hook_context().elapsed); }

    /// Returns the nearest local of type T, from this state outwards to the root; null if there is none.
    template <class T> T* local() const { return static_cast<T*>(host().local(machine_, hook_context().state, detail::local_type_of<T>)); }

    /// Adds an event to the internal queue. The event is handled when the current transition or update is complete. Returns queued, full or
    /// unhandled.
    template <event_object E> result process(E&& e) {
        return detail::holds_event(e) ? host().process(machine_, detail::refer_to_queue(std::forward<E>(e))) : result::refused;
    }
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    result process(std::string_view name, event_data data = {}) {
        return host().process(machine_, detail::refer_name(name, static_cast<event_data&&>(data)));
    }
    /// Puts the event into the posted queue, for the next tick, decide or drain. Returns queued, full or unhandled; refused for a variant without a
    /// value.
    template <event_object E> result post(E&& e) {
        return detail::holds_event(e) ? host().post(machine_, detail::refer_to_queue(std::forward<E>(e))) : result::refused;
    }
    template <detail::no_event_object E> result post(const E&) { return detail::refuse_event<E>(), result::refused; }
    result post(std::string_view name, event_data data = {}) {
        return host().post(machine_, detail::refer_name(name, static_cast<event_data&&>(data)));
    }

    /// Puts a request for a transition to that state into the internal queue.
    result change_to(const state_key& target) { return host().change_to(machine_, target, false); }
    /// Does the same as change_to, but the transition does not wait for states that hold.
    result force_to(const state_key& target) { return host().change_to(machine_, target, true); }
    /// Marks state() as finished; hsm then tries its on_finished() transitions.
    void finish() {
        if (hook_context().state) host().finish(machine_, *hook_context().state);
    }
    /// Ends all holds of state() until it is entered again.
    void release() {
        if (hook_context().state) host().release(machine_, *hook_context().state);
    }
    /// Stops the machine when the current transition or hook is complete.
    result stop() { return host().stop(machine_); }

private:
    const hsm::detail::hook_context& hook_context() const { return machine_.hook_context(); }
    const detail::host_calls& host() const { return *machine_.chart->host; }

    detail::machine& machine_;
};

} // namespace hsm
