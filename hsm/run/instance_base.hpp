/// The part of `instance<Context>` that does not depend on the context's type.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/detail/local.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/input.hpp>
#include <hsm/op/result.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/run/instance_options.hpp>
#include <hsm/run/mailbox.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <vector>

namespace hsm {

class attachment;
class observer;
class record_kinds;

namespace detail {
class agent_slot;
class machine_pool;
struct instance_access;
} // namespace detail

/// The result of `can`: the effect that an event would have now. Converts to true if the event would cause a transition or a reaction.
struct can_result {
    result outcome;        ///< taken, internal, deferred, held, refused, guarded, unhandled or inactive
    std::string hint = {}; ///< if no transition handles the name: a similar name that a transition handles

    explicit operator bool() const { return outcome == result::taken || outcome == result::internal; }
};

class instance_base {
public:
    /// The destructor destroys the locals of active states and runs no hooks. Call stop() first to run the exits.

    /// Enters the root, and the states that its entry choice leads to. Returns taken; busy if the instance is already active.
    result start();
    /// Does the same, but enters the target, as a transition to it would. Throws state_error if the target does not exist.
    result start(const state_key& target);
    /// Exits all states and drops queued events. Returns taken, or inactive if the instance is not active; busy in a guard. In a hook, returns
    /// queued, and the instance stops when the transition or hook in progress is complete.
    result stop();

    /// Runs one frame: advances the clock, handles posted events, then runs updates and polled transitions from the root inwards.
    /// Returns taken if a transition fired, else unhandled; inactive if the instance is not active; busy in a hook; refused for a negative time.
    template <duration_like D> result tick(D elapsed) { return engine_.tick(time_span(elapsed).nanoseconds()); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {}) { return engine_.tick(elapsed.nanoseconds()); }
    /// Makes the decisions of a tick: handles posted events and polled transitions, but does not advance the clock or run update hooks.
    result decide();
    /// Advances the clock and runs the update hooks, as a tick does, but makes no decisions.
    template <duration_like D> result update(D elapsed) { return update_for(time_span(elapsed)); }
    template <std::floating_point S> result update(S seconds) { return update_for(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed = {}) { return update_for(elapsed); }

    /// Handles the event immediately, with everything that follows from it. Returns:
    /// - taken, internal, deferred, guarded, unhandled or inactive;
    /// - held if the transition would exit a state that holds;
    /// - full if a state defers the event and the queue of deferred events has no room;
    /// - refused for a variant without a value, or if an event of higher priority is pending.
    /// In a hook, the event is queued until the hook's transition or update is complete, and the result is queued, full or unhandled. An event that
    /// can be neither copied nor moved cannot be queued: its result is full. In a guard, the result is busy. Outside a hook, the event is copied only
    /// if a state defers or holds it. So an lvalue, and the characters of a name, must live until the call returns. They must not be part of a local
    /// of this instance, because a transition can destroy the local (an assertion checks this). If an event is part of a local, process a copy, or
    /// post the event.
    template <event_object E> HSM_ALWAYS_INLINE inline result process(E&& e) {
        if (!detail::holds_event(e)) return result::refused;
        using event = std::remove_cvref_t<E>;
        if constexpr (valued_event<event>) { // process_other stays out of line, so that clang inlines the rest
            if (!engine_.ready() || !engine_.is_main(e)) [[unlikely]]
                return process_other(std::forward<E>(e));
            const auto* const known = engine_.main_program_for(e);
            return known ? engine_.handle(known, std::addressof(e)) : result::unhandled;
        } else {
            if (!engine_.ready()) [[unlikely]]
                return process_slowly(std::forward<E>(e));
            if constexpr (!std::is_lvalue_reference_v<E> && !std::is_trivially_copyable_v<E>)
                if (engine_.chart->stores_events) return process_slowly(std::forward<E>(e)); // a state may store the event; then it is moved
            const auto* const known = engine_.program_for<event>(e);
            return known ? engine_.handle(known, detail::object_of_event(e)) : result::unhandled;
        }
    }
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    /// Handles a named event, which can carry data: see event_data.hpp.
    result process(std::string_view name) { return detail::calls::process(engine_, detail::refer_name(name)); }
    result process(std::string_view name, event_data data) {
        return detail::calls::process(engine_, detail::refer_name(name, static_cast<event_data&&>(data)));
    }
    /// Stores the event for the next tick, decide or drain, and returns queued. Returns full if the posted queue has no room; then nothing is stored,
    /// and lost() counts the event. Returns unhandled if no transition of the chart handles the event; inactive if the instance is not active;
    /// refused for a variant without a value; busy in a guard.
    template <event_object E> result post(E&& e) {
        using event = std::remove_cvref_t<E>;
        if (!detail::holds_event(e)) return result::refused;
        const auto column = engine_.column_for<event>(e);
        if constexpr (std::is_trivially_copyable_v<event> && std::is_copy_constructible_v<event> && !event_variant<event>)
            if (auto* const slot = detail::calls::post_bytes(engine_, column)) {
                new (slot) event(e);
                return result::queued;
            }
        return detail::calls::post(engine_, column, detail::refer_to_queue(std::forward<E>(e)));
    }
    template <detail::no_event_object E> result post(const E&) { return detail::refuse_event<E>(), result::refused; }
    result post(std::string_view name) { return detail::calls::post(engine_, detail::refer_name(name)); }
    result post(std::string_view name, event_data data) {
        return detail::calls::post(engine_, detail::refer_name(name, static_cast<event_data&&>(data)));
    }
    /// Handles the posted events and the events in the mailbox, without a tick.
    result drain();
    /// Returns the queue for events from other threads. Throws usage_error (HSM-205) if instance_options::mailbox is 0. Call this function in the
    /// thread of the instance. Any thread can use the reference. It is valid until the instance is destroyed, even if the instance is moved.
    hsm::mailbox& mailbox() const;
    /// Allocates the queues, if they are not allocated yet; afterwards the instance allocates nothing. Throws std::bad_alloc.
    void reserve();
    /// Returns the result that process would return for the event now. Evaluates guards, but changes nothing.
    template <event_object E> [[nodiscard]] can_result can(const E& e) const {
        return {detail::holds_event(e) ? detail::calls::can(engine_, detail::view_of_event(e)) : result::refused};
    }
    template <detail::no_event_object E> can_result can(const E&) const { return detail::refuse_event<E>(), can_result(); }
    [[nodiscard]] can_result can(std::string_view name, event_data data = {}) const;

    /// Makes a transition with priority 0 from the leaf to the target. With regions, the source is the leaf of the target's region. Returns taken, or
    /// inactive if the instance is not active. In a hook, returns queued or full; in a guard, busy. Throws state_error if the target does not exist.
    /// If the transition would exit a state that holds, the request waits, and the result is held. If an event or request of higher priority is
    /// already pending, the result is refused instead.
    result change_to(const state_key& target);
    result change_to(state_ref target) { return target ? change_to(*target.get()) : change_to(state_key(target)); }
    result change_to(const state_base& target) { return detail::calls::change_to(engine_, target, false); }
    /// Does the same, but ignores holds.
    result force_to(const state_key& target);
    result force_to(state_ref target) { return target ? force_to(*target.get()) : force_to(state_key(target)); }
    result force_to(const state_base& target) { return detail::calls::change_to(engine_, target, true); }
    /// Marks an active state (default: `current()`) as finished. The next tick, process or decide tries its completion. Returns queued; unhandled if
    /// the state is not active; inactive if the instance is not active; busy in a guard.
    result finish();
    result finish(const state_key& state);

    /// Ends all holds of an active state (default: `current()`) until the state is entered again. The next tick, process or decide tries the
    /// transitions that wait for this state. Returns queued; unhandled if the state is not active; inactive if the instance is not active; busy in a
    /// guard.
    result release();
    result release(const state_key& state);

    // Conditions are bits of this instance, identified by name, index or handle. They keep their values until they are changed, even while the
    // instance is not active. reset() clears them. Changing a condition does not itself fire a transition. These calls throw condition_error for a
    // condition that the chart does not have, and if they would change bit 0.
    void set(const condition_key& c, bool on = true) { detail::calls::set_condition(engine_, c, on ? condition_change::on : condition_change::off); }
    void set(const condition& c, bool on = true) {
        if (!engine_.change_condition(c, on ? condition_change::on : condition_change::off)) set(condition_key(c), on);
    }
    template <std::size_t N> void set(const condition_key&, const char (&)[N]) = delete; ///< rejects lists: one condition per call
    /// Sets the condition until the end of the next tick or decide.
    void pulse(const condition_key& c) { detail::calls::set_condition(engine_, c, condition_change::pulse); }
    void pulse(const condition& c) {
        if (!engine_.change_condition(c, condition_change::pulse)) pulse(condition_key(c));
    }
    /// Sets a condition that was defined as a trigger. It stays set until a transition uses it. Throws condition_error for other conditions.
    void trigger(const condition_key& c) { detail::calls::trigger(engine_, c); }
    bool get(const condition_key& c) const { return detail::calls::get_condition(engine_, c); }
    bool get(const condition& c) const {
        const auto number = engine_.quick_number_of(c);
        return number != 0 ? engine_.holds(number) : get(condition_key(c));
    }
    void clear(const condition_key& c) { set(c, false); }
    void clear(const condition& c) { set(c, false); }
    void clear() { detail::calls::clear_conditions(engine_); } ///< clears all conditions

    /// Calls stop() if the instance is active, then start(). Returns taken; busy in a hook.
    result restart();
    /// Calls stop(). Then, if the on_init hooks have run, calls the on_destroy hooks of all states, substates first. The next start() runs on_init
    /// again. Returns taken; inactive if there was nothing to do; busy in a hook.
    result destroy();

    // The following calls run no hooks; use them for tests and cheats. They return taken, or busy in a hook.
    /// Makes the instance inactive, as if it had never been started: destroys locals; clears queues, history, conditions, clock, pause and time
    /// scale.
    result reset();
    /// Makes the target the innermost active state. Superstates of the target stay active if they are already active. Locals of entered states are
    /// constructed, and timers of entered states start. If the target is a machine, it is at rest, and makes its entry choice in the next tick.
    /// Throws state_error if the target does not exist or cannot be active.
    result set_state(const state_key& target);

    /// Moves these parts of another instance of the same chart into this instance: active states, locals, timers, conditions, history, and the times
    /// spent in states. No hook runs. Afterwards, the other instance is as if it had never been started. Each instance keeps its context, queues and
    /// clock. Returns taken; busy if this instance is active, or a hook of either instance runs. Returns refused for another chart, or if events or
    /// held transitions wait in the other instance. Returns full if the other instance's time is scaled and this instance was created without queues.
    /// If copying a local throws, nothing has changed.
    result take_over(instance_base& other);

    // The following calls affect the instance's clock. Only ticks and updates advance it.
    /// Stops the time until resume(). Ticks and updates still run, but their elapsed time counts as zero.
    void pause() { detail::calls::pause(engine_, true); }
    void resume() { detail::calls::pause(engine_, false); }
    bool paused() const { return (engine_.state & detail::state_paused) != 0; }
    /// Multiplies the time of each tick: with 0.5 the clock runs at half speed. Returns taken; refused for a factor that is negative, infinite or not
    /// a number; full for an instance that was created without queues.
    result set_time_scale(double factor) { return detail::calls::scale_time(engine_, factor); }
    double time_scale() const { return detail::calls::time_scale(engine_); }
    /// Sets the stream of this instance's choices by chance. Two instances of one chart draw the same random numbers if their seeds, streams and
    /// numbers of choices so far are equal. This call does not change the number of choices. Returns taken; busy in hooks; refused if the chart does
    /// not choose by chance.
    result set_stream(std::uint64_t stream) { return detail::calls::set_stream(engine_, stream); }
    /// Returns the time until the `after` of a transition, or the next `every`, is due. Returns nothing if the source is not active, or if the
    /// transition has no time. Also returns nothing if the timer is used up: it was canceled, or it is the `after` of a transition that has no event
    /// and has already fired since its source was entered. For a label, returns the shortest time of the transitions that have it. Throws state_error
    /// if no transition with a time has this label.
    std::optional<time_span> time_left(const timer_key& timer) const {
        std::int64_t left = 0;
        if (!detail::calls::time_left(engine_, timer, left)) return {};
        return time_span::from_nanoseconds(left);
    }
    // The following calls change the timer of one transition, or the timers of all transitions with a label. They fire no transition themselves. They
    // affect only timers of transitions whose source is active. They return taken; unhandled if no such source is active; inactive if the instance is
    // not active; busy in a guard. They throw state_error for a label or a transition without a timer in this chart.
    /// Starts the timer again with its whole time. If a function computes the time, this call runs the function. Like a guard, the function cannot
    /// change the instance.
    result restart_timer(const timer_key& timer) { return detail::calls::set_timer(engine_, timer, timer_change::restart, 0); }
    /// Makes the timer due after that time; a negative time counts as 0. The period of an `every` does not change.
    result set_time_left(const timer_key& timer, time_span left) {
        return detail::calls::set_timer(engine_, timer, timer_change::set, left.nanoseconds());
    }
    /// Stops the timer: its transition does not fire until the timer is started again, by a call or by an entry of its source.
    result cancel_timer(const timer_key& timer) { return detail::calls::set_timer(engine_, timer, timer_change::cancel, 0); }

    /// Attaches an observer. The observer first receives the active states, and then each record of these kinds. Include <hsm/run/attachment.hpp>. If
    /// you call attach in a hook, the observer starts with the next call. Throws usage_error (HSM-208) in a guard. If the observer throws during this
    /// call, it is not attached, and the exception is rethrown.
    attachment attach(observer& to, record_kinds kinds);
    attachment attach(observer& to); ///< receives records of all kinds

    /// Returns whether a call to this instance is in progress: true in its own hooks.
    bool busy() const { return detail::is_busy(engine_); }
    bool active() const { return static_cast<bool>(current()); }
    /// Returns whether the root is finished. Ticks then only advance the clock, until stop().
    bool finished() const;
    /// Returns the innermost active state, found by walking down from the root machine. If regions are active, returns their parallel. Empty if the
    /// instance is inactive.
    state_ref current() const;
    /// Returns the innermost active states, one for each region, in the order of definition. Allocates.
    std::vector<state_ref> leaves() const;
    /// Returns the paths of leaves() as one line: "fight/legs/run, fight/arms/swing"; "none" if the instance is inactive.
    std::string path_of_leaves() const;
    /// Lists what waits because a state holds: the pending events and requests, and the polled transitions that waited in the last tick. Outer levels
    /// come first. Within a level, the pending event or request comes before the polled transitions. Allocates.
    std::vector<held_transition> pending() const;
    /// Returns whether the state, or a state with the tag, is active. Throws state_error for a path, a reference or a tag that is not in the chart.
    [[nodiscard]] bool is_in(const state_query& state) const;
    [[nodiscard]] bool is_in(state_ref state) const { return state ? detail::calls::is_in(engine_, *state.get()) : is_in(state_key(state)); }
    [[nodiscard]] bool is_in(const state_base& state) const { return detail::calls::is_in(engine_, state); }
    /// Returns the time since the state was last entered; zero if it is not active. Throws as is_in does.
    time_span time_in_state(const state_key& state) const;
    time_span time_in_state() const; ///< the time in current()
    /// Returns the clock: the sum of the times of all ticks and updates.
    time_span now() const;
    /// Returns the number of waiting events: deferred events, and events in the internal queue, the posted queue and the mailbox. Events in the
    /// mailbox count only after their post has completed.
    std::size_t queued() const;
    /// Returns how many calls of post returned full since the instance was created. Posts to the mailbox, and to an instance without queues, do not
    /// count. For an agent of a crowd, returns the sum over all agents of the crowd.
    std::uint64_t lost() const;
    /// Returns the nearest local of type T, or null. Searches from current() outwards, so it does not find locals inside regions.
    template <class T> T* local() const { return static_cast<T*>(local_of(detail::local_type_of<T>)); }

protected:
    friend class detail::agent_slot;
    friend class detail::machine_pool;
    friend struct detail::instance_access;
    /// Returns whether a guard or predicate of this instance runs. During that time, no call changes the instance.
    bool is_locked() const { return detail::calls::is_locked(engine_); }
    instance_base(const chart_base& chart, void* context, const instance_options& options, void* memory);
    void* root_context() const;
    result rebind_to(void* context);

private:
    template <class E> HSM_NOINLINE result process_slowly(E&& e) { return detail::calls::process(engine_, detail::refer(std::forward<E>(e))); }
    /// The path of process for calls from hooks, and for event types other than the chart's main type.
    template <class E> HSM_NOINLINE result process_other(E&& e) {
        if (!engine_.ready()) return process_slowly(std::forward<E>(e));
        const auto column = engine_.other_column(e);
        if (column == detail::engine::not_found) return process_searched(e);
        const auto* const known = engine_.row[column];
        return known ? engine_.handle_out_of_line(known, std::addressof(e)) : result::unhandled;
    }
    template <class E> HSM_NOINLINE result process_searched(const E& e) {
        const auto* const known = engine_.searched_program_for(e);
        return known ? engine_.handle(known, std::addressof(e)) : result::unhandled;
    }
    result update_for(time_span elapsed);
    void* local_of(const detail::local_type& type) const;

    mutable detail::engine engine_; // const queries can run guards
};

/// Returns agent.path_of_leaves().
std::string to_string(const instance_base& agent);

/// The memory that an instance needs outside of the object: see the constructor of instance that takes memory.
struct memory_need {
    std::size_t size;
    std::size_t alignment;
};
memory_need instance_memory(const chart_base& chart, const instance_options& options = {});

using prospect [[deprecated("renamed to can_result")]] = can_result;

} // namespace hsm
