/// One running machine, without its types: everything that `instance<Context>` can do and that needs no template.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/detail/local.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/compiler.hpp>
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

/// What an event would do now. True when it would cause a transition or a reaction.
struct prospect {
    result outcome;        ///< taken, internal, held, refused, guarded, unhandled or inactive
    std::string hint = {}; ///< for a name that no transition waits for: which one may have been meant

    explicit operator bool() const { return outcome == result::taken || outcome == result::internal; }
};

class instance_base {
public:
    // Destroyed while active, it destroys the locals of the active states; no hook runs. stop() first to have the exits.

    /// Enters the root and what follows. taken; busy when it is active already.
    result start();
    /// The same, but to that state, as a transition to it would lead there. Throws state_error if there is no such state.
    result start(const state_key& target);
    /// Exits everything, drops queued events. taken; inactive; queued inside a hook: after the transition or hook in progress.
    result stop();

    /// One frame: the clock, posted events, then from the root inwards updates and polled transitions.
    /// taken when a transition fired, unhandled when none did; busy inside a hook; inactive; refused for negative time.
    template <duration_like D> result tick(D elapsed) { return engine_.tick(time_span(elapsed).nanoseconds()); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {}) { return engine_.tick(elapsed.nanoseconds()); }
    /// A tick's posted events and polled transitions, without its clock and hooks.
    result decide();
    /// A tick's clock and hooks, without its decisions.
    template <duration_like D> result update(D elapsed) { return update_for(time_span(elapsed)); }
    template <std::floating_point S> result update(S seconds) { return update_for(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed = {}) { return update_for(elapsed); }

    /// Handles the event at once, and what follows from it; inside a hook it is queued until the hook's transition or
    /// update is complete. taken, internal, guarded, unhandled, inactive; queued, full; refused for a variant that has lost its value.
    /// An event that can be neither copied nor moved cannot be queued: inside a hook the answer is then full.
    /// Outside a hook the event is not copied: an lvalue, and the characters of a name, must live until the call returns. So they must not be part
    /// of a local of this instance, which a transition may destroy (asserted): process a copy, or post it.
    template <event_object E> HSM_ALWAYS_INLINE inline result process(E&& e) {
        if (!detail::holds_event(e)) return result::refused;
        using event = std::remove_cvref_t<E>;
        if constexpr (valued_event<event>) { // one way out of line, so that clang puts the rest in line
            if (!engine_.ready() || !engine_.is_main(e)) [[unlikely]]
                return process_other(std::forward<E>(e));
            const auto* const known = engine_.main_program_for(e);
            return known ? engine_.handle(known, std::addressof(e)) : result::unhandled;
        } else {
            if (!engine_.ready()) [[unlikely]]
                return process_slowly(std::forward<E>(e));
            if constexpr (!std::is_lvalue_reference_v<E> && !std::is_trivially_copyable_v<E>)
                if (engine_.chart->stores_events) return process_slowly(std::forward<E>(e)); // it may have to be kept, and then it is moved
            const auto* const known = engine_.program_for<event>(e);
            return known ? engine_.handle(known, detail::object_of_event(e)) : result::unhandled;
        }
    }
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    /// A name may bring data along: see event_data.hpp.
    result process(std::string_view name) { return detail::calls::process(engine_, detail::refer_name(name)); }
    result process(std::string_view name, event_data data) {
        return detail::calls::process(engine_, detail::refer_name(name, static_cast<event_data&&>(data)));
    }
    /// Keeps the event for the next tick, decide or drain. queued; full: nothing was stored, and lost() counts it; unhandled (no transition waits for
    /// it); inactive.
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
    /// Handles what was posted, also to the mailbox, without a tick.
    result drain();
    /// Where other threads post events. Throws usage_error (HSM-205) if instance_options::mailbox did not ask for one. It is asked for in the thread
    /// of the instance; the reference then may go to any other, and is valid as long as the instance lives, also when that is moved.
    hsm::mailbox& mailbox() const;
    /// Takes the memory of its queues, if it is not there yet: from then on the instance takes none. Throws std::bad_alloc.
    void reserve();
    /// What process would do with it now. Asks guards, changes nothing.
    template <event_object E> [[nodiscard]] prospect can(const E& e) const {
        return {detail::holds_event(e) ? detail::calls::can(engine_, detail::view_of_event(e)) : result::refused};
    }
    template <detail::no_event_object E> prospect can(const E&) const { return detail::refuse_event<E>(), prospect(); }
    [[nodiscard]] prospect can(std::string_view name, event_data data = {}) const;

    /// A transition from the leaf (with regions: of the target's region) to that state, with priority 0. taken; queued inside a hook; full; inactive.
    /// Throws state_error if there is no such state.
    /// If a state that would be left holds, the request waits: held; refused, if something of higher priority waits already.
    result change_to(const state_key& target);
    result change_to(state_ref target) { return target ? change_to(*target.get()) : change_to(state_key(target)); }
    result change_to(const state_base& target) { return detail::calls::change_to(engine_, target, false); }
    /// The same, whatever holds.
    result force_to(const state_key& target);
    result force_to(state_ref target) { return target ? force_to(*target.get()) : force_to(state_key(target)); }
    result force_to(const state_base& target) { return detail::calls::change_to(engine_, target, true); }
    /// Marks an active state (default: `current()`) as over; the next tick, process or decide acts upon it.
    result finish();
    result finish(const state_key& state);

    /// Lets an active state (default: `current()`) be left, whatever holds it, until it is entered anew; the next tick, process
    /// or decide acts upon it. queued; unhandled if it is not active; inactive.
    result release();
    result release(const state_key& state);

    // Conditions: bits of this instance, by name, index or handle. They last until they are changed, also while it is not
    // active; reset() clears them. Nothing happens at once: transitions ask for them. Throws condition_error for one that
    // the chart does not have, and where bit 0 is to be changed.
    void set(const condition_key& c, bool on = true) { detail::calls::set_condition(engine_, c, on ? condition_change::on : condition_change::off); }
    void set(const condition& c, bool on = true) {
        if (!engine_.change_condition(c, on ? condition_change::on : condition_change::off)) set(condition_key(c), on);
    }
    template <std::size_t N> void set(const condition_key&, const char (&)[N]) = delete; ///< one at a time
    /// Sets it until the end of the next tick or decide.
    void pulse(const condition_key& c) { detail::calls::set_condition(engine_, c, condition_change::pulse); }
    void pulse(const condition& c) {
        if (!engine_.change_condition(c, condition_change::pulse)) pulse(condition_key(c));
    }
    bool get(const condition_key& c) const { return detail::calls::get_condition(engine_, c); }
    bool get(const condition& c) const {
        const auto number = engine_.quick_number_of(c);
        return number != 0 ? engine_.holds(number) : get(condition_key(c));
    }
    void clear(const condition_key& c) { set(c, false); }
    void clear(const condition& c) { set(c, false); }
    void clear() { detail::calls::clear_conditions(engine_); } ///< all of them

    /// stop() and start(), if it is active; start() if not. taken; busy inside a hook.
    result restart();
    /// stop(), and then what was initialized before the first start is told to end: on_destroy, substates first. A later
    /// start() initializes anew. taken; inactive if there was nothing to do; busy inside a hook.
    result destroy();

    // Without hooks, for tests and cheats. taken; busy inside a hook.
    /// Inactive, as if it had never been started: locals are destroyed, queues, history, clock, pause and time scale are cleared.
    result reset();
    /// That state is the innermost active one. What is active already stays, locals are made, timers begin to run; a
    /// machine is at rest, and chooses where to go in the next tick. Throws state_error if there is no such state.
    result set_state(const state_key& target);

    /// Becomes what the other one was, of the same chart: in its states, with its locals, timers, conditions and history, as long in them as it.
    /// No hook runs. That one is then as if it had never been started; contexts, queues and clocks stay where they are. taken; busy if
    /// this one is active, or a hook of one of them runs; refused for another chart, or if something waits in that one (events,
    /// what a state holds); full if it runs at a scaled time, for which this one has no place. If a local can only be copied,
    /// and that throws, nothing has changed.
    result take_over(instance_base& other);

    // The clock. Time passes in ticks and updates only.
    /// Ticks and updates go on, but no time passes in them, until resume().
    void pause() { detail::calls::pause(engine_, true); }
    void resume() { detail::calls::pause(engine_, false); }
    bool paused() const { return (engine_.state & detail::state_paused) != 0; }
    /// How much faster than in ticks the time passes here: 0.5 is half as fast. taken; refused for what is no factor; full
    /// for an instance that was made without queues, which has no place for it.
    result set_time_scale(double factor) { return detail::calls::scale_time(engine_, factor); }
    double time_scale() const { return detail::calls::time_scale(engine_); }
    /// Until the `after` of a transition, or the next `every`, is due; nothing if its source is not active, if it has no time,
    /// or if it has fired.
    template <class T> std::optional<time_span> time_left(const T& transition) const {
        std::int64_t left = 0;
        if (!detail::calls::time_left(engine_, transition.spec(), left)) return {};
        return time_span::from_nanoseconds(left);
    }

    /// From now on that observer is told what happens: what is active, and then each record of these kinds. Include <hsm/run/attachment.hpp>.
    /// In a hook: from the next call on. Throws usage_error (HSM-208) in a guard, and rethrows what the observer throws; then it is not attached.
    attachment attach(observer& to, record_kinds kinds);
    attachment attach(observer& to); ///< of all kinds

    /// Is a call to it in progress, that is, is this asked by one of its own hooks?
    bool busy() const { return detail::is_busy(engine_); }
    bool active() const { return static_cast<bool>(current()); }
    /// The root is over: ticks only move the clock, until stop().
    bool finished() const;
    /// The innermost active state, found by walking down from the root machine; where regions are active together, the
    /// parallel that they are in. Empty when inactive.
    state_ref current() const;
    /// The innermost active states, one of each region, in the order of definition. Allocates.
    std::vector<state_ref> leaves() const;
    /// Their paths, in one line for people: "fight/legs/run, fight/arms/swing"; "none" when inactive.
    std::string path_of_leaves() const;
    /// Throws state_error for a path or a reference that is not in the chart.
    [[nodiscard]] bool is_in(const state_key& state) const;
    [[nodiscard]] bool is_in(state_ref state) const { return state ? detail::calls::is_in(engine_, *state.get()) : is_in(state_key(state)); }
    [[nodiscard]] bool is_in(const state_base& state) const { return detail::calls::is_in(engine_, state); }
    /// Since it was last entered; zero when it is not active. Throws as is_in does.
    time_span time_in_state(const state_key& state) const;
    time_span time_in_state() const; ///< of the leaf
    /// All the time that has passed in ticks and updates.
    time_span now() const;
    /// Events that wait, in both queues and the mailbox; of the mailbox, what has arrived by now.
    std::size_t queued() const;
    /// How many posted events have been answered with `full` since it was made. Its mailbox, and an instance without queues, count none. Of an agent
    /// of a crowd: those of all agents.
    std::uint64_t lost() const;
    /// The nearest T from current() outwards, so none of a region; null if there is none.
    template <class T> T* local() const { return static_cast<T*>(local_of(detail::local_type_of<T>)); }

protected:
    friend class detail::agent_slot;
    friend class detail::machine_pool;
    friend struct detail::instance_access;
    /// Does a guard or predicate of it run? Then no call changes it.
    bool only_looks() const { return detail::calls::only_looks(engine_); }
    instance_base(const chart_base& chart, void* context, const instance_options& options, void* memory);
    void* root_context() const;
    result rebind_to(void* context);

private:
    template <class E> HSM_NOINLINE result process_slowly(E&& e) { return detail::calls::process(engine_, detail::refer(std::forward<E>(e))); }
    /// In a hook, or one that is not of the chart's main type.
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

    mutable detail::engine engine_; // asking it something may run guards
};

/// As path_of_leaves.
std::string to_string(const instance_base& agent);

/// What an instance needs besides itself, to be created in memory of the user's.
struct memory_need {
    std::size_t size;
    std::size_t alignment;
};
memory_need instance_memory(const chart_base& chart, const instance_options& options = {});

} // namespace hsm
