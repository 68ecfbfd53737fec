/// Defines a transition of a constant chart, with the calls of transition.hpp.
#pragma once

#include <hsm/constant/detail/node.hpp>

namespace hsm::detail {

/// `name`: of a class, or of one enumerator.
template <class E> constexpr constant_event constant_event_of(std::string_view name = {}, bool others = false) {
    return {{&event_type_of<E>, type_name<E>()}, name, sizeof(E), alignof(E), valued_event<E>, others};
}

template <class T> inline constexpr bool no = false;

/// `Context`: that of the source, or a constant_part. `Event`: the event named by `.on`.
template <class Context, class Event = no_event> class constant_transition {
    using spec_type = detail::constant_spec<constant_root<Context>>;

public:
    constexpr explicit constant_transition(spec_type& spec) : spec_(&spec) {}

    template <event_class E>
    constexpr constant_transition<Context, E> on() const {
        return waiting_for<E>(constant_event_of<E>(unqualified(type_name<E>())), event_interval{0, 0});
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    constexpr constant_transition<Context, decltype(Value)> on() const {
        return waiting_for<decltype(Value)>(constant_event_of<decltype(Value)>(enumerator_name<Value>()), Value);
    }
    template <class E>
        requires valued_event<E>
    constexpr auto on(E value) const {
        return waiting_for<event_identity<E>>(constant_event_of<event_identity<E>>(), value);
    }
    /// Several values of one type: `range('0', '9')`, `any('\r', '\n')`, `otherwise<char>()`.
    template <several_events T> constexpr auto on(const T& values) const {
        return waiting_for<type_of_events<T>>(constant_event_of<type_of_events<T>>({}, is_otherwise<T>), values);
    }
    constexpr constant_transition<Context, any_event_type> on(any_event_type) const {
        return waiting_for<any_event_type>(constant_event_of<any_event_type>("any_event"), event_interval{0, 0});
    }
    template <no_event_type E> constexpr constant_transition on() const { return refuse_event_type<E>(), *this; }
    /// Fires when a final substate of the source was entered.
    constexpr constant_transition on_finished() const {
        spec_->on_finished = true;
        return *this;
    }
    template <class G> constexpr auto when(G g) const {
        constexpr bool fits = detail::suits_as_guard<Context, Event, G>;
        static_assert(fits,
                      "hsm: a guard of a constant chart cannot have captures, or take events before .on");
        if constexpr (fits) detail::add_constant_guard<Context, Event>(*spec_, g);
        return *this;
    }
    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, Event, F>;
        static_assert(fits,
                      "hsm: an action of a constant chart cannot have captures or a step, and takes an event only after .on");
        spec_->actions.push_back(detail::constant_callable<Context, detail::as_action, Event>(action));
        return *this;
    }
    constexpr constant_transition priority(int p) const {
        spec_->priority = p;
        return *this;
    }
    constexpr constant_transition reenter() const {
        spec_->reenter = true;
        return *this;
    }
    constexpr constant_transition external() const {
        spec_->external = true;
        return *this;
    }
    /// Makes hsm also try the transition after each transition that fires. This repeats until no `.always()` transition fires.
    constexpr constant_transition always() const {
        spec_->always = true;
        return *this;
    }
    /// Makes the transition a join: it fires only while all these states are active, too.
    template <class... States> constexpr constant_transition in(const States&... states) const {
        (spec_->joined.append(constant_key_of(states)), ...);
        return *this;
    }
    /// Does not fire while one of these states is active.
    template <class... States> constexpr constant_transition unless_in(const States&... states) const {
        (spec_->excluded.append(constant_key_of(states)), ...);
        return *this;
    }
    /// Makes the transition fire even if states hold.
    constexpr constant_transition force() const {
        spec_->force = true;
        return *this;
    }
    /// Fires only after that time has passed since its source was entered. Pass a time, or a function that computes it when the source is entered.
    template <class T> constexpr auto after(T time) const {
        constexpr bool fits = detail::is_fixed_time<T> || detail::suits_as_value<Context, T>;
        static_assert(fits,
                      "hsm: a delay of a constant chart is a time, or a callable without captures that takes only the context");
        if constexpr (fits) spec_->after = detail::constant_delay_of<Context>(time);
        return *this;
    }
    /// Sets a label. Calls such as `time_left("cooldown")` use it to name the transition's timer. Several transitions can have the same label.
    constexpr constant_transition label(std::string_view text) const {
        spec_->label = text;
        return *this;
    }
    /// Makes the transition fire at the moment when its `after` is due, even if a tick ends later.
    constexpr constant_transition carry_over() const {
        spec_->carry_over = true;
        return *this;
    }

private:
    template <class E, class Values> constexpr constant_transition<Context, E> waiting_for(const constant_event& event, const Values& values) const {
        static_assert(std::is_same_v<Event, no_event>,
                      "hsm: a transition has one event: write a separate transition for each event");
        spec_->event = event;
        if constexpr (std::is_same_v<Values, event_interval>)
            spec_->values.push_back(values);
        else
            event_values<Values>::each(values, [&](const event_interval& i) { spec_->values.push_back(i); });
        return constant_transition<Context, E>(*spec_);
    }

    spec_type* spec_;
};

/// A possible target when a machine is entered: `dispatch(slash).when(...).then(...)`.
template <class Context> class constant_choice {
public:
    constexpr explicit constant_choice(detail::constant_spec<constant_root<Context>>& spec) : spec_(&spec) {}

    template <class G> constexpr auto when(G g) const {
        constexpr bool fits = detail::suits_as_guard<Context, no_event, G>;
        static_assert(fits,
                      "hsm: a guard of a constant chart cannot have captures, or take events before .on");
        if constexpr (fits) detail::add_constant_guard<Context, no_event>(*spec_, g);
        return *this;
    }
    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, no_event, F>;
        static_assert(fits,
                      "hsm: an action of a constant chart cannot have captures or a step, and takes an event only after .on");
        spec_->actions.push_back(detail::constant_callable<Context, detail::as_action>(action));
        return *this;
    }
    constexpr constant_choice priority(int p) const {
        spec_->priority = p;
        return *this;
    }
    constexpr constant_choice rank(int r) const { return priority(r); }
    template <class F> constexpr auto score(F f) const {
        constexpr bool fits = detail::suits_as_value<Context, F>;
        static_assert(fits,
                      "hsm: a score of a constant chart takes only the context, and has no captures or name");
        if constexpr (fits) spec_->score = detail::bind_constant_value<as_score, double, Context>(f);
        return *this;
    }
    constexpr constant_choice weight(double w) const {
        spec_->weight = w;
        spec_->has_weight = true;
        return *this;
    }
    /// A candidate cannot be chosen until that time has passed since the last exit of its target.
    template <class T> constexpr auto cooldown(T time) const {
        static_assert(detail::is_fixed_time<T>,
                      "hsm: a cooldown is a time, not a function");
        if constexpr (detail::is_fixed_time<T>) spec_->cooldown = detail::constant_delay_of<Context>(time).fixed;
        return *this;
    }

private:
    detail::constant_spec<constant_root<Context>>* spec_;
};

template <class Context> class constant_initial {
public:
    constexpr explicit constant_initial(detail::constant_spec<constant_root<Context>>& spec) : spec_(&spec) {}

    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, no_event, F>;
        static_assert(fits,
                      "hsm: an action of a constant chart cannot have captures or a step, and takes an event only after .on");
        spec_->actions.push_back(detail::constant_callable<Context, detail::as_action>(action));
        return *this;
    }

private:
    detail::constant_spec<constant_root<Context>>* spec_;
};

} // namespace hsm::detail
