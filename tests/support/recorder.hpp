/// Records what a machine does, for comparisons in tests: "X A, E B, U B".
#pragma once

#include <hsm/hsm.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace test {

/// The context of most tests: the trace, and two switches.
struct recorder {
    std::string trace;
    bool go = false;    ///< for guards
    bool ready = false; ///< for guards

    void note(std::string_view token) {
        if (!trace.empty()) trace += ", ";
        trace += token;
    }
    /// Returns the records since the last call.
    std::string take() { return std::exchange(trace, ""); }
};

/// Returns a hook that records a token.
inline auto tracing(std::string token) {
    return [token = std::move(token)](recorder& r) { r.note(token); };
}

/// Makes a state record "E name", "U name", "X name".
template <class State> State& traced(State& state) {
    const std::string name(state.name());
    state.on_enter(tracing("E " + name)).on_update(tracing("U " + name)).on_exit(tracing("X " + name));
    return state;
}

/// Events without data, distinguished by their numbers.
template <int> struct event {};

/// With enter and exit hooks only, so that ticks have nothing to do.
template <class State> State& traced_hooks(State& state) {
    const std::string name(state.name());
    state.on_enter(tracing("E " + name)).on_exit(tracing("X " + name));
    return state;
}

inline auto root_of() { return hsm::make_fsm<recorder>("R"); }

} // namespace test
