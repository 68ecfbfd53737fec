/// Defines a transition by a chain of calls:
///
///     idle.to(run).on<press>().when(&character::grounded).then([](character& c) { ... }).priority(2);
///
/// A `transition` is a handle to data stored in the source state; copies refer to the same transition. A transition of a chart cannot be changed (see
/// state_base.hpp).
#pragma once

#include <hsm/define/detail/given.hpp>
#include <hsm/define/event_names.hpp>
#include <hsm/define/event_range.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/define/when.hpp>

#include <concepts>

namespace hsm {

namespace detail {
template <class Role, class Context, class Event, class F>
concept early = std::is_same_v<Event, no_event> &&(form_of<Role, Context, Event, F>::needs.count > 0);
} // namespace detail

/// `Event`: the event named by `.on`. `Early`: true if a guard or action before `.on` takes a class other than the context (an event or a local).
template <class Context, class Event = detail::no_event, bool Early = false> class transition {
public:
    explicit transition(transition_spec& spec) : spec_(std::addressof(spec)) {}

    // Sets the event that triggers the transition. A transition without an event is polled in every tick.
    template <detail::event_class E> transition<Context, E> on() const { return waiting_for<E>(detail::key_of_type<E>()); }
    template <auto Value>
    requires std::is_enum_v<decltype(Value)> transition<Context, decltype(Value)> on()
    const {
        auto key = detail::key_of_value(Value);
        key.name = std::string(detail::enumerator_name<Value>());
        return waiting_for<decltype(Value)>(std::move(key));
    }
    template <class E>
    requires valued_event<E> transition<Context, detail::event_identity<E>> on(E value)
    const { return waiting_for<detail::event_identity<E>>(detail::key_of_value(value)); }
    /// Sets several values of one type as the event: `range('0', '9')`, `any('\r', '\n')`, `otherwise<char>()`.
    template <detail::several_events T> transition<Context, detail::type_of_events<T>> on(const T& values) const {
        return waiting_for<detail::type_of_events<T>>(detail::key_of_values(values));
    }
    template <detail::no_event_type E> transition<Context> on() const { return detail::refuse_event_type<E>(), *this; }
    template <detail::no_event_object E> transition<Context> on(const E&) const { return detail::refuse_event<E>(), *this; }
    template <class E> transition<Context> on(std::initializer_list<E>) const { return detail::refuse_event_list<E>(), *this; }
    transition<Context, named_event> on(std::string_view name) const { return waiting_for<named_event>(detail::key_of_name(name)); }
    /// Sets several names as the event: `event_prefix("error")`, `any_name()`, `any("stop", event_prefix("error"))`.
    template <detail::several_names T> transition<Context, named_event> on(const T& names) const {
        return waiting_for<named_event>(detail::key_of_names(names));
    }
    /// Makes the transition wait for every event that no other transition takes and no state defers. Hooks read the event from their step.
    transition<Context, any_event_type> on(any_event_type) const { return waiting_for<any_event_type>(detail::key_of_any_event()); }
    /// Makes the transition fire when its source is finished: a final substate was entered, `finish()` was called, or a local is finished().
    transition on_finished() const { return transition(spec_->set(&transition_spec::on_finished, true)); }

    /// Adds a guard, or conditions (see condition.hpp). All of them must hold.
    template <class G> transition<Context, Event, Early || detail::early<detail::as_guard, Context, Event, G>> when(G g, call_site at = {}) const {
        using guarded = transition<Context, Event, Early || detail::early<detail::as_guard, Context, Event, G>>;
        if constexpr (detail::is_callable<detail::signature<G>>)
            return guarded(spec_->add_guard(detail::bind<detail::as_guard, Context, Event>(static_cast<G&&>(g), at)));
        else
            return guarded(detail::add_guard<Context, Event, true>(spec_->open(), static_cast<G&&>(g), at));
    }
    /// Makes the transition fire only while all of these states are also active: a join of regions. Further calls add states.
    template <std::convertible_to<state_key>... More> transition in(const state_key& other, const More&... more) const {
        auto& spec = spec_->open();
        spec.joined.push_back(target_spec(other));
        (spec.joined.push_back(target_spec(state_key(more))), ...);
        return transition(spec);
    }
    /// Prevents the transition from firing while one of these states is active, for instance to exclude some substates of a superstate. Further calls
    /// add states.
    template <std::convertible_to<state_key>... More> transition unless_in(const state_key& state, const More&... more) const {
        auto& spec = spec_->open();
        spec.excluded.push_back(target_spec(state));
        (spec.excluded.push_back(target_spec(state_key(more))), ...);
        return transition(spec);
    }
    /// Adds an action that runs after the exits and before the entries. Several actions run in order.
    template <class F> auto then(F action, call_site at = {}) const {
        using acting = transition<Context, Event, Early || detail::early<detail::as_action, Context, Event, F>>;
        return acting(spec_->add_action(detail::bind<detail::as_action, Context, Event>(static_cast<F&&>(action), at)));
    }
    /// Sets the priority among transitions of the same depth: higher is tried first. Default 0.
    transition priority(int p) const { return transition(spec_->set(&transition_spec::priority, p)); }
    /// Lets a polled transition fire even if its target, a substate of its source, is already active.
    transition reenter() const { return transition(spec_->set(&transition_spec::reenter, true)); }
    /// Makes the transition fire only after that time has passed since its source was entered. Pass a time, or a function that computes it when the
    /// source is entered (see given.hpp). A polled transition fires once per activation of its source.
    transition after(const detail::given_delay<Context>& least) const {
        return transition(spec_->set(&transition_spec::after, detail::delay(least)));
    }
    /// Makes the transition fire at the moment when its `after` is due, even if the tick ends later. `time_in_state` and timers of the states that it
    /// enters count from that moment. The transition must have a target and `after`, and must not have an event. compile_options::carry_over sets
    /// this for all transitions of a chart.
    transition carry_over() const { return transition(spec_->set(&transition_spec::carry_over, true)); }
    /// Sets a label. Calls such as `set_time_left("cooldown", 2s)` use this label to name the transition's timer. Several transitions can have the
    /// same label.
    transition label(std::string name) const { return transition(spec_->set(&transition_spec::label, std::move(name))); }
    /// After any transition has fired, hsm also tries this transition. This repeats until no `.always()` transition fires.
    transition always() const { return transition(spec_->set(&transition_spec::always, true)); }
    /// Makes the transition fire even if states hold.
    transition force() const { return transition(spec_->set(&transition_spec::force, true)); }
    /// If one of source and target is a superstate of the other, makes the transition also exit and enter this superstate.
    transition external() const { return transition(spec_->set(&transition_spec::external, true)); }

    const transition_spec& spec() const { return *spec_; }

private:
    template <class E> transition<Context, E> waiting_for(event_key key) const {
        static_assert(!Early, "hsm: call .on<Event>() before a guard or action that takes the event or a local");
        static_assert(std::is_same_v<Event, detail::no_event>, "hsm: a transition has one event: write a separate transition for each event");
        return transition<Context, E>(spec_->set(&transition_spec::event, std::move(key)));
    }

    transition_spec* spec_;
};

/// A possible target when a machine or choice is entered: `dispatch(slash).when(...).then(...)`.
template <class Context> class entry_choice {
public:
    explicit entry_choice(transition_spec& spec) : spec_(std::addressof(spec)) {}

    template <class G> entry_choice when(G g, call_site at = {}) const {
        if constexpr (detail::is_callable<detail::signature<G>>)
            return entry_choice(spec_->add_guard(detail::bind<detail::as_guard, Context>(static_cast<G&&>(g), at)));
        else
            return entry_choice(detail::add_guard<Context, detail::no_event, true>(spec_->open(), static_cast<G&&>(g), at));
    }
    /// Adds an action that runs after the machine's enter hooks and before those of its substates.
    entry_choice then(const detail::given_action<Context>& action) const { return entry_choice(spec_->add_action(action)); }
    entry_choice priority(int p) const { return entry_choice(spec_->set(&transition_spec::priority, p)); }

    // For machines and choices with choose(...):
    /// Sets the function that computes the score. The score is a positive number, or 0 to exclude this candidate.
    entry_choice score(const detail::given_score<Context>& f) const { return entry_choice(spec_->set_score(f)); }
    /// Sets a fixed score. The default is 1.
    entry_choice weight(double w, call_site at = {}) const { return entry_choice(spec_->set_weight(w, at)); }
    /// Sets the rank, which is the candidate's priority. A candidate is chosen only if no candidate of higher rank can be chosen.
    entry_choice rank(int r) const { return priority(r); }
    /// Excludes the candidate until this time has passed since the last exit of its target.
    entry_choice cooldown(time_span time) const { return entry_choice(spec_->set(&transition_spec::cooldown, time.nanoseconds())); }

    const transition_spec& spec() const { return *spec_; }

private:
    transition_spec* spec_;
};

/// The default target of a machine, a choice or a history state: `initial(idle).then(...)`.
template <class Context> class initial_choice {
public:
    explicit initial_choice(transition_spec& spec) : spec_(std::addressof(spec)) {}

    /// Adds an action that runs after the machine's enter hooks and before those of its substates. For a choice, it runs like the action of a
    /// transition.
    initial_choice then(const detail::given_action<Context>& action) const { return initial_choice(spec_->add_action(action)); }

    const transition_spec& spec() const { return *spec_; }

private:
    transition_spec* spec_;
};

} // namespace hsm
