/// Executes the calls of an instance of a constant chart: the effects of a transition, and the steps of a tick.
#pragma once

#include <hsm/constant/detail/chain.hpp>
#include <hsm/constant/detail/dispatch.hpp>
#include <hsm/constant/detail/names.hpp>
#include <hsm/constant/detail/queue.hpp>
#include <hsm/constant/detail/regions.hpp>
#include <hsm/constant/detail/ticks.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

#ifdef NDEBUG
constexpr bool constant_asserts = false;
#else
constexpr bool constant_asserts = true;
#endif

/// `Names`: the user's chart. Only constant_instance uses this class.
template <class Names, class Queue, class Observer>
class constant_runner : protected constant_core<typename constant_chart_for<Names, Observer>::type> {
protected:
    using chart_type = typename constant_chart_for<Names, Observer>::type;
    using core = constant_core<chart_type>;
    static constexpr auto& tables = chart_type::tables;
    static constexpr bool queues = Queue::slots > 0;
    static constexpr bool posts = Queue::posted > 0;
    static constexpr bool completes = chart_type::size.marks > 0;
    static constexpr bool has_always = chart_type::size.always;
    static constexpr bool defers = chart_type::size.defers;
    static constexpr bool holds = chart_type::size.holds > 0;
    static constexpr bool ends = chart_type::size.ends;
    static constexpr bool completes_runs = queues || completes || has_always || defers || holds || ends || chart_type::size.transients;
    static constexpr bool works_later = queues || has_always || holds || ends || chart_type::size.finishes; ///< an update can leave work
    static constexpr bool has_regions = chart_type::size.regions > 1;
    static constexpr bool carries = chart_type::size.carried > 0;
    static constexpr bool has_any_event = chart_type::size.any_event < chart_type::size.types;
    static constexpr bool is_observed = !std::is_same_v<chart_type, Names>;

    /// The selection of a whole tick by the leaf finds out whether the instance is started. Otherwise, this is tested before.
    static constexpr bool dispatch_finds_inactive =
        !has_regions && !holds && !is_observed && !chart_type::size.pulses && chart_type::size.steps > 0 && !requires { core::clock; };

    using selection = constant_selection<chart_type>;

    /// The changes of the transitions of one step.
    struct trail {
        int unchanged = 0x7fff; ///< the number of outermost states that none of them changed
        bool fired = false;
    };

    static bool is_taken(constant_code code) { return (code & 63) == static_cast<constant_code>(result::taken); }
    static void note(constant_code code, trail& t) {
        if (!is_taken(code)) return;
        t.fired = true;
        if (constant_unchanged(code) < t.unchanged) t.unchanged = constant_unchanged(code);
    }

    /// Returns whether a chain_error has left work.
    bool has_remaining_work() const { return (queues && constant_has_work<chart_type>(*this)) || is_due() || (holds && this->work & constant_pends); }
    void settle_rest() {
        const in_progress now(*this);
        trail t;
        run_to_completion(constant_next, t);
        try_pending(t);
    }

    /// Exists while hooks may run. It is stored only if a queue or an assertion needs it.
    struct in_progress {
        static constexpr bool tracks_busy = queues || posts || constant_asserts;
        HSM_ALWAYS_INLINE explicit in_progress(constant_runner& i) : self(i) {
            if constexpr (tracks_busy) self.work |= constant_busy;
        }
        in_progress(const in_progress&) = delete;
        HSM_ALWAYS_INLINE ~in_progress() {
            if constexpr (tracks_busy) self.work = static_cast<std::uint8_t>(self.work & ~constant_busy);
        }
        constant_runner& self;
    };

    bool may_begin() const {
        HSM_ASSERT((queues || !(this->work & constant_busy)) && "a hook can call only current and is_in of its own constant instance");
        return !(in_progress::tracks_busy && (this->work & constant_busy));
    }
    bool inactive() const { return constant_is_inactive<chart_type>(*this); }
    /// Hooks of start() can send events, too.
    bool takes_none() const { return this->leaf == core::none ? !is_starting() : inactive(); }
    /// Requires that no state is active. Returns whether start() is entering the root. Hooks of on_init and on_destroy run outside of that.
    bool is_starting() const { return (this->work & constant_busy) && (!chart_type::size.has_life_hooks || (this->work & constant_ready)); }
    index state() const { return this->leaf == core::none ? no_index : tables.leaves[this->leaf].state; }

    template <std::size_t Type> HSM_ALWAYS_INLINE inline constant_code handle(const void* payload, std::int64_t value) {
        if constexpr (ends)
            if (inactive()) return static_cast<constant_code>(result::inactive);
        if constexpr (has_regions)
            return handle_in_regions<Type>(payload, value);
        else
            return pend_if_held(constant_rows<chart_type, Type>::handle(*this, value, payload), Type, payload);
    }
    template <std::size_t Type> constant_code handle_in_regions(const void* payload, std::int64_t value) {
        using rows = constant_rows<chart_type, Type>;
        if constexpr (!rows::type.is_taken && !holds) payload = nullptr; // so that it need not be in memory
        const auto column = rows::column(value);
        if (column >= rows::width) return constant_declined<chart_type>(*this);
        if constexpr (rows::width == 1) {
            return handle_column<Type, 0>(*this, payload);
        } else {
            static constexpr auto table = []<std::size_t... I>(std::index_sequence<I...>) {
                return constant_array<constant_code (*)(constant_runner&, const void*), rows::width>{&handle_column<Type, I>...};
            }
            (std::make_index_sequence<rows::width>());
            return table[column](*this, payload);
        }
    }
    template <std::size_t Type, std::size_t Column> static constant_code handle_column(constant_runner& self, const void* payload) {
        using event = constant_region_event<chart_type, Type, Column>;
        if constexpr (event::is_none) {
            return constant_declined<chart_type>(self);
        } else if constexpr (event::is_one) {
            return self.pend_if_held(constant_notify_change<chart_type>(self, event::handle_in_one(self, payload)), Type, payload);
        } else if constexpr (event::is_two) {
            return event::handle_in_two(self, payload);
        } else if constexpr (event::are_by_phases) {
            return event::handle_in_each(self, payload);
        } else {
            if (self.inactive()) return static_cast<constant_code>(result::inactive);
            constexpr auto waiting = tables.waiting[tables.types[Type].first + Column];
            selection selected;
            const auto find = [&](std::size_t rank) { return constant_rows<chart_type, Type>::template find<Column>(self, rank, payload); };
            if constexpr (waiting.stays)
                selected.select_apart(self, waiting.regions, find);
            else
                selected.select(self, find);
            if constexpr (waiting.waits)
                if (const auto code = self.pend_held(selected, Type, payload); selected.count == 0 && code != constant_next) return code;
            if (selected.count > 0) return selected.fire(self, {payload});
            return static_cast<constant_code>(selected.deferred ? result::deferred : selected.guarded ? result::guarded : result::unhandled);
        }
    }
    /// Fires the transition that the code contains.
    constant_code fire_selected(constant_code code, const void* payload = nullptr) {
        if constexpr (has_regions) {
            selection one;
            if (one.add(code)) return one.fire(*this, {payload});
        }
        return constant_notify_change<chart_type>(*this, code);
    }

    /// Handles the event of a call. A deferred event is copied.
    template <std::size_t Type, class E> HSM_ALWAYS_INLINE inline constant_code handle_event(const E& event) {
        const auto value = event_value(event);
        if constexpr (holds) this->store = std::is_copy_constructible_v<E> ? event_type_of<event_identity<E>>.store : nullptr;
        auto code = decline(handle<Type>(std::addressof(event), value));
        if constexpr (defers && std::is_copy_constructible_v<E>)
            if (constant_result(code) == result::deferred) code = defer(Type, value, [&](void* slot) { new (slot) E(event); });
        return code;
    }
    /// Offers an event that the other transitions have declined to those on any_event, then to on_unhandled hooks. Returns the code of the event.
    HSM_ALWAYS_INLINE inline constant_code decline(constant_code code, [[maybe_unused]] bool runs_hooks = true) {
        if constexpr (chart_type::size.unhandles) {
            const auto outcome = constant_result(code);
            if (outcome != result::unhandled && outcome != result::guarded) return code;
            if constexpr (has_any_event)
                if (const auto taken = try_any_event(); constant_result(taken) != result::unhandled) return taken;
            if (outcome == result::unhandled && runs_hooks) run_on_unhandled();
        }
        return code;
    }
    HSM_NOINLINE constant_code try_any_event() {
        if constexpr (has_regions) {
            const auto code = fire_selected(constant_run_shared<chart_type, chart_type::size.any_event_of_all>(*this, {}));
            if (code != constant_next) return code;
            bool waits = false;
            constant_each_active<chart_type>(*this, [&](index s) {
                const auto& span = tables.states[s].events;
                for (auto t = span.first; t < span.first + span.count; ++t)
                    waits |= tables.events[tables.transitions[t].event].type == chart_type::size.any_event;
            });
            return static_cast<constant_code>(waits ? result::guarded : result::unhandled);
        } else {
            return handle<chart_type::size.any_event>(nullptr, 0);
        }
    }
    /// Calls the on_unhandled hooks of the innermost active state that has some; of several regions the first.
    HSM_ALWAYS_INLINE inline void run_on_unhandled() {
        if constexpr (chart_type::size.unhandles) {
            auto innermost = no_index;
            constant_function_of<chart_type> program = nullptr;
            for (std::size_t r = 0; r < chart_type::size.regions; ++r) {
                const std::size_t rank = constant_leaf_in<chart_type>(*this, r);
                const auto s = rank == core::none ? no_index : tables.innermost_unhandled(tables.leaves[rank].state);
                if (s == no_index || (innermost != no_index && tables.states[s].depth <= tables.states[innermost].depth)) continue;
                innermost = s;
                program = constant_declined_table<chart_type>[rank];
            }
            if (program) program(*this, {});
        }
    }
    /// Stores an event whose transition a state holds. Sets `payload` to the stored object. Returns held or refused.
    HSM_NOINLINE constant_code pend(std::uint32_t transition, std::size_t type, const void*& payload) {
        auto& slot = this->pending[tables.slot_of(tables.transitions[transition].level)];
        if (!this->store || (slot.transition && tables.transitions[slot.transition - 1].priority > tables.transitions[transition].priority))
            return static_cast<constant_code>(result::refused);
        const auto& how = *tables.types[type].type.address;
        if constexpr (defers)
            if (core::recalling) core::recalling->check(constant_ref<Names>(state()).path(), has_regions);
        this->events[this->spare].fill(type, how.value ? how.value(payload) : 0, [&](void* to) { this->store(to, payload); });
        if (slot.transition) core::drop(slot);
        std::swap(slot.at, this->spare);
        slot.transition = transition + 1;
        this->work |= constant_pends;
        payload = core::event_of(slot).object;
        this->store = how.store; // the object may be needed again
        return static_cast<constant_code>(result::held);
    }
    HSM_ALWAYS_INLINE inline constant_code pend_if_held(constant_code code, [[maybe_unused]] std::size_t type, [[maybe_unused]] const void* payload) {
        if constexpr (holds)
            if (constant_result(code) == result::held) return pend(code >> 8, type, payload);
        return code;
    }
    /// Returns whether a state holds an event.
    bool is_held(std::uint32_t transition) {
        const auto test = constant_move_table<chart_type, &constant_move::holds>[transition];
        return test && constant_result(test(*this, {})) == result::held;
    }
    /// Stores the event for each selected transition that a state holds, and removes these. Afterwards, `payload` points to the
    /// event of the others. Returns held or refused; constant_next if none is held.
    HSM_NOINLINE constant_code pend_held(selection& selected, std::size_t type, const void*& payload) {
        std::uint64_t held = 0; // all are tested before the event is stored
        for (std::size_t i = 0; i < selected.count; ++i) held |= std::uint64_t(is_held(selected.transitions[i])) << i;
        auto code = constant_next;
        std::size_t left = 0;
        for (std::size_t i = 0; i < selected.count; ++i)
            if (!(held >> i & 1))
                selected.transitions[left++] = selected.transitions[i];
            else if (const auto pends = pend(selected.transitions[i], type, payload); constant_result(code) != result::held)
                code = pends;
        selected.count = left;
        return code;
    }
    /// Tries a waiting transition again.
    constant_code retry(std::uint32_t transition, const void* payload = nullptr) {
        const auto first = has_regions ? 0 : this->leaf * chart_type::size.held;
        const auto program = constant_retry_table<chart_type>[first + static_cast<std::uint32_t>(tables.transitions[transition].waits)];
        return program ? fire_selected(program(*this, {payload}), payload) : constant_next;
    }
    /// Tries the pending events, outermost level first.
    void try_pending([[maybe_unused]] trail& t) {
        if constexpr (holds) {
            if (!(this->work & constant_pends)) return;
            for (auto& slot : this->pending) {
                if (inactive() || !slot.transition) continue;
                if constexpr (has_regions)
                    if (is_held(slot.transition - 1)) continue;
                const auto code = retry(slot.transition - 1, core::event_of(slot).object);
                this->firing = core::no_slot;
                if (constant_result(code) == result::held) continue;
                core::drop(slot);
                if (!is_taken(code)) continue;
                note(code, t);
                run_to_completion(code, t);
            }
            bool pends = false;
            for (const auto& slot : this->pending) pends |= slot.transition != 0;
            if (!pends) this->work = static_cast<std::uint8_t>(this->work & ~constant_pends);
        }
    }
    /// Tries pending events, and the polled transitions that wait for a state after its update.
    void try_again([[maybe_unused]] const constant_step& done, [[maybe_unused]] trail& t) {
        if constexpr (holds) {
            try_pending(t);
            for (auto& w : this->waiting) {
                if (!(this->work & constant_waits) || inactive()) break;
                if (!w.transition || !(w.holder == no_index || (w.holder == done.state && stays(done, t)))) continue;
                const auto code = retry(std::exchange(w.transition, 0) - 1);
                if (code == constant_next) continue;
                note(code, t);
                run_to_completion(code, t);
            }
            this->updated = no_index;
        }
    }
    /// Removes waiting transitions: all, or those whose holder was exited.
    void stop_waiting([[maybe_unused]] bool all) {
        if constexpr (holds) {
            if (!(this->work & constant_waits)) return;
            bool waits = false;
            for (auto& w : this->waiting) {
                if (all || w.holder == no_index) w.transition = 0;
                waits |= w.transition != 0;
            }
            if (!waits) this->work = static_cast<std::uint8_t>(this->work & ~constant_waits);
        }
    }
    /// Exists during a tick, decide or update: then transitions can wait.
    struct in_tick {
        in_tick(constant_runner& i, bool decisions) : self(i) {
            self.ticking = true;
            if (decisions) self.stop_waiting(true);
        }
        in_tick(const in_tick&) = delete;
        ~in_tick() {
            self.ticking = false;
            self.updated = no_index;
            self.stop_waiting(self.inactive());
        }
        constant_runner& self;
    };
    /// Stores an event. construct(slot) constructs its object. Returns deferred or full.
    template <class Construct> HSM_NOINLINE constant_code defer(std::size_t type, std::int64_t value, Construct construct) {
        if (deferred_.full()) {
            trace_dropped(drop_reason::full, type, value);
            return static_cast<constant_code>(result::full);
        }
        deferred_.push(type, value, construct);
        if constexpr (is_observed) core::trace_waiting(record_kind::deferred, 0, type, value);
        return static_cast<constant_code>(result::deferred);
    }
    /// Handles a stored event.
    template <std::size_t... Type>
    constant_code handle_stored(std::size_t type, const void* object, std::int64_t value, std::index_sequence<Type...>) {
        auto code = constant_next;
        if constexpr (holds) this->store = tables.types[type].type.address->move;
        [[maybe_unused]] const auto handle_if = [&]<std::size_t T>(std::integral_constant<std::size_t, T>) {
            if (type == T) code = handle<T>(object, value);
        };
        (handle_if(std::integral_constant<std::size_t, Type>()), ...);
        return code;
    }
    static constexpr auto all_types = std::make_index_sequence<chart_type::size.types>();

    void trace_dropped([[maybe_unused]] drop_reason why, [[maybe_unused]] std::size_t type, [[maybe_unused]] std::int64_t value) {
        if constexpr (is_observed) core::trace_waiting(record_kind::dropped, static_cast<std::uint8_t>(why), type, value);
    }
    /// Adds the event to a queue. Returns queued, or why it cannot wait there.
    template <std::size_t Type, class E, class Waiting> result enqueue(Waiting& queue, const E& event) {
        static_assert(std::is_copy_constructible_v<E> || !std::is_move_constructible_v<E>,
                      "hsm: this event cannot be copied, so it cannot be queued");
        if (takes_none()) return result::inactive;
        using rows = constant_rows<chart_type, Type>;
        if constexpr (valued_event<E>)
            if (rows::column(event_value(event)) >= rows::width) return result::unhandled;
        if (!std::is_copy_constructible_v<E> || queue.full()) {
            trace_dropped(drop_reason::full, Type, event_value(event));
            return result::full;
        }
        if constexpr (std::is_copy_constructible_v<E>) queue.push(event, Type, event_value(event));
        return result::queued;
    }

    /// Handles the first event of a queue. Throws queue_error if it cannot be deferred.
    template <class Waiting> constant_code handle_oldest(Waiting& queue) {
        struct taken_out {
            constant_runner& self;
            Waiting& from;
            ~taken_out() {
                from.pop();
                if (self.queue_.empty()) self.work = static_cast<std::uint8_t>(self.work & ~constant_queued);
            }
        } const when_done{*this, queue};
        queue.begin();
        const auto& type = *tables.types[queue.type()].type.address;
        [[maybe_unused]] const event_ref traced{&type, queue.value(), {}, queue.object()};
        if constexpr (is_observed) core::trace_event(Waiting::origin, queue.type(), traced);
        auto code = decline(handle_stored(queue.type(), queue.object(), queue.value(), all_types));
        if constexpr (defers)
            if (constant_result(code) == result::deferred) {
                code = defer(queue.type(), queue.value(), [&](void* slot) { type.move(slot, queue.object()); });
                if (constant_result(code) == result::full)
                    throw_lost_event(root_name(), type, queue.value(), event_name(queue.type(), queue.value()));
            }
        return code;
    }
    static std::string_view root_name() { return tables.text(tables.states[0].name); }
    /// Returns the name that the definition gives the value.
    static std::string_view event_name(std::size_t type, std::int64_t value) {
        for (const auto& e : tables.events)
            for (auto v = e.values.first; e.type == type && e.name.count > 0 && v < e.values.first + e.values.count; ++v)
                if (tables.values[v].first <= value && value <= tables.values[v].last) return tables.text(e.name);
        return {};
    }

    /// Offers the deferred events, from `next` on, until one is consumed. The others keep their place.
    constant_code recall_deferred([[maybe_unused]] std::size_t& next, [[maybe_unused]] constant_chain& chain) {
        if constexpr (defers) {
            for (; next < deferred_.size(); ++next) {
                const auto code = offer(next, chain);
                if (!is_taken(code) && constant_result(code) != result::internal && constant_result(code) != result::held) continue;
                if constexpr (is_observed) core::trace_waiting(record_kind::recalled, 0, deferred_[next].type, deferred_[next].value);
                deferred_.remove(next);
                chain.link(constant_ref<Names>(state()).path(), has_regions);
                return code;
            }
            next = none_offered;
        }
        return constant_next;
    }
    static constexpr std::size_t none_offered = SIZE_MAX;
    constant_code offer(std::size_t i, constant_chain& chain) {
        struct until_handled {
            constant_runner& self;
            ~until_handled() { self.recalling = nullptr; }
        } const at_end{*this};
        const auto& e = deferred_[i];
        core::recalling = &chain;
        [[maybe_unused]] const event_ref traced{tables.types[e.type].type.address, e.value, {}, e.object};
        if constexpr (is_observed)
            if (!chain.is_at_its_end()) core::trace_event(event_origin::deferred, e.type, traced);
        return decline(handle_stored(e.type, e.object, e.value, all_types), false); // on_unhandled does not run for recalled events
    }

    /// Handles as many posted events, each with all that follows.
    void handle_posted(std::size_t count, [[maybe_unused]] trail& t) {
        if constexpr (posts)
            for (; count > 0 && !inactive(); --count) {
                const auto code = handle_oldest(posted_);
                note(code, t);
                if constexpr (completes_runs) run_to_completion(code, t);
            }
    }
    /// Returns whether a transition fired.
    bool do_drain() {
        trail t;
        const auto count = posted_.size();
        if constexpr (completes_runs) run_to_completion(constant_next, t);
        try_pending(t);
        handle_posted(count, t);
        return t.fired;
    }

    /// Runs the on_init hooks before the first start.
    void initialize() {
        if (this->work & constant_ready) return;
        for (const auto& s : tables.states) run_hooks(s.init);
        this->work |= constant_ready;
    }
    void run_on_destroy() {
        this->work = static_cast<std::uint8_t>(this->work & ~constant_ready);
        for (auto s = chart_type::size.states; s-- > 0;) run_hooks(tables.states[s].destroy);
    }
    void run_hooks(const constant_span& hooks) {
        for (auto h = hooks.first; h < hooks.first + hooks.count; ++h) tables.hooks[h](*this->context, {});
    }

    void stop_now() {
        if constexpr (holds) {
            for (auto& slot : this->pending)
                if (slot.transition) core::drop(slot);
            stop_waiting(true);
        }
        constant_leaf_table<chart_type, &constant_leaf_row::stop>[this->leaf](*this, {});
        if constexpr (ends) this->root_mark.is_set = false;
        const auto drop = [&](std::size_t type, std::int64_t value) { trace_dropped(drop_reason::over, type, value); };
        if constexpr (is_observed) deferred_.each(drop), queue_.each(drop), posted_.each(drop);
        deferred_.clear(), queue_.clear(), posted_.clear();
        if constexpr (is_observed) core::trace_configuration(configuration_reason::stop);
        this->work &= constant_busy | constant_ready;
    }

    /// Executes the work that a transition leaves: transient states, completion, events in the queue.
    HSM_ALWAYS_INLINE inline void follow(constant_code code) {
        if constexpr (completes_runs) {
            trail t;
            if (leaves_work(code)) run_to_completion(code, t);
        }
    }
    HSM_ALWAYS_INLINE inline bool leaves_work(constant_code code) const {
        bool more = code & constant_transient;
        if constexpr (completes) more = more || this->due;
        if constexpr (has_regions) more = more || this->entered;
        if constexpr (works_later || defers) more = more || constant_has_work<chart_type>(*this);
        return more;
    }

    HSM_NOINLINE void run_to_completion(constant_code last, trail& t) {
        struct over {
            constant_runner& self;
            ~over() { // also after a chain_error
                self.work = static_cast<std::uint8_t>(self.work & ~(constant_fired | constant_recall));
                if constexpr (has_regions) self.entered = 0;
            }
        } const when_over{*this};
        constant_chain chain;
        std::uint64_t just_entered = 0; // levels on which a state was entered
        bool tries = false;             // one of these is transient
        auto next = none_offered;       // the deferred event that is offered next
        bool fired = false;             // since on_settled ran
        while (true) {
            if constexpr (queues)
                if (this->work & constant_stop) {
                    t.unchanged = 0;
                    return stop_now();
                }
            if (inactive()) return;
            if constexpr (chart_type::size.transients && !has_regions)
                if (is_taken(last)) {
                    just_entered |= constant_unchanged(last) < 64 ? ~std::uint64_t(0) << constant_unchanged(last) : 0;
                    tries |= (last & constant_transient) != 0;
                }
            if constexpr (has_regions) tries = this->entered != 0;
            if (tries) {
                last = try_transients(just_entered, chain);
                tries = is_taken(last);
                if constexpr (has_regions)
                    this->entered = tries ? this->entered : 0;
                else
                    just_entered &= tries ? ~(std::uint64_t(1) << chain.asked()) : 0; // unless it is exited and entered again
            } else if (is_due()) {
                last = complete(chain);
            } else if ((has_always || defers) && this->work & constant_fired) {
                this->work = static_cast<std::uint8_t>(this->work & ~constant_fired);
                fired = true;
                last = try_always(chain);
                if (last == constant_next && this->work & constant_recall) {
                    this->work = static_cast<std::uint8_t>(this->work & ~constant_recall);
                    next = 0;
                }
            } else if (next != none_offered) {
                last = recall_deferred(next, chain);
            } else if (queues && !queue_.empty()) {
                if constexpr (queues) {
                    chain.link(constant_ref<Names>(tables.leaves[this->leaf].state).path(), has_regions);
                    last = handle_oldest(queue_);
                }
            } else if (chart_type::size.settles && fired) {
                fired = false;
                last = constant_run_shared<chart_type, chart_type::size.settled>(*this, {});
            } else {
                return;
            }
            note(last, t);
        }
    }

    bool is_due() const {
        if constexpr (completes)
            return this->due != 0;
        else
            return false;
    }
    /// Fires the transitions as a link of the chain.
    constant_code fire(const selection& selected, constant_chain& chain) {
        chain.link(constant_ref<Names>(tables.moves[selected.transitions[0]].source).path(), true);
        return selected.fire(*this, {});
    }
    /// Selects by the programs of the leaves, and fires as a link of the chain. Returns constant_next if there is nothing to fire.
    template <std::uint32_t constant_leaf_row::*Program> constant_code step_of_all(constant_chain& chain, std::uint64_t* tried = nullptr) {
        selection selected;
        selected.select(*this, [&](std::size_t rank) {
            const auto program = constant_leaf_table<chart_type, Program>[rank];
            return program ? program(*this, {}) : constant_next;
        });
        if (selected.count == 0) return constant_next;
        for (std::size_t i = 0; tried && i < selected.count; ++i)
            *tried &= ~(std::uint64_t(1) << tables.transient_number(tables.transitions[selected.transitions[i]].source));
        return fire(selected, chain);
    }
    constant_code try_transients([[maybe_unused]] std::uint64_t just_entered, [[maybe_unused]] constant_chain& chain) {
        if constexpr (chart_type::size.transients && has_regions) {
            return step_of_all<&constant_leaf_row::transient>(chain, &this->entered);
        } else if constexpr (chart_type::size.transients) {
            const auto program = constant_leaf_table<chart_type, &constant_leaf_row::transient>[this->leaf];
            return program ? program(*this, {.chain = &chain, .just_entered = just_entered}) : constant_next;
        } else {
            return constant_next;
        }
    }
    constant_code try_always([[maybe_unused]] constant_chain& chain) {
        if constexpr (has_always && has_regions && chart_type::order == decision_order::superstate_first) {
            if constexpr (chart_type::size.always_of_all == 0) return constant_next;
            return link_and_fire(constant_run_shared<chart_type, chart_type::size.always_of_all>(*this, {}), chain);
        } else if constexpr (has_always && has_regions) {
            return step_of_all<&constant_leaf_row::always>(chain);
        } else if constexpr (has_always) {
            const auto program = constant_leaf_table<chart_type, &constant_leaf_row::always>[this->leaf];
            return program ? program(*this, {.chain = &chain}) : constant_next;
        } else {
            return constant_next;
        }
    }
    constant_code complete([[maybe_unused]] constant_chain& chain) {
        if constexpr (completes && has_regions) {
            while (this->due) {
                const auto mark = next_due();
                constant_clear_due<chart_type>(*this, mark);
                const auto program = constant_completion_table<chart_type>[mark];
                const auto code = program ? program(*this, {}) : constant_next;
                if (code != constant_next) return link_and_fire(code, chain);
            }
            return constant_next;
        } else if constexpr (completes) {
            const auto program = constant_leaf_table<chart_type, &constant_leaf_row::completion>[this->leaf];
            const auto code = program ? program(*this, {.chain = &chain}) : constant_next;
            if (code == constant_next) this->due = 0;
            return code;
        } else {
            return constant_next;
        }
    }

    constant_code link_and_fire(constant_code code, constant_chain& chain) {
        selection one;
        return one.add(code) ? fire(one, chain) : code;
    }
    /// Returns the oldest mark that no other due state contains or, with substate_first, that contains none.
    std::uint32_t next_due() const {
        for (std::uint8_t i = 0; i < this->due_count; ++i) {
            const auto s = constant_marked_state(this->due_list[i]);
            bool waits = false;
            for (std::uint8_t k = 0; k < this->due_count; ++k) {
                const auto other = constant_marked_state(this->due_list[k]);
                const bool outer_first = chart_type::order == decision_order::superstate_first;
                waits |= other != s && (outer_first ? flatten::contains(tables.states, other, s) : flatten::contains(tables.states, s, other));
            }
            if (!waits) return this->due_list[i];
        }
        return this->due_list[0];
    }
    static index constant_marked_state(std::uint8_t mark) { return constant_marked<chart_type>(mark); }

    /// Fires transitions with carry_over, each at the moment when it is due, like overdue.cpp. Afterwards, the clock shows the end of the tick.
    void fire_overdue([[maybe_unused]] std::int64_t elapsed, [[maybe_unused]] trail& t) {
        if constexpr (carries) {
            struct until_end {
                constant_runner& self;
                std::int64_t time;
                ~until_end() { self.clock = time; } // also after a chain_error
            } const end{*this, core::add_times(core::clock, elapsed)};
            const auto begin = core::clock;
            complete_step(constant_next, t);
            try_pending(t);
            constant_array<bool, chart_type::size.carried> tried{}; // at the current moment
            for (auto moment = begin; !inactive();) {
                const auto next = next_overdue(begin, moment, end.time, tried);
                if (next == chart_type::size.carried) return;
                if (due_of(next) != moment) tried = {};
                tried[next] = true;
                core::clock = moment = due_of(next);
                const auto region = tables.region_of_level(tables.transitions[tables.carried[next]].level);
                const auto program = constant_overdue_table<chart_type>[constant_leaf_in<chart_type>(*this, region) * tried.size() + next];
                const auto code = program ? constant_notify_change<chart_type>(*this, program(*this, {})) : constant_next;
                if (code != constant_next) complete_step(code, t);
            }
        }
    }
    std::int64_t due_of(std::size_t carried) const {
        const auto timer = tables.transitions[tables.carried[carried]].timer;
        return this->due_times[tables.timers[static_cast<std::size_t>(timer)].cell];
    }
    /// Returns the index of the carried transition that is due first; of several the first that was not tried at this moment.
    std::size_t next_overdue(std::int64_t begin, std::int64_t moment, std::int64_t end, const auto& tried) const {
        auto found = tried.size();
        auto first = constant_never;
        for (std::size_t i = 0; i < tried.size(); ++i) {
            const auto when = due_of(i);
            bool active = false;
            constant_each_active<chart_type>(*this, [&](index s) { active |= s == tables.transitions[tables.carried[i]].source; });
            if (active && when > begin && when >= moment && when <= end && when < first && !(when == moment && tried[i])) found = i, first = when;
        }
        return found;
    }

    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result tick_regions(std::int64_t elapsed) {
        if constexpr (chart_type::order != decision_order::superstate_first || !Hooks || !Decisions || holds || carries) {
            return tick_regions_by_steps(elapsed, Hooks, Decisions);
        } else {
            if constexpr (completes_runs || posts)
                if (has_remaining_work() || !posted_.empty()) return tick_regions_by_steps(elapsed, true, true);
            return !inactive() && tick_region_at<0, -2, true>(elapsed) ? result::taken : result::unhandled;
        }
    }
    HSM_NOINLINE result tick_regions_by_steps(std::int64_t elapsed, bool hooks, bool decisions) {
        trail t;
        const auto posted = decisions ? posted_.size() : 0;
        if (hooks && decisions) fire_overdue(elapsed, t);
        this->changed[0] = no_index;
        if ((decisions || !tables.states[0].updates) && has_remaining_work()) run_to_completion(constant_next, t);
        if (decisions) try_pending(t);
        handle_posted(posted, t);
        bool stops = inactive() || (!decisions && this->changed[0] == 0);
        if (!stops && decisions && chart_type::order == decision_order::substate_first) {
            decide_all(t);
            stops = inactive();
        }
        if (!stops) walk_region(0, elapsed, hooks, decisions, t);
        return t.fired ? result::taken : result::unhandled;
    }
    /// Makes one step of all regions. Then machines at rest repeat their entry choices, unless a transition has fired there.
    void decide_all(trail& t) {
        for (auto& depth : this->changed.items) depth = no_index;
        stop_waiting(true);
        selection selected;
        selected.select(*this, [&](std::size_t rank) {
            const auto program = constant_leaf_table<chart_type, &constant_leaf_row::polled>[rank];
            return program ? program(*this, {}) : constant_next;
        });
        if (selected.count > 0) complete_step(selected.fire(*this, {}), t);
        for (index r = 0; r < chart_type::size.regions && !inactive(); ++r) {
            const auto rank = constant_leaf_in<chart_type>(*this, r);
            if (rank == core::none) continue;
            const auto retry = constant_leaf_table<chart_type, &constant_leaf_row::retry>[rank];
            if (!retry || this->changed[r] <= tables.states[tables.leaves[rank].state].depth + 1u) continue;
            if (const auto code = constant_notify_change<chart_type>(*this, retry(*this, {})); code != constant_next) complete_step(code, t);
        }
    }
    void complete_step(constant_code code, trail& t) {
        note(code, t);
        if constexpr (completes_runs) run_to_completion(code, t);
    }
    /// Does the same for a step of a tick, which can be an update.
    void complete_update(const constant_step& done, constant_code code, trail& t) {
        const bool is_update = holds && done.is_update && !done.continues;
        if constexpr (holds) this->updated = is_update ? done.state : no_index;
        complete_step(code, t);
        if (is_update && !inactive()) try_again(done, t);
    }
    /// Returns whether the state of a step has stayed active since.
    bool stays(const constant_step& done, const trail& t) const {
        if constexpr (has_regions)
            return this->changed[tables.states[done.state].region] > done.depth;
        else
            return t.unchanged > done.depth;
    }
    // A whole tick is generated for each region and leaf. It continues as walk_region as soon as work remains after a step. These functions return
    // whether a transition fired.

    /// Runs the steps of a region that come after a step of that depth, and then those of the regions inside it.
    template <index Region, int Depth, bool IsUpdate> HSM_ALWAYS_INLINE inline bool tick_region_at(std::int64_t elapsed) {
        static constexpr auto first = tables.entered[Region].first;
        return [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA {
            const std::size_t rank = constant_leaf_in<chart_type>(*this, Region) - first;
            if constexpr (sizeof...(I) > compiler_joins_comparisons) {
                using function = bool (*)(constant_runner&, std::int64_t);
                static constexpr function table[] = {&tick_leaf_of<Region, first + I, step_after(first + I, Depth, IsUpdate)>...};
                return table[rank](*this, elapsed);
            } else {
                constexpr auto last = sizeof...(I) - 1; // the last one is not compared
                bool fired = false;
                (void)(((I == last || rank == I) && (fired = tick_leaf<Region, first + I, step_after(first + I, Depth, IsUpdate)>(elapsed), true)) ||
                       ...);
                return fired;
            }
        }
        (std::make_index_sequence<constant_ranks_of<chart_type, tables.regions[Region]>::count>());
    }
    template <index Region, int Depth, bool IsUpdate> void tick_rest_of_region(std::int64_t elapsed) {
        tick_region_at<Region, Depth, IsUpdate>(elapsed);
    }
    static constexpr std::uint32_t step_after(std::size_t rank, int depth, bool is_update) {
        const auto& steps = tables.leaves[rank].steps;
        auto step = steps.first;
        while (step != steps.first + steps.count &&
               !flatten::section_comes_after(depth, is_update, tables.steps[step].depth, tables.steps[step].is_update))
            ++step;
        return step;
    }
    template <index Region, std::size_t Rank, std::uint32_t Step> static bool tick_leaf_of(constant_runner& self, std::int64_t elapsed) {
        return self.template tick_leaf<Region, Rank, Step>(elapsed);
    }
    template <index Region, std::size_t Rank, std::uint32_t Step> HSM_ALWAYS_INLINE inline bool tick_leaf(std::int64_t elapsed) {
        constexpr auto row = tables.leaves[Rank];
        if constexpr (Step < row.steps.first + row.steps.count) {
            constexpr auto now = tables.steps[Step];
            const auto code = constant_notify_change<chart_type>(*this, constant_run<chart_type, now.program>(*this, {nullptr, elapsed}));
            if (code != constant_next || (works_later && constant_interrupts<chart_type>(*this, now.continues))) {
                if constexpr (completes_runs)
                    if (leaves_work(code)) return walk_rest(Region, Step, code, elapsed);
                if (code != constant_next) return tick_rest_of_region<Region, now.depth, now.is_update>(elapsed), true;
            }
            return tick_leaf<Region, Rank, Step + 1>(elapsed);
        } else if constexpr (tables.is_parallel(row.state)) {
            if constexpr (completes_runs) this->changed[Region] = no_index;
            bool fired = false;
            [&]<std::size_t... R>(std::index_sequence<R...>) HSM_ALWAYS_INLINE_LAMBDA {
                ((fired = tick_inside<Region, row.state, R>(elapsed) || fired), ...);
            }
            (std::make_index_sequence<chart_type::size.regions>());
            return fired;
        } else {
            return false;
        }
    }
    template <index Region, index Parallel, std::size_t Inner> HSM_ALWAYS_INLINE inline bool tick_inside(std::int64_t elapsed) {
        if constexpr (Inner > 0 && tables.above(Inner) == Parallel) {
            if constexpr (completes_runs)
                if (inactive() || this->changed[Region] <= tables.states[Parallel].depth) return false;
            return tick_region_at<Inner, -2, true>(elapsed);
        } else {
            return false;
        }
    }
    /// Continues a tick after a step that left work.
    HSM_NOINLINE bool walk_rest(index region, std::uint32_t step, constant_code code, std::int64_t elapsed) {
        const auto done = tables.steps[step];
        trail t;
        t.fired = code != constant_next;
        this->changed[region] = no_index;
        complete_step(code, t);
        if (!inactive() && static_cast<int>(this->changed[region]) > done.depth) walk_region(region, elapsed, true, true, t, next_step(done, region));
        return t.fired;
    }

    /// Runs the steps of a region, and then those of the regions inside it.
    void walk_region(index region, std::int64_t elapsed, bool hooks, bool decisions, trail& t) {
        walk_region(region, elapsed, hooks, decisions, t, steps_of(region).first);
    }
    void walk_region(index region, std::int64_t elapsed, bool hooks, bool decisions, trail& t, std::uint32_t step) {
        if constexpr (chart_type::size.steps > 0) {
            while (step != last_step(region)) {
                const auto now = tables.steps[step];
                this->changed[region] = no_index;
                if (!(now.is_update ? hooks : decisions)) {
                    ++step;
                    continue;
                }
                const auto code = fire_selected(constant_step_table<chart_type>[step](*this, {nullptr, elapsed}));
                const bool interrupts =
                    now.is_update && ((works_later && constant_interrupts<chart_type>(*this, now.continues)) || (!now.continues && is_due()));
                if (code == constant_next && !interrupts) {
                    ++step;
                    continue;
                }
                complete_update(now, code, t);
                if (inactive() || static_cast<int>(this->changed[region]) <= now.depth) return;
                step = next_step(now, region);
            }
        }
        const auto parallel = tables.leaves[constant_leaf_in<chart_type>(*this, region)].state;
        if (!tables.is_parallel(parallel)) return;
        this->changed[region] = no_index;
        each_constant_region<chart_type>(parallel, [&](index r) {
            if (!inactive() && this->changed[region] > tables.states[parallel].depth) walk_region(r, elapsed, hooks, decisions, t);
        });
    }
    const constant_span& steps_of(index region) const { return tables.leaves[constant_leaf_in<chart_type>(*this, region)].steps; }
    std::uint32_t last_step(index region) const { return steps_of(region).first + steps_of(region).count; }

    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result do_tick(std::int64_t elapsed) {
        if constexpr (ends)
            if (this->root_mark.is_set) {
                if constexpr (carries && Hooks && Decisions) core::advance(elapsed);
                return result::unhandled;
            }
        if constexpr (holds) {
            const in_tick now(*this, Decisions);
            return tick_now<Hooks, Decisions>(elapsed);
        } else {
            return tick_now<Hooks, Decisions>(elapsed);
        }
    }
    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result tick_now(std::int64_t elapsed) {
        if constexpr (has_regions)
            return tick_regions<Hooks, Decisions>(elapsed);
        else
            return tick_region<Hooks, Decisions>(elapsed);
    }
    /// With one region.
    template <bool Hooks, bool Decisions> HSM_ALWAYS_INLINE inline result tick_region(std::int64_t elapsed) {
        if constexpr (carries && Hooks && Decisions) return tick_after_rest(elapsed, true, true);
        if constexpr (completes_runs || posts)
            if ((queues && (this->work & constant_queued)) || is_due() || !posted_.empty() || (holds && this->work & constant_pends))
                return tick_after_rest(elapsed, Hooks, Decisions);
        if constexpr (chart_type::size.steps == 0) {
            return result::unhandled;
        } else if constexpr (!Hooks || !Decisions) {
            return walk(0, tables.leaves[this->leaf].steps.first, elapsed, Hooks, Decisions);
        } else {
            const auto end = holds ? tables.leaves[this->leaf].steps.first + tables.leaves[this->leaf].steps.count : 0;
            const auto begun = constant_begin_tick<chart_type, works_later>(*this, elapsed);
            if constexpr (!completes_runs && constant_step_ends_tick<chart_type>())
                return begun.code == constant_next ? result::unhandled : constant_result(begun.code);
            const bool interrupted = holds ? begun.step != end : works_later && constant_has_work<chart_type>(*this);
            const bool nothing = begun.code == constant_next && !interrupted;
            return nothing ? result::unhandled : walk(begun.code, begun.step, elapsed, true, true, true);
        }
    }

    HSM_NOINLINE result tick_after_rest([[maybe_unused]] std::int64_t elapsed, [[maybe_unused]] bool hooks, bool decisions) {
        if (this->leaf == core::none) return result::inactive;
        trail t;
        const auto posted = decisions ? posted_.size() : 0;
        if (hooks && decisions) fire_overdue(elapsed, t);
        if (completes_runs && (decisions || !tables.states[0].updates)) run_to_completion(constant_next, t);
        if (decisions) try_pending(t);
        handle_posted(posted, t);
        if (inactive() || (!decisions && t.unchanged == 0)) return t.fired ? result::taken : result::unhandled;
        auto outcome = result::unhandled;
        if constexpr (chart_type::size.steps > 0) outcome = walk(0, tables.leaves[this->leaf].steps.first, elapsed, hooks, decisions);
        return t.fired ? result::taken : outcome;
    }

    /// Runs the leaf's steps from `step` on until one has an effect. Then executes the remaining work, and continues with the later steps of the new
    /// leaf, unless the state of that step was exited. `done`: the first step was already run, and ended with `code`.
    HSM_NOINLINE result walk(constant_code code, std::uint32_t step, std::int64_t elapsed, bool hooks, bool decisions, bool done = false) {
        trail t;
        if (this->leaf == core::none) return result::inactive;
        while (true) {
            const auto last = tables.leaves[this->leaf].steps.first + tables.leaves[this->leaf].steps.count;
            for (; !done && step != last; ++step) {
                const auto& now = tables.steps[step];
                if (now.is_update ? !hooks : !decisions) continue;
                code = constant_step_table<chart_type>[step](*this, {nullptr, elapsed});
                done = code != constant_next || (works_later && now.is_update && constant_interrupts<chart_type>(*this, now.continues));
                if (done) break;
            }
            if (!done) break;
            const auto finished_step = tables.steps[step];
            t.unchanged = 0x7fff;
            complete_update(finished_step, code, t);
            if (inactive() || t.unchanged <= finished_step.depth) break;
            step = next_step(finished_step);
            done = false;
        }
        return t.fired ? result::taken : result::unhandled;
    }
    std::uint32_t next_step(const constant_step& done, index region = 0) const {
        const auto& steps = steps_of(region);
        auto step = steps.first;
        while (step != steps.first + steps.count &&
               !flatten::section_comes_after(done.depth, done.is_update, tables.steps[step].depth, tables.steps[step].is_update))
            ++step;
        return step;
    }

    [[no_unique_address]] constant_queue<chart_type, Queue::slots, event_origin::internal> queue_;
    [[no_unique_address]] constant_queue<chart_type, Queue::posted, event_origin::posted> posted_;
    [[no_unique_address]] constant_deferrals<chart_type, defers ? Queue::deferred : 0> deferred_;
};

} // namespace hsm::detail
