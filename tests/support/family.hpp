/// A small machine whose states record all their hooks.
#pragma once

#include <tests/support/started.hpp>

#include <string>

namespace test {

/// Makes a state also record "I name" and "D name".
template <class State> State& with_life(State& state) {
    const std::string name(state.name());
    traced(state).on_init(tracing("I " + name)).on_destroy(tracing("D " + name));
    return state;
}

/// R{ A{ x, y }, B }, not started.
struct family {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::fsm<recorder>& a = with_life(root->add_fsm("A"));
    hsm::state<recorder>& x = with_life(a.add("x"));
    hsm::state<recorder>& y = with_life(a.add("y"));
    hsm::state<recorder>& b = with_life(root->add("B"));
};

} // namespace test
