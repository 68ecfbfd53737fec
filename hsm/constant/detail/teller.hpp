/// The observer of a constant instance, if it has one: see observed_instance.hpp.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>
#include <type_traits>

namespace hsm {

struct event_ref;

/// The observer parameter of `constant_instance` without an observer.
struct unobserved {};

namespace detail {

/// The chart with programs that report records to that observer. Defined in observed_instance.hpp.
template <class Chart, class Observer> struct observed_constant_chart;

template <class Chart, class Observer> struct constant_chart_for { using type = observed_constant_chart<Chart, Observer>; };
template <class Chart> struct constant_chart_for<Chart, unobserved> { using type = Chart; };

template <class Core, class O>
concept observed_by = requires {
    typename Core::observer_type;
    requires std::is_convertible_v<O*, typename Core::observer_type*>;
};

/// The data that a running constant chart stores for its observer. Empty without one.
template <class Chart> struct constant_teller {};

/// Reports the records at the begin and end of a call. Does nothing without an observer.
template <class Core> struct told_call {
    HSM_ALWAYS_INLINE explicit told_call(Core&, call_kind) {}
    HSM_ALWAYS_INLINE result ends(result outcome) const { return outcome; }
};

} // namespace detail

} // namespace hsm
