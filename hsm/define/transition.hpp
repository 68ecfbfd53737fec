/// How a transition is written down, one word after the other:
///
///     idle.to(run).on<press>().when(&character::grounded).then([](character& c) { ... }).priority(2);
///
/// A `transition` is a handle to what the source state keeps; copies speak of the same transition. Once it is part of a chart
/// it does not change any more (see state_base.hpp).
#pragma once

#include <hsm/define/event_names.hpp>
#include <hsm/define/event_range.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/define/detail/given.hpp>
#include <hsm/define/detail/timing.hpp>
#include <hsm/define/when.hpp>

#include <concepts>

namespace hsm {

namespace detail {
template <class Role, class Context, class Event, class F>
concept early = std::is_same_v<Event, no_event> && (form_of<Role, Context, Event, F>::needs.count > 0);
} // namespace detail

/// Event: what `.on` named. Early: a guard or action before it takes a class that is not the context.
template <class Context, class Event = detail::no_event, bool Early = false> class transition {
public:
    explicit transition(transition_spec& spec) : spec_(std::addressof(spec)) {}

    // The event that it waits for; without one, it is polled in every tick.
    template <detail::event_class E>
    transition<Context, E> on() const {
        return waiting_for<E>(detail::key_of_type<E>());
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    transition<Context, decltype(Value)> on() const {
        auto key = detail::key_of_value(Value);
        key.name = std::string(detail::enumerator_name<Value>());
        return waiting_for<decltype(Value)>(std::move(key));
    }
    template <class E>
        requires valued_event<E>
    transition<Context, detail::event_identity<E>> on(E value) const {
        return waiting_for<detail::event_identity<E>>(detail::key_of_value(value));
    }
    /// Several values of one type: `range('0', '9')`, `any('\r', '\n')`, `otherwise<char>()`.
    template <detail::several_events T> transition<Context, detail::type_of_events<T>> on(const T& values) const {
        return waiting_for<detail::type_of_events<T>>(detail::key_of_values(values));
    }
    template <detail::no_event_type E> transition<Context> on() const { return detail::refuse_event_type<E>(), *this; }
    template <detail::no_event_object E> transition<Context> on(const E&) const { return detail::refuse_event<E>(), *this; }
    transition<Context, named_event> on(std::string_view name) const {
        return waiting_for<named_event>(detail::key_of_name(name));
    }
    /// Several names: `event_prefix("error")`, `any_name()`, `any("stop", event_prefix("error"))`.
    template <detail::several_names T> transition<Context, named_event> on(const T& names) const {
        return waiting_for<named_event>(detail::key_of_names(names));
    }
    /// Fires when the source is over: a final substate was entered, `finish()` was called, or its local is finished().
    transition on_finished() const {
        auto& spec = spec_->open();
        spec.on_finished = true;
        return transition(spec);
    }

    /// A guard, or conditions (see condition.hpp). Further ones must hold, too.
    template <class G> transition<Context, Event, Early || detail::early<detail::as_guard, Context, Event, G>> when(G g, code_place at = {}) const {
        using guarded = transition<Context, Event, Early || detail::early<detail::as_guard, Context, Event, G>>;
        if constexpr (detail::is_callable<detail::signature<G>>)
            return guarded(spec_->add_guard(detail::bind<detail::as_guard, Context, Event>(static_cast<G&&>(g), at)));
        else
            return guarded(detail::add_guard<Context, Event, true>(spec_->open(), static_cast<G&&>(g), at));
    }
    /// Only while all of these states are active, too: a join of regions. Further ones are added.
    template <std::convertible_to<state_key>... More> transition in(const state_key& other, const More&... more) const {
        auto& spec = spec_->open();
        spec.joined.push_back(target_spec(other));
        (spec.joined.push_back(target_spec(state_key(more))), ...);
        return transition(spec);
    }
    /// Not while one of these states is active: what a superstate does in all of its substates but some. Further ones are added.
    template <std::convertible_to<state_key>... More> transition unless_in(const state_key& state, const More&... more) const {
        auto& spec = spec_->open();
        spec.excluded.push_back(target_spec(state));
        (spec.excluded.push_back(target_spec(state_key(more))), ...);
        return transition(spec);
    }
    /// Runs after the exits and before the entries. Further actions follow in order.
    template <class F> auto then(F action, code_place at = {}) const {
        using acting = transition<Context, Event, Early || detail::early<detail::as_action, Context, Event, F>>;
        return acting(spec_->add_action(detail::bind<detail::as_action, Context, Event>(static_cast<F&&>(action), at)));
    }
    /// Among transitions of the same depth, higher is tried first; default 0.
    transition priority(int p) const {
        auto& spec = spec_->open();
        spec.priority = p;
        return transition(spec);
    }
    /// A polled transition to an own substate fires also while that substate is active.
    transition reenter() const {
        auto& spec = spec_->open();
        spec.reenter = true;
        return transition(spec);
    }
    /// Not before so much time has passed since its source was entered. A time, or what is found out when the source is
    /// entered (see timing.hpp). A polled one fires once per activation of its source.
    transition after(const detail::given_delay<Context>& least) const {
        detail::delay made(least);
        auto& spec = spec_->open();
        spec.after = std::move(made);
        return transition(spec);
    }
    /// The transition fires at the moment at which its `after` is due, even if the tick ends later. The states that it enters count from that moment.
    /// It needs a target and `after`, and no event. compile_options::carry_over sets this for all transitions of a chart.
    transition carry_over() const {
        auto& spec = spec_->open();
        spec.carry_over = true;
        return transition(spec);
    }
    /// Tried also after every transition, until none of these fires any more.
    transition always() const {
        auto& spec = spec_->open();
        spec.always = true;
        return transition(spec);
    }
    /// Does not wait for states that hold.
    transition force() const {
        auto& spec = spec_->open();
        spec.force = true;
        return transition(spec);
    }
    /// Exits and enters the superstate, too, when source and target are superstate and substate.
    transition external() const {
        auto& spec = spec_->open();
        spec.external = true;
        return transition(spec);
    }

    const transition_spec& spec() const { return *spec_; }

private:
    template <class E> transition<Context, E> waiting_for(event_key key) const {
        static_assert(!Early, "hsm: call .on<Event>() before a guard or action that takes the event or a local");
        static_assert(std::is_same_v<Event, detail::no_event>, "hsm: a transition has one event: write a transition for each");
        auto& spec = spec_->open();
        spec.event = std::move(key);
        return transition<Context, E>(spec);
    }

    transition_spec* spec_;
};

/// Where a machine may go when it is entered, or a choice leads: `dispatch(slash).when(...).then(...)`.
template <class Context> class entry_choice {
public:
    explicit entry_choice(transition_spec& spec) : spec_(std::addressof(spec)) {}

    template <class G> entry_choice when(G g, code_place at = {}) const {
        if constexpr (detail::is_callable<detail::signature<G>>)
            return entry_choice(spec_->add_guard(detail::bind<detail::as_guard, Context>(static_cast<G&&>(g), at)));
        else
            return entry_choice(detail::add_guard<Context, detail::no_event, true>(spec_->open(), static_cast<G&&>(g), at));
    }
    /// Runs after the machine's own enter, before its substates'.
    entry_choice then(const detail::given_action<Context>& action) const { return entry_choice(spec_->add_action(action)); }
    entry_choice priority(int p) const {
        auto& spec = spec_->open();
        spec.priority = p;
        return entry_choice(spec);
    }

    const transition_spec& spec() const { return *spec_; }

private:
    transition_spec* spec_;
};

/// Where a machine, a choice or a history state goes for want of anything better: `initial(idle).then(...)`.
template <class Context> class initial_choice {
public:
    explicit initial_choice(transition_spec& spec) : spec_(std::addressof(spec)) {}

    /// Runs after the machine's own enter, before its substates'; of a choice, as a transition's action.
    initial_choice then(const detail::given_action<Context>& action) const { return initial_choice(spec_->add_action(action)); }

    const transition_spec& spec() const { return *spec_; }

private:
    transition_spec* spec_;
};

} // namespace hsm
