/// Writes down what a machine does, so that a test can compare it with what it should do: "X A, E B, U B".
#pragma once

#include <hsm/hsm.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace test {

/// The context of most tests: the trace, and whatever else a test wants to switch.
struct recorder {
    std::string trace;
    bool go = false;    ///< for guards
    bool ready = false; ///< a second one

    void note(std::string_view token) {
        if (!trace.empty()) trace += ", ";
        trace += token;
    }
    /// What was noted since the last time.
    std::string take() { return std::exchange(trace, ""); }
};

/// A hook that notes a token.
inline auto noting(std::string token) {
    return [token = std::move(token)](recorder& r) { r.note(token); };
}

/// The state notes "E name", "U name", "X name".
template <class State> State& traced(State& state) {
    const std::string name(state.name());
    state.on_enter(noting("E " + name)).on_update(noting("U " + name)).on_exit(noting("X " + name));
    return state;
}

/// An event of no content, told apart by its number.
template <int> struct event {};

/// With enter and exit alone: an update would have to run.
template <class State> State& traced_hooks(State& state) {
    const std::string name(state.name());
    state.on_enter(noting("E " + name)).on_exit(noting("X " + name));
    return state;
}

inline auto root_of() { return hsm::make_fsm<recorder>("R"); }

} // namespace test
