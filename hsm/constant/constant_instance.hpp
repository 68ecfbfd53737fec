/// A running machine of a constant chart. It consists of a reference to the context and the active leaf. It allocates nothing, and handles each event
/// in one function call.
///
///     hsm::constant_instance<lamp_chart> agent(desk);
///     agent.start();
///     agent.process(button::press);
///     agent.is_in("on");       // a name that is not in the chart does not compile
///
/// The context must outlive the instance. Only one thread at a time may use an instance. Hooks must not throw: an exception terminates the program.
/// Hooks may call only these functions of their own instance: those of conditions, release(state), current() and is_in(). The last two describe the
/// state either before or after the transition.
/// With `hsm::queue<N, M>`, hooks may also call process() and stop(), which take effect when the transition or update is complete, and post().
#pragma once

// Included first, so that errors about definition calls have shorter include traces.
#include <hsm/op/detail/compiler.hpp>
#include <hsm/constant/detail/hook.hpp>
#include <hsm/constant/detail/transition.hpp>
#include <hsm/constant/constant_fsm.hpp>

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/detail/runner.hpp>

#include <concepts>
#include <optional>

namespace hsm {

namespace detail {

struct constant_access;

} // namespace detail

/// `Chart`: a constexpr object from `constant_chart`. `Queue`: hsm::queue<N, M>, if hooks call process or stop (N), or the program calls post (M).
/// `Observer`: the type of the instance's observer; include observed_instance.hpp.
template <auto Chart, class Queue = queue<0>, class Observer = unobserved>
class constant_instance : detail::constant_runner<std::remove_const_t<decltype(Chart)>, Queue, Observer> {
    using names_type = std::remove_const_t<decltype(Chart)>;
    using runner = detail::constant_runner<names_type, Queue, Observer>;
    using typename runner::chart_type, typename runner::core, typename runner::in_progress;
    using runner::completes_runs, runner::has_regions, runner::is_observed, runner::posts, runner::queues, runner::tables;
    using runner::follow, runner::inactive, runner::has_remaining_work, runner::may_begin, runner::settle_rest;
    using runner::state, runner::stop_now, runner::takes_none;

public:
    using context_type = typename chart_type::context_type;
    using ref = detail::constant_ref<names_type>;
    using key = detail::constant_state_key<names_type>;
    using condition_key = detail::constant_condition_key<names_type>;
    using trigger_key = detail::constant_trigger_key<names_type>;
    using timer_key = detail::constant_timer_key<names_type>;

    explicit constant_instance(context_type& c)
        requires(!is_observed)
    {
        core::context = std::addressof(c);
    }
    /// Attaches the observer. It immediately receives a `configuration` record without active states.
    template <class O>
        requires detail::observed_by<detail::constant_core<chart_type>, O>
    constant_instance(context_type& c, O& observer) {
        core::context = std::addressof(c);
        core::observe_by(observer);
    }
    constant_instance(const constant_instance&) = delete;
    constant_instance& operator=(const constant_instance&) = delete;

    /// Enters the root and then a leaf. Returns taken; busy if the instance was already started.
    result start() {
        if (!may_begin() || this->leaf != core::none) return result::busy;
        const in_progress now(*this);
        const detail::traced_call<core> call(*this, call_kind::start);
        if constexpr (chart_type::size.has_life_hooks) runner::initialize();
        follow(detail::constant_notify_change<chart_type>(*this, detail::constant_run_shared<chart_type, chart_type::size.start>(*this, {})));
        if constexpr (is_observed) core::trace_configuration(configuration_reason::start);
        return call.ends(result::taken);
    }
    /// Exits all active states. Returns taken or inactive; inside a hook, if the instance has a queue, returns queued.
    result stop() {
        if constexpr (queues)
            if (this->work & detail::constant_busy) {
                if (this->leaf == core::none && !runner::is_starting()) return result::inactive;
                this->work |= detail::constant_stop;
                return result::queued;
            }
        if (!may_begin()) return result::busy;
        if (this->leaf == core::none) return result::inactive;
        const in_progress now(*this);
        const detail::traced_call<core> call(*this, call_kind::stop);
        stop_now();
        return call.ends(result::taken);
    }

    /// Calls stop(), then runs the on_destroy hooks of all states, substates first. The next start() runs the on_init hooks again. Returns taken;
    /// inactive if the on_init hooks have not run; in a hook, busy.
    result destroy()
        requires(chart_type::size.has_life_hooks)
    {
        if (!may_begin()) return result::busy;
        if (!(this->work & detail::constant_ready)) return result::inactive;
        const in_progress now(*this);
        const detail::traced_call<core> call(*this, call_kind::destroy);
        if (active()) stop_now();
        runner::run_on_destroy();
        return call.ends(result::taken);
    }

    /// Sets the seed and the stream of this instance's choices by chance (both are 0 by default). Sets the number of choices made so far to 0.
    void set_chance(std::uint64_t seed, std::uint64_t stream)
        requires(chart_type::size.chance)
    {
        this->chance = {seed, stream, 0};
    }

    /// Sets or clears a condition, which is given by name or index. Hooks can call this function, clear() and get() of their own instance. A change
    /// fires no transition. Conditions keep their values in stop() and start().
    void set(const condition_key& c, bool on = true)
        requires(chart_type::size.conditions > 0)
    {
        change(c.number, on ? condition_step::on : condition_step::off);
    }
    /// Sets a condition that was defined as a trigger. It stays set until a transition uses it.
    void trigger(const trigger_key& c)
        requires(chart_type::size.conditions > 0)
    {
        set(c);
    }
    /// Sets a condition until the end of the next tick or decide. Requires constant_chart_options::pulses.
    void pulse(const condition_key& c)
        requires(chart_type::size.pulses)
    {
        change(c.number, condition_step::pulse);
    }
    // Compilers print the line of a deleted function.
    template <class C>
        requires(chart_type::size.conditions == 0)
    void set(const C&, bool = true) = delete; // hsm: the transitions of this constant chart require no conditions
    template <class C>
        requires(chart_type::size.conditions == 0)
    void trigger(const C&) = delete; // hsm: this constant chart has no triggers
    template <class C>
        requires(!chart_type::size.pulses)
    void pulse(const C&) = delete; // hsm: this constant chart needs the option constant_chart_options::pulses
    void clear(const condition_key& c)
        requires(chart_type::size.conditions > 0)
    {
        set(c, false);
    }
    /// Clears all conditions.
    void clear()
        requires(chart_type::size.conditions > 0)
    {
        if constexpr (is_observed)
            for (std::size_t c = 0; c < chart_type::size.conditions; ++c)
                if (this->bits >> c & 1) trace_condition(c, condition_step::off);
        this->bits = 0;
        if constexpr (chart_type::size.pulses) this->pulsed = this->ending = 0;
    }
    bool get(const condition_key& c) const
        requires(chart_type::size.conditions > 0)
    {
        return this->bits >> c.number & 1;
    }

    /// Handles the event. Returns taken, internal, guarded, deferred, unhandled or inactive, or full if it cannot be deferred; inside a hook, if the
    /// instance has a queue, returns queued, full or unhandled. The type of the event selects, at compile time, the functions that handle the event.
    /// For an enumerator, its value selects these functions. Outside a hook the event must live until the call returns.
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    template <event_variant V> HSM_ALWAYS_INLINE inline result process(const V& variant) {
        return visit_held(variant, [&](const auto& held) HSM_ALWAYS_INLINE_LAMBDA { return process(held); });
    }
    template <class E>
        requires(detail::event_class<E> || valued_event<E>)
    HSM_ALWAYS_INLINE inline result process(const E& event) {
        constexpr auto type = detail::constant_type<chart_type, detail::event_identity<E>>();
        if constexpr (type == chart_type::size.types) {
            if constexpr (is_observed || chart_type::size.unhandles) {
                if (!(this->work & detail::constant_busy)) return process_unknown(event);
            } else if constexpr (completes_runs) {
                if (has_remaining_work() && !(this->work & detail::constant_busy)) settle_rest();
            }
            return takes_none() ? result::inactive : result::unhandled;
        } else {
            if constexpr (queues)
                if (this->work & detail::constant_busy) {
                    const auto outcome = this->template enqueue<type>(runner::queue_, event);
                    if (outcome == result::queued) this->work |= detail::constant_queued;
                    return outcome;
                }
            if constexpr (completes_runs)
                if (has_remaining_work()) return process_after_rest<type>(event);
            HSM_ASSERT(!(this->work & detail::constant_busy) && "a hook calls process of its own constant instance: create the instance with an hsm::queue<N>");
            if constexpr (is_observed) return process_traced<type>(event);
            const in_progress now(*this);
            const auto code = this->template handle_event<type>(event);
            if constexpr (completes_runs) follow(code);
            return detail::constant_result(code);
        }
    }

    /// Stores a copy of the event for the next tick, decide or drain, inside or outside a hook. Returns queued, or if nothing was stored, full,
    /// unhandled or inactive.
    template <detail::no_event_object E> result post(const E&) { return detail::refuse_event<E>(), result::refused; }
    template <event_variant V> result post(const V& variant) {
        return visit_held(variant, [&](const auto& held) { return post(held); });
    }
    template <class E>
        requires(posts && (detail::event_class<E> || valued_event<E>))
    result post(const E& event) {
        constexpr auto type = detail::constant_type<chart_type, detail::event_identity<E>>();
        if constexpr (type == chart_type::size.types)
            return takes_none() ? result::inactive : result::unhandled;
        else
            return this->template enqueue<type>(runner::posted_, event);
    }
    template <class E>
        requires(!posts && (detail::event_class<E> || valued_event<E>))
    result post(const E&) = delete; // hsm: this constant instance has no queue for post: create it with hsm::queue<0, 4>
    result drain() // hsm: this constant instance has no queue to drain: create it with hsm::queue<0, 4>
        requires(!posts)
    = delete;
    /// Handles the posted events, without a tick. Returns taken if a transition fired, otherwise unhandled; inactive or busy like process.
    result drain()
        requires posts
    {
        if (!may_begin()) return result::busy;
        if (inactive()) return result::inactive;
        const in_progress now(*this);
        const detail::traced_call<core> call(*this, call_kind::drain);
        return call.ends(this->do_drain() ? result::taken : result::unhandled);
    }
    /// Ends all holds of an active state (by default the leaf) until it is entered again. The next tick, process or decide tries what waits for it.
    /// Returns queued; unhandled if the state is not active; inactive if the instance is not active. A hook must name the state.
    result release()
        requires(chart_type::size.holds > 0)
    {
        return release(current());
    }
    result release(const key& k)
        requires(chart_type::size.holds > 0)
    {
        if (takes_none()) return result::inactive;
        auto outcome = result::unhandled;
        for (detail::index s = 0; s < chart_type::size.states; ++s) {
            const auto hold = tables.states[s].hold;
            if (!k.is(s) || !(hold < 0 ? is_in(ref(s)) : this->holders >> hold & 1)) continue;
            if (hold >= 0) this->released |= std::uint64_t(1) << hold;
            outcome = result::queued;
        }
        return outcome;
    }
    template <class... State>
        requires(chart_type::size.holds == 0)
    result release(const State&...) = delete; // hsm: no state of this constant chart holds
    /// Returns the number of waiting events.
    std::size_t queued() const { return runner::queue_.size() + runner::posted_.size() + runner::deferred_.size(); }

    /// Handles events one after the other, like process, until the root is finished. Returns the number of handled events. In hooks, current() and
    /// is_in() describe the state before the first of these events.
    template <valued_event E> std::size_t feed(const E* events, std::size_t count) {
        constexpr auto type = detail::constant_type<chart_type, detail::event_identity<E>>();
        constexpr auto& size = chart_type::size;
        constexpr bool has_data = has_regions || size.candidates + size.conditions + size.time_cells + size.memories + size.locals + size.holds > 0;
        if constexpr (type == chart_type::size.types || completes_runs || is_observed || has_data || size.unhandles) {
            std::size_t n = 0;
            while (n < count && !takes_none()) process(events[n++]);
            return n;
        } else {
            HSM_ASSERT(!(this->work & detail::constant_busy) && "a hook calls feed of its own constant instance");
            const in_progress now(*this);
            auto head = static_cast<core&>(*this); // no other code has its address, so it can stay in registers
            std::size_t n = 0;
            for (; n < count && !detail::constant_is_inactive<chart_type>(head); ++n)
                detail::constant_rows<chart_type, type>::handle_in_line(head, detail::event_value(events[n]), std::addressof(events[n]));
            this->leaf = head.leaf;
            return n;
        }
    }

    /// Runs updates and polled transitions. At most one transition per level fires. Returns taken if a transition fired, otherwise unhandled;
    /// inactive if the instance is not active; refused for a negative time.
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {}) { return run_tick<true, true>(elapsed.nanoseconds()); }
    /// `decide` is a tick without updates, `update` a tick without decisions.
    result decide() { return run_tick<false, true>(0); }
    template <duration_like D> result update(D elapsed) { return update(time_span(elapsed)); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed) { return run_tick<true, false>(elapsed.nanoseconds()); }

    /// Returns the leaf; none if the instance is not started. Inside a hook, returns the leaf before or after the transition.
    ref current() const { return this->leaf == core::none ? ref() : ref(tables.leaves[this->leaf].state); }
    /// Returns whether the leaf is the given state or a state below it. The state is given by path, enumerator, `state_of<T>()`, or a result of
    /// current().
    [[nodiscard]] bool is_in(const key& k) const {
        bool found = false;
        for (std::size_t r = 0; !found && r < chart_type::size.regions; ++r) {
            const auto rank = detail::constant_leaf_in<chart_type>(*this, r);
            if (rank == core::none) continue;
            for (auto s = tables.leaves[rank].state; !found && s != tables.above(static_cast<detail::index>(r)); s = tables.states[s].superstate)
                found = k.is(s);
        }
        return found;
    }
    /// Returns the local of an active state that has a T, an inner one if there are several; null if there is none.
    template <class T>
    T* local()
        requires(chart_type::size.locals > 0)
    {
        T* found = nullptr;
        detail::constant_each_active<chart_type>(*this, [&](detail::index s) {
            const auto& span = tables.states[s].locals;
            for (auto l = span.first; !found && l < span.first + span.count; ++l)
                if (detail::same_type(*tables.locals[l].type, detail::local_type_of<T>))
                    found = reinterpret_cast<T*>(this->block + tables.locals[l].place);
        });
        return found;
    }
    bool active() const { return this->leaf != core::none; }
    /// Returns whether the root is finished. In that case, nothing else happens until stop().
    bool finished() const { return active() && inactive(); }
    /// Returns the sum of the times of all ticks and updates.
    time_span now() const
        requires(chart_type::size.time_cells > 0)
    {
        return time_span::from_nanoseconds(core::clock);
    }
    /// Returns the time since an active state was entered; otherwise 0. Requires constant_chart_options::entry_times.
    time_span time_in_state(const key& k) const
        requires(names_type::options.entry_times)
    {
        std::optional<time_span> found;
        detail::constant_each_active<chart_type>(*this, [&](detail::index s) {
            const auto cell = chart_type::size.entry_cells + tables.states[s].entries - 1;
            if (!found && k.is(s)) found = now() - time_span::from_nanoseconds(this->due_times[cell]);
        });
        return found.value_or(time_span());
    }
    template <class State>
        requires(!names_type::options.entry_times)
    time_span time_in_state(const State&) const = delete; // hsm: this constant chart needs the option constant_chart_options::entry_times
    /// Returns the shortest time until a timer with that label is due. Returns nothing if none of their sources is active, or if all are used up.
    std::optional<time_span> time_left(const timer_key& k) const
        requires(chart_type::size.timers > 0)
    {
        auto first = detail::constant_never;
        for (const auto& t : tables.timers)
            if (is_set(t, k) && this->due_times[t.cell] < first) first = this->due_times[t.cell];
        if (first == detail::constant_never) return {};
        return first > core::clock ? time_span::from_nanoseconds(first) - now() : time_span();
    }
    // The following calls change the timers with a label whose source is active. They fire no transition. They return taken; unhandled if no such
    // source is active; inactive if the instance is not active.
    /// Starts the timer again with its whole time. If a function computes the time, this call runs the function.
    result restart_timer(const timer_key& k)
        requires(chart_type::size.timers > 0)
    {
        return change_timers(k, [&]<std::uint32_t T>(std::integral_constant<std::uint32_t, T>) { detail::constant_arm<chart_type, T>(*this); });
    }
    /// Makes the timer due after that time; a negative time counts as 0. The period of an `every` does not change.
    result set_time_left(const timer_key& k, time_span left)
        requires(chart_type::size.timers > 0)
    {
        return set_due(k, core::add_times(core::clock, left.nanoseconds() < 0 ? 0 : left.nanoseconds()));
    }
    /// Stops the timer: its transition does not fire until the timer is started again, by a call or by an entry of its source.
    result cancel_timer(const timer_key& k)
        requires(chart_type::size.timers > 0)
    {
        return set_due(k, detail::constant_never);
    }
    context_type& context() const { return *core::context; }
    static constexpr std::size_t queue_size() { return Queue::slots; }

private:
    friend struct detail::constant_access;

    /// Returns refused for a variant that is valueless by exception.
    template <class V, class F> HSM_ALWAYS_INLINE static inline result visit_held(const V& variant, F f) {
        auto outcome = result::refused;
        const auto take = [&](const auto* held) HSM_ALWAYS_INLINE_LAMBDA {
            if (held) outcome = f(*held);
            return held != nullptr;
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA { (void)(take(get_if<I>(std::addressof(variant))) || ...); }
        (typename detail::variant_traits<V>::indices());
        return outcome;
    }
    HSM_ALWAYS_INLINE inline void change(std::size_t number, condition_step to) {
        const auto bit = std::uint64_t(1) << number;
        this->bits = to == condition_step::off ? this->bits & ~bit : this->bits | bit;
        if constexpr (chart_type::size.pulses) {
            this->pulsed = to == condition_step::pulse ? this->pulsed | bit : this->pulsed & ~bit;
            this->ending &= ~bit;
        }
        if constexpr (is_observed) trace_condition(number, to);
    }
    void trace_condition(std::size_t c, condition_step to) {
        core::trace_anywhere({record_kind::condition, static_cast<std::uint8_t>(to), record::no_state, tables.conditions[c].number, 0});
    }
    /// The destructor clears the pulses that existed when the object was created, unless they were set again.
    struct until_decided {
        explicit until_decided(constant_instance& i) : self(i) {
            self.ending |= self.pulsed;
            self.pulsed = 0;
        }
        until_decided(const until_decided&) = delete;
        ~until_decided() {
            if constexpr (is_observed)
                for (std::size_t c = 0; c < chart_type::size.conditions; ++c)
                    if (self.ending >> c & 1) self.trace_condition(c, condition_step::pulse_over);
            self.bits &= ~self.ending;
            self.ending = 0;
        }
        constant_instance& self;
    };
    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result tick_with_pulses(std::int64_t elapsed) {
        if constexpr (chart_type::size.pulses && Decisions) {
            const until_decided pulses(*this);
            return this->template do_tick<Hooks, Decisions>(elapsed);
        } else {
            return this->template do_tick<Hooks, Decisions>(elapsed);
        }
    }
    template <class Timer> bool is_set(const Timer& t, const timer_key& k) const {
        bool active = false;
        detail::constant_each_active<chart_type>(*this, [&](detail::index s) { active |= s == t.source; });
        return active && tables.text(t.label) == k.label;
    }
    result set_due(const timer_key& k, std::int64_t when) {
        return change_timers(k, [&]<std::uint32_t T>(std::integral_constant<std::uint32_t, T>) { this->due_times[tables.timers[T].cell] = when; });
    }
    template <class Change> result change_timers(const timer_key& k, Change change) {
        if (!may_begin()) return result::busy;
        if (inactive()) return result::inactive;
        auto outcome = result::unhandled;
        const auto visit = [&]<std::uint32_t T>(std::integral_constant<std::uint32_t, T> number) {
            const auto& timer = tables.timers[T];
            if (!is_set(timer, k)) return;
            change(number);
            outcome = result::taken;
            if constexpr (is_observed)
                core::trace_anywhere({record_kind::armed, 0, timer.source, T, static_cast<std::uint64_t>(this->due_times[timer.cell])});
        };
        [&]<std::uint32_t... T>(std::integer_sequence<std::uint32_t, T...>) { (visit(std::integral_constant<std::uint32_t, T>()), ...); }
        (std::make_integer_sequence<std::uint32_t, chart_type::size.timers>());
        return outcome;
    }
    template <std::size_t Type, class E> HSM_NOINLINE result process_after_rest(const E& event) {
        if (inactive()) return result::inactive;
        const detail::traced_call<core> call(*this, call_kind::process);
        settle_rest();
        const in_progress now(*this);
        if (inactive()) return call.ends(result::inactive);
        return call.ends(process_now<Type>(event));
    }
    /// Requires an observed instance.
    template <std::size_t Type, class E> HSM_NOINLINE result process_traced(const E& event) {
        if (inactive()) return result::inactive;
        const in_progress now(*this);
        const detail::traced_call<core> call(*this, call_kind::process);
        return call.ends(process_now<Type>(event));
    }
    template <std::size_t Type, class E> result process_now(const E& event) {
        [[maybe_unused]] const event_ref traced{&event_type_of<detail::event_identity<E>>, detail::event_value(event), {}, std::addressof(event)};
        if constexpr (is_observed) core::trace_event(event_origin::call, Type, traced);
        const auto code = this->template handle_event<Type>(event);
        follow(code);
        return detail::constant_result(code);
    }
    /// Handles an event of a type that no transition names, if that has an effect.
    template <class E> HSM_NOINLINE result process_unknown(const E& event) {
        if (takes_none()) return result::inactive;
        const detail::traced_call<core> call(*this, call_kind::process);
        if constexpr (completes_runs)
            if (has_remaining_work()) settle_rest();
        if (takes_none()) return call.ends(result::inactive);
        const in_progress now(*this);
        [[maybe_unused]] const event_ref traced{&event_type_of<detail::event_identity<E>>, detail::event_value(event), {}, std::addressof(event)};
        if constexpr (is_observed) core::trace_event(event_origin::call, chart_type::size.types, traced);
        const auto code = runner::decline(static_cast<detail::constant_code>(result::unhandled));
        follow(code);
        return call.ends(detail::constant_result(code));
    }

    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result run_tick(std::int64_t elapsed) {
        if (!may_begin()) return result::busy;
        if (!(Hooks && Decisions && runner::dispatch_finds_inactive) && this->leaf == core::none) return result::inactive;
        if (elapsed < 0) return this->leaf == core::none ? result::inactive : result::refused;
        const in_progress now(*this);
        if constexpr (requires { core::clock; } && !(runner::carries && Hooks && Decisions)) core::advance(elapsed);
        if constexpr (is_observed) {
            const detail::traced_call<core> call(*this, Hooks && Decisions ? call_kind::tick : Hooks ? call_kind::update : call_kind::decide);
            return call.ends(tick_with_pulses<Hooks, Decisions>(elapsed));
        } else {
            return tick_with_pulses<Hooks, Decisions>(elapsed);
        }
    }
};

} // namespace hsm
