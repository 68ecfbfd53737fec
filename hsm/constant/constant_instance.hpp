/// One running machine of a constant chart: a reference to the context, and the leaf. Nothing is allocated, and what an event does
/// is one call.
///
///     hsm::constant_instance<lamp_chart> agent(desk);
///     agent.start();
///     agent.process(button::press);
///     agent.is_in("on");       // a name that is not in the chart does not compile
///
/// The context must outlive it. One thread at a time. Hooks must not throw: the program ends if one does. A hook calls nothing of its
/// own instance but current() and is_in(), which answer as before the transition; with `hsm::queue<N>` also process(), which is
/// then handled when the transition or update is complete, and stop().
#pragma once

// The words first: what is said about them is then said with few lines of who includes what.
#include <hsm/op/detail/compiler.hpp>
#include <hsm/constant/detail/hook.hpp>
#include <hsm/constant/detail/transition.hpp>
#include <hsm/constant/constant_fsm.hpp>

#include <hsm/constant/detail/chain.hpp>
#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/detail/dispatch.hpp>
#include <hsm/constant/detail/names.hpp>
#include <hsm/constant/detail/queue.hpp>
#include <hsm/constant/detail/ticks.hpp>
#include <hsm/define/detail/assert.hpp>

#include <concepts>

namespace hsm {

namespace detail {

struct constant_access;

#ifdef NDEBUG
constexpr bool constant_asserts = false;
#else
constexpr bool constant_asserts = true;
#endif

} // namespace detail

/// Chart: a constexpr object that `constant_chart` made. Queue: hsm::queue<N>, for charts whose hooks call process or stop.
/// Observer: who is told what it does; include observed_instance.hpp.
template <auto Chart, class Queue = queue<0>, class Observer = unobserved>
class constant_instance : detail::constant_core<typename detail::constant_chart_for<std::remove_const_t<decltype(Chart)>, Observer>::type> {
    using chart_type = typename detail::constant_chart_for<std::remove_const_t<decltype(Chart)>, Observer>::type;
    using names_type = std::remove_const_t<decltype(Chart)>;
    using core = detail::constant_core<chart_type>;
    static constexpr auto& tables = chart_type::tables;
    static constexpr bool queues = Queue::slots > 0;
    static constexpr bool completes = chart_type::size.marks > 0;
    static constexpr bool completes_runs = queues || completes || chart_type::size.transients;
    static constexpr bool is_observed = !std::is_same_v<chart_type, names_type>;

public:
    using context_type = typename chart_type::context_type;
    using ref = detail::constant_ref<names_type>;
    using key = detail::constant_state_key<names_type>;

    explicit constant_instance(context_type& c)
        requires(!is_observed)
    {
        core::context = &c;
    }
    /// It is told at once that nothing is active yet.
    template <class O>
        requires detail::observed_by<detail::constant_core<chart_type>, O>
    constant_instance(context_type& c, O& observer) {
        core::context = &c;
        core::observe_by(observer);
    }
    constant_instance(const constant_instance&) = delete;
    constant_instance& operator=(const constant_instance&) = delete;

    /// Enters the root and goes on to a leaf. taken; busy if it is started already.
    result start() {
        if (!may_begin() || this->leaf != core::none) return result::busy;
        const in_progress now(*this);
        const detail::told_call<core> call(*this, call_kind::start);
        follow(detail::constant_run_shared<chart_type, chart_type::size.start>(*this, {}));
        if constexpr (is_observed) core::tell_configuration(configuration_reason::start);
        return call.ends(result::taken);
    }
    /// Exits all that is active. taken; inactive; inside a hook, with a queue: queued.
    result stop() {
        if constexpr (queues)
            if (this->work & detail::constant_busy) {
                this->work |= detail::constant_stop;
                return result::queued;
            }
        if (!may_begin()) return result::busy;
        if (this->leaf == core::none) return result::inactive;
        const in_progress now(*this);
        const detail::told_call<core> call(*this, call_kind::stop);
        stop_now();
        return call.ends(result::taken);
    }

    /// taken, internal, guarded, unhandled, inactive; inside a hook, with a queue: queued, full, unhandled. Which functions there are
    /// for an event is known from its type; an enumerator is looked up by its value.
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    template <event_variant V> HSM_ALWAYS_INLINE inline result process(const V& variant) {
        auto outcome = result::refused; // it has lost its value
        const auto take = [&](const auto* held) HSM_ALWAYS_INLINE_LAMBDA {
            if (held) outcome = process(*held);
            return held != nullptr;
        };
        [&]<std::size_t... I>(std::index_sequence<I...>) HSM_ALWAYS_INLINE_LAMBDA { (void)(take(get_if<I>(&variant)) || ...); }
        (typename detail::variant_shape<V>::indices());
        return outcome;
    }
    template <class E>
        requires(detail::event_class<E> || valued_event<E>)
    HSM_ALWAYS_INLINE inline result process(const E& event) {
        constexpr auto type = detail::constant_type<chart_type, detail::event_identity<E>>();
        if constexpr (type == chart_type::size.types) {
            if constexpr (completes_runs)
                if (is_left_over() && !(this->work & detail::constant_busy)) settle_rest();
            if (takes_none()) return result::inactive;
            if constexpr (is_observed)
                if (!(this->work & detail::constant_busy)) tell_unknown(event);
            return result::unhandled;
        } else {
            if constexpr (queues)
                if (this->work & detail::constant_busy) return enqueue<type>(event);
            if constexpr (completes_runs)
                if (is_left_over()) return process_after_rest<type>(event);
            HSM_ASSERT(!(this->work & detail::constant_busy) && "process in a hook of the same constant instance: give it an hsm::queue<N>");
            if constexpr (is_observed) return process_told<type>(event);
            const in_progress now(*this);
            const auto code = handle<type>(&event, detail::event_value(event));
            if constexpr (completes_runs) follow(code);
            return detail::constant_result(code);
        }
    }

    /// Events one after the other, as process would handle them, until the root is over: how many were handled. A hook that asks
    /// current() or is_in() is told what was active before the first of them.
    template <valued_event E> std::size_t feed(const E* events, std::size_t count) {
        constexpr auto type = detail::constant_type<chart_type, detail::event_identity<E>>();
        if constexpr (type == chart_type::size.types || completes_runs || is_observed) {
            std::size_t n = 0;
            while (n < count && !takes_none()) process(events[n++]);
            return n;
        } else {
            HSM_ASSERT(!(this->work & detail::constant_busy) && "feed in a hook of the same constant instance");
            const in_progress now(*this);
            auto head = static_cast<core&>(*this); // nobody else knows it, so it need not be in memory
            std::size_t n = 0;
            for (; n < count && !is_over(head.leaf); ++n)
                detail::constant_rows<chart_type, type>::handle_in_line(head, detail::event_value(events[n]), &events[n]);
            this->leaf = head.leaf;
            return n;
        }
    }

    /// Updates, and polled transitions: at most one per level. taken if one fired, else unhandled; inactive; refused for a negative time.
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {}) { return run_tick(elapsed.nanoseconds(), true, true); }
    /// A tick without its updates, or without its decisions.
    result decide() { return run_tick(0, false, true); }
    template <duration_like D> result update(D elapsed) { return update(time_span(elapsed)); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed) { return run_tick(elapsed.nanoseconds(), true, false); }

    /// The leaf; none if it is not started. Inside a hook: as it was before the transition.
    ref current() const { return this->leaf == core::none ? ref() : ref(tables.leaves[this->leaf].state); }
    /// Is that state, or one below it, the leaf? By path, enumerator, `state_of<T>()`, or what current() returned.
    [[nodiscard]] bool is_in(const key& k) const {
        for (auto s = state(); s != detail::no_index; s = tables.states[s].superstate)
            if (k.is(s)) return true;
        return false;
    }
    bool active() const { return this->leaf != core::none; }
    /// A final state of the root was entered: nothing happens any more, until stop().
    bool finished() const { return active() && tables.leaves[this->leaf].over; }
    context_type& context() const { return *core::context; }
    static constexpr std::size_t queue_size() { return Queue::slots; }

private:
    friend struct detail::constant_access;

    /// Does something wait that a chain_error has left?
    bool is_left_over() const { return (queues && this->work) || is_due(); }
    void settle_rest() {
        const in_progress now(*this);
        trail t;
        run_to_completion(detail::constant_next, t);
    }
    template <std::size_t Type, class E> HSM_NOINLINE result process_after_rest(const E& event) {
        const detail::told_call<core> call(*this, call_kind::process);
        settle_rest();
        const in_progress now(*this);
        if (inactive()) return call.ends(result::inactive);
        return call.ends(process_now<Type>(event));
    }
    /// Of an instance that is observed.
    template <std::size_t Type, class E> HSM_NOINLINE result process_told(const E& event) {
        if (inactive()) return result::inactive;
        const in_progress now(*this);
        const detail::told_call<core> call(*this, call_kind::process);
        return call.ends(process_now<Type>(event));
    }
    template <std::size_t Type, class E> result process_now(const E& event) {
        const auto value = detail::event_value(event);
        [[maybe_unused]] const event_ref told{&event_type_of<detail::event_identity<E>>, value, {}, &event};
        if constexpr (is_observed) core::tell_event(event_origin::call, Type, told);
        const auto code = handle<Type>(&event, value);
        follow(code);
        return detail::constant_result(code);
    }
    /// Nobody waits for it.
    template <class E> void tell_unknown(const E& event) {
        const detail::told_call<core> call(*this, call_kind::process);
        const event_ref told{&event_type_of<detail::event_identity<E>>, detail::event_value(event), {}, &event};
        core::tell_event(event_origin::call, chart_type::size.types, told);
        call.ends(result::unhandled);
    }

    /// While hooks may run. Known only where somebody asks.
    struct in_progress {
        static constexpr bool is_noted = queues || detail::constant_asserts;
        HSM_ALWAYS_INLINE explicit in_progress(constant_instance& i) : self(i) {
            if constexpr (is_noted) self.work |= detail::constant_busy;
        }
        in_progress(const in_progress&) = delete;
        HSM_ALWAYS_INLINE ~in_progress() {
            if constexpr (is_noted) self.work = static_cast<std::uint8_t>(self.work & ~detail::constant_busy);
        }
        constant_instance& self;
    };

    bool may_begin() const {
        HSM_ASSERT((queues || !(this->work & detail::constant_busy)) && "a hook of a constant instance calls nothing of it but current and is_in");
        return !(in_progress::is_noted && (this->work & detail::constant_busy));
    }
    static bool is_over(typename core::leaf_type leaf) {
        if (leaf == core::none) return true;
        if constexpr (detail::constant_can_be_over<chart_type>())
            return tables.leaves[leaf].over;
        else
            return false;
    }
    bool inactive() const { return this->leaf == core::none || tables.leaves[this->leaf].over; }
    /// In the hooks of start(), too, events can come.
    bool takes_none() const { return this->leaf == core::none ? !(this->work & detail::constant_busy) : tables.leaves[this->leaf].over; }
    detail::index state() const { return this->leaf == core::none ? detail::no_index : tables.leaves[this->leaf].state; }

    template <std::size_t Type> HSM_ALWAYS_INLINE inline detail::constant_code handle(const void* payload, std::int64_t value) {
        return detail::constant_rows<chart_type, Type>::handle(*this, value, payload);
    }

    template <std::size_t Type, class E> result enqueue(const E& event) {
        static_assert(std::is_copy_constructible_v<E>, "hsm: this event cannot be copied, so it cannot be queued");
        if (takes_none()) return result::inactive;
        using rows = detail::constant_rows<chart_type, Type>;
        if constexpr (valued_event<E>)
            if (rows::column(detail::event_value(event)) == rows::width) return result::unhandled;
        if (queue_.full()) {
            if constexpr (is_observed) core::tell_dropped(drop_reason::full, Type, detail::event_value(event));
            return result::full;
        }
        queue_.push(event, Type, detail::event_value(event));
        this->work |= detail::constant_queued;
        return result::queued;
    }

    template <std::size_t... Type> detail::constant_code handle_queued(std::index_sequence<Type...>) {
        struct taken_out {
            constant_instance& self;
            ~taken_out() {
                self.queue_.pop();
                if (self.queue_.empty()) self.work = static_cast<std::uint8_t>(self.work & ~detail::constant_queued);
            }
        } const when_done{*this};
        queue_.begin();
        [[maybe_unused]] const event_ref told{tables.types[queue_.type()].type.address, queue_.value(), {}, queue_.object()};
        if constexpr (is_observed) core::tell_event(event_origin::internal, queue_.type(), told);
        auto code = detail::constant_next;
        [[maybe_unused]] const auto handle_if = [&]<std::size_t T>(std::integral_constant<std::size_t, T>) {
            if (queue_.type() == T) code = handle<T>(queue_.object(), queue_.value());
        };
        (handle_if(std::integral_constant<std::size_t, Type>()), ...);
        return code;
    }

    void stop_now() {
        detail::constant_leaf_table<chart_type, &detail::constant_leaf_row::stop>[this->leaf](*this, {});
        if constexpr (is_observed && queues)
            queue_.each([&](std::size_t type, std::int64_t value) { core::tell_dropped(drop_reason::over, type, value); });
        queue_.clear();
        if constexpr (is_observed) core::tell_configuration(configuration_reason::stop);
        this->work &= detail::constant_busy;
    }

    /// What was found out about the transitions of one step.
    struct trail {
        int unchanged = 0x7fff; ///< how many of the outermost states all of them have left unchanged
        bool fired = false;
    };

    /// What follows from a transition: transient states, completion, events in the queue.
    HSM_ALWAYS_INLINE inline void follow(detail::constant_code code) {
        if constexpr (completes_runs) {
            trail t;
            bool more = code & detail::constant_transient;
            if constexpr (completes) more = more || this->due;
            if constexpr (queues) more = more || (this->work & (detail::constant_queued | detail::constant_stop));
            if (more) run_to_completion(code, t);
        }
    }

    static bool is_taken(detail::constant_code code) { return (code & 63) == static_cast<detail::constant_code>(result::taken); }
    static void note(detail::constant_code code, trail& t) {
        if (!is_taken(code)) return;
        t.fired = true;
        if (detail::constant_unchanged(code) < t.unchanged) t.unchanged = detail::constant_unchanged(code);
    }

    HSM_NOINLINE void run_to_completion(detail::constant_code last, trail& t) {
        detail::constant_chain chain;
        std::uint64_t just_entered = 0; // levels on which a state has been entered
        bool tries = false;      // a transient one is among them
        while (true) {
            if constexpr (queues)
                if (this->work & detail::constant_stop) {
                    t.unchanged = 0;
                    return stop_now();
                }
            if (this->leaf == core::none || tables.leaves[this->leaf].over) return;
            if constexpr (chart_type::size.transients)
                if (is_taken(last)) {
                    just_entered |= detail::constant_unchanged(last) < 64 ? ~std::uint64_t(0) << detail::constant_unchanged(last) : 0;
                    tries |= (last & detail::constant_transient) != 0;
                }
            if (tries) {
                last = try_transients(just_entered, chain);
                tries = is_taken(last);
                just_entered &= tries ? ~(std::uint64_t(1) << chain.asked()) : 0; // unless it is left, and entered anew
            } else if (is_due()) {
                last = complete(chain);
            } else if (queues && !queue_.empty()) {
                if constexpr (queues) {
                    chain.link(current().path());
                    last = handle_queued(std::make_index_sequence<chart_type::size.types>());
                }
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
    detail::constant_code try_transients([[maybe_unused]] std::uint64_t just_entered, [[maybe_unused]] detail::constant_chain& chain) {
        if constexpr (chart_type::size.transients) {
            const auto program = detail::constant_leaf_table<chart_type, &detail::constant_leaf_row::transient>[this->leaf];
            return program ? program(*this, {.chain = &chain, .just_entered = just_entered}) : detail::constant_next;
        } else {
            return detail::constant_next;
        }
    }
    detail::constant_code complete([[maybe_unused]] detail::constant_chain& chain) {
        if constexpr (completes) {
            const auto program = detail::constant_leaf_table<chart_type, &detail::constant_leaf_row::completion>[this->leaf];
            const auto code = program ? program(*this, {.chain = &chain}) : detail::constant_next;
            if (code == detail::constant_next) this->due = 0;
            return code;
        } else {
            return detail::constant_next;
        }
    }
    // Ticks.
    HSM_ALWAYS_INLINE inline result run_tick(std::int64_t elapsed, bool hooks, bool decisions) {
        if (!may_begin()) return result::busy;
        if (this->leaf == core::none) return result::inactive;
        if (elapsed < 0) return result::refused;
        const in_progress now(*this);
        if constexpr (is_observed) {
            core::clock += elapsed;
            const detail::told_call<core> call(*this, hooks && decisions ? call_kind::tick : hooks ? call_kind::update : call_kind::decide);
            return call.ends(do_tick(elapsed, hooks, decisions));
        } else {
            return do_tick(elapsed, hooks, decisions);
        }
    }
    HSM_ALWAYS_INLINE inline result do_tick(std::int64_t elapsed, bool hooks, bool decisions) {
        if constexpr (completes_runs)
            if ((queues && (this->work & detail::constant_queued)) || is_due()) return tick_after_rest(elapsed, hooks, decisions);
        if constexpr (chart_type::size.steps == 0) {
            return result::unhandled;
        } else {
            if (!hooks || !decisions) return walk(0, tables.leaves[this->leaf].steps.first, elapsed, hooks, decisions);
            const auto begun = detail::constant_begin_tick<chart_type, queues>(*this, elapsed);
            if constexpr (!completes_runs && detail::constant_step_ends_tick<chart_type>())
                return is_taken(begun.code) ? result::taken : result::unhandled;
            const bool nothing = begun.code == detail::constant_next && !(queues && detail::constant_has_work<chart_type>(*this));
            return nothing ? result::unhandled : walk(begun.code, begun.step, elapsed, true, true, true);
        }
    }

    HSM_NOINLINE result tick_after_rest([[maybe_unused]] std::int64_t elapsed, [[maybe_unused]] bool hooks, bool decisions) {
        trail t;
        if (decisions || !tables.states[0].updates) run_to_completion(detail::constant_next, t);
        if (inactive() || (!decisions && t.unchanged == 0)) return t.fired ? result::taken : result::unhandled;
        auto outcome = result::unhandled;
        if constexpr (chart_type::size.steps > 0) outcome = walk(0, tables.leaves[this->leaf].steps.first, elapsed, hooks, decisions);
        return t.fired ? result::taken : outcome;
    }

    /// From a step on, the leaf's steps as long as nothing happens. When something did, what follows from it, and then those of the
    /// new leaf that come behind that step, unless the state whose step it was has been left. `done`: that step ended with `code`.
    HSM_NOINLINE result walk(detail::constant_code code, std::uint32_t step, std::int64_t elapsed, bool hooks, bool decisions,
                                  bool done = false) {
        trail t;
        while (true) {
            const auto last = tables.leaves[this->leaf].steps.first + tables.leaves[this->leaf].steps.count;
            for (; !done && step != last; ++step) {
                if (tables.steps[step].is_update ? !hooks : !decisions) continue;
                code = detail::constant_step_table<chart_type>[step](*this, {nullptr, elapsed});
                done = code != detail::constant_next || (queues && (this->work & (detail::constant_queued | detail::constant_stop)));
                if (done) break;
            }
            if (!done) break;
            const auto finished_step = tables.steps[step];
            t.unchanged = 0x7fff;
            note(code, t);
            if constexpr (completes_runs) run_to_completion(code, t);
            if (inactive() || t.unchanged <= finished_step.depth) break;
            step = next_step(finished_step);
            done = false;
        }
        return t.fired ? result::taken : result::unhandled;
    }
    std::uint32_t next_step(const detail::constant_step& done) const {
        const auto& steps = tables.leaves[this->leaf].steps;
        auto step = steps.first;
        while (step != steps.first + steps.count &&
               !detail::flatten::section_comes_after(done.depth, done.is_update, tables.steps[step].depth, tables.steps[step].is_update))
            ++step;
        return step;
    }

    [[no_unique_address]] detail::constant_queue<chart_type, Queue::slots> queue_;
};

} // namespace hsm
