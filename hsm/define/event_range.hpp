/// Several events in one transition: a range or a list of bytes or enumeration values, or all other values.
///
///     number.on(hsm::range('0', '9')).then([](parser& p, char digit) { p.add(digit); });
///     number.to(line).on(hsm::any('\r', '\n'));
///     number.to(error).on(hsm::otherwise<char>());
///
/// Calls that process, post or defer an event take single events only.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/define/guard.hpp>

namespace hsm {

/// The values from first to last, inclusive.
template <class E> struct event_range {
    E first;
    E last;
};
/// Matches each value that fires no other transition of the state. Either no other transition waits for the value, or all transitions that wait for
/// it have false guards.
template <class E> struct other_events {};

template <class E, class Last> constexpr event_range<E> range(E first, [[maybe_unused]] Last last) {
    constexpr bool fits = valued_event<E> && std::is_same_v<detail::event_identity<E>, detail::event_identity<Last>>;
    static_assert(fits, "hsm: a range goes from one byte to another, or between two values of one enumeration");
    if constexpr (fits)
        return {first, static_cast<E>(last)};
    else
        return {first, first};
}

/// Matches all other values of type E.
template <class E> constexpr other_events<E> otherwise() {
    static_assert(valued_event<E>, "hsm: otherwise() takes a byte type or an enumeration: otherwise<char>()");
    return {};
}

namespace detail {

template <class T> inline constexpr bool is_otherwise = false;
template <class E> inline constexpr bool is_otherwise<other_events<E>> = true;

/// The values that an argument of `on` or `any` stands for; `type` is their type.
template <class T> struct event_values {};
template <class E> struct event_values<event_range<E>> {
    using type = E;
    template <class Add> static constexpr void each(const event_range<E>& r, Add add) {
        add(event_interval{event_value(r.first), event_value(r.last)});
    }
};
template <class E> struct event_values<other_events<E>> {
    using type = E;
    static constexpr event_interval all = byte_event<E> ? event_interval{0, 255} : event_interval{};
    template <class Add> static constexpr void each(const other_events<E>&, Add add) { add(all); }
};
/// An argument of any(...).
template <valued_event E> struct event_values<E> {
    using type = E;
    template <class Add> static constexpr void each(E e, Add add) { add(event_interval{event_value(e), event_value(e)}); }
};
template <class First, class... More>
requires requires { typename event_values<First>::type; }
struct event_values<any_of<First, More...>> {
    using type = typename event_values<First>::type;
    template <class T> static constexpr bool is_alike() {
        if constexpr (requires { typename event_values<T>::type; })
            return std::is_same_v<event_identity<typename event_values<T>::type>, event_identity<type>> && !is_otherwise<T>;
        else
            return false;
    }
    template <class Add> static constexpr void each(const any_of<First, More...>& values, Add add) {
        constexpr bool fits = !is_otherwise<First> && (is_alike<More>() && ...);
        static_assert(fits, "hsm: the events of any(...) are bytes, or values of one enumeration, or ranges of these");
        if constexpr (fits) values.parts.apply([&](const auto&... v) { (event_values<std::remove_cvref_t<decltype(v)>>::each(v, add), ...); });
    }
};

template <class T>
concept several_events = !valued_event<T> && requires {
    typename event_values<T>::type;
};

template <several_events T> using type_of_events = event_identity<typename event_values<T>::type>;

/// Returns the event key of these values. A registry registers the values under this key, and a transition waits for this key.
template <several_events T> event_key key_of_values(const T& values) {
    std::vector<event_interval> intervals;
    event_values<T>::each(values, [&](const event_interval& i) { intervals.push_back(i); });
    return key_of_intervals(event_type_of<type_of_events<T>>, std::move(intervals), is_otherwise<T>);
}

} // namespace detail

} // namespace hsm
