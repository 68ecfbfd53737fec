/// How a transition of a constant chart is written down: the words of transition.hpp.
#pragma once

#include <hsm/constant/detail/node.hpp>

namespace hsm::detail {

template <class E> constexpr constant_event constant_event_of() {
    static_assert(std::is_class_v<E>);
    return {{&event_type_of<E>, type_name<E>()}, 0, unqualified(type_name<E>()), sizeof(E), alignof(E), false};
}
template <class E> constexpr constant_event constant_event_of(E value, std::string_view name = {}) {
    return {{&event_type_of<E>, type_name<E>()}, static_cast<std::int64_t>(value), name, sizeof(E), alignof(E), true};
}

template <class T> inline constexpr bool no = false;

/// Event: what `.on` named.
template <class Context, class Event = no_event> class constant_transition {
    using spec_type = detail::constant_spec<Context>;

public:
    constexpr explicit constant_transition(spec_type& spec) : spec_(&spec) {}

    template <class E>
        requires std::is_class_v<E>
    constexpr constant_transition<Context, E> on() const {
        return waiting_for<E>(detail::constant_event_of<E>());
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    constexpr constant_transition<Context, decltype(Value)> on() const {
        return waiting_for<decltype(Value)>(detail::constant_event_of(Value, enumerator_name<Value>()));
    }
    template <class E>
        requires std::is_enum_v<E>
    constexpr constant_transition<Context, E> on(E value) const {
        return waiting_for<E>(detail::constant_event_of(value));
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
                      "hsm: constant charts: no captures, locals, names in guards; events after .on");
        spec_->add_guard(detail::constant_condition<Context, Event>(g));
        return *this;
    }
    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, Event, F>;
        static_assert(fits,
                      "hsm: constant charts: no captures, step, locals in actions; events after .on");
        spec_->takes_event |= spec_->actions.push_back(detail::constant_callable<Context, detail::as_action, Event>(action)).takes_event;
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
    /// Not while one of these states is active.
    template <class... States> constexpr constant_transition unless_in(const States&... states) const {
        (spec_->exclude(constant_key_of(states)), ...);
        return *this;
    }
    /// No state of a constant chart holds, so that there is nothing to be forced.
    constexpr constant_transition force() const { return *this; }

    // What a constant chart does not have. (The type is deduced, so that the compiler says so at once.)
    template <class T> constexpr auto after(T) const {
        static_assert(detail::no<T>,
                      "hsm: no time in constant charts: use compile");
        return *this;
    }
    template <class T = void> constexpr auto always() const {
        static_assert(detail::no<T>,
                      "hsm: a constant chart has no .always(): make the state transient, or use hsm::compile");
        return *this;
    }
    template <class... T> constexpr auto in(const T&...) const {
        static_assert(sizeof...(T) == 0,
                      "hsm: a constant chart has no regions to join: .in() needs hsm::compile");
        return *this;
    }

private:
    template <class E> constexpr constant_transition<Context, E> waiting_for(const detail::constant_event& event) const {
        static_assert(std::is_same_v<Event, no_event>,
                      "hsm: a transition has one event: write a transition for each");
        spec_->event = event;
        return constant_transition<Context, E>(*spec_);
    }

    spec_type* spec_;
};

/// Where a machine may go when it is entered: `dispatch(slash).when(...).then(...)`.
template <class Context> class constant_choice {
public:
    constexpr explicit constant_choice(detail::constant_spec<Context>& spec) : spec_(&spec) {}

    template <class G> constexpr auto when(G g) const {
        constexpr bool fits = detail::suits_as_guard<Context, no_event, G>;
        static_assert(fits,
                      "hsm: constant charts: no captures, locals, names in guards; events after .on");
        spec_->add_guard(detail::constant_condition<Context>(g));
        return *this;
    }
    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, no_event, F>;
        static_assert(fits,
                      "hsm: constant charts: no captures, step, locals in actions; events after .on");
        spec_->actions.push_back(detail::constant_callable<Context, detail::as_action>(action));
        return *this;
    }
    constexpr constant_choice priority(int p) const {
        spec_->priority = p;
        return *this;
    }

private:
    detail::constant_spec<Context>* spec_;
};

template <class Context> class constant_initial {
public:
    constexpr explicit constant_initial(detail::constant_spec<Context>& spec) : spec_(&spec) {}

    template <class F> constexpr auto then(F action) const {
        constexpr bool fits = detail::suits<Context, no_event, F>;
        static_assert(fits,
                      "hsm: constant charts: no captures, step, locals in actions; events after .on");
        spec_->actions.push_back(detail::constant_callable<Context, detail::as_action>(action));
        return *this;
    }

private:
    detail::constant_spec<Context>* spec_;
};

} // namespace hsm::detail
