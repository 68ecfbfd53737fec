/// Who is told what a constant instance does, if somebody is: see observed_instance.hpp.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>
#include <type_traits>

namespace hsm {

struct event_ref;

/// What `constant_instance` takes in the place of an observer: nobody is told anything.
struct unobserved {};

namespace detail {

/// The chart whose programs tell that observer what they do. Defined in observed_instance.hpp.
template <class Chart, class Observer> struct observed_constant_chart;

template <class Chart, class Observer> struct constant_chart_for { using type = observed_constant_chart<Chart, Observer>; };
template <class Chart> struct constant_chart_for<Chart, unobserved> { using type = Chart; };

template <class Core, class O>
concept observed_by = requires {
    typename Core::observer_type;
    requires std::is_convertible_v<O*, typename Core::observer_type*>;
};

/// What a running constant chart knows of who is told. Of most there is nothing to know.
template <class Chart> struct constant_teller {};

/// The records around a call. Of an instance that nobody observes: nothing.
template <class Core> struct told_call {
    HSM_ALWAYS_INLINE explicit told_call(Core&, call_kind) {}
    HSM_ALWAYS_INLINE result ends(result outcome) const { return outcome; }
};

} // namespace detail

} // namespace hsm
