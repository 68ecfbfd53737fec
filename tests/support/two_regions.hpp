/// The machine of most tests of regions: R{ P{ 1{a,b} 2{c,d} }, B }, in which all states except R record their hooks. Like started.hpp, not for
/// as_instance.hpp.
#pragma once

#include <tests/support/started.hpp>

#include <string>

namespace test {

struct two_regions {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::parallel<recorder>& p = traced(root->add_parallel("P"));
    hsm::fsm<recorder>& one = traced(p.add_fsm("1"));
    hsm::state<recorder>& a = traced(one.add("a"));
    hsm::state<recorder>& b = traced(one.add("b"));
    hsm::fsm<recorder>& two = traced(p.add_fsm("2"));
    hsm::state<recorder>& c = traced(two.add("c"));
    hsm::state<recorder>& d = traced(two.add("d"));
    hsm::state<recorder>& out = traced(root->add("B"));

    /// Starts outside the parallel.
    two_regions& from_outside() { return root->initial(out), *this; }
};

/// Like traced, for a final state, which has no update.
template <class State> State& traced_final(State& state) {
    const std::string name(state.name());
    state.on_enter(tracing("E " + name)).on_exit(tracing("X " + name));
    return state;
}

/// Returns the names of its leaves: "a c".
template <class Agent> std::string leaves_of(const Agent& agent) {
    std::string names;
    for (const auto leaf : agent.leaves()) names += (names.empty() ? "" : " ") + std::string(leaf.name());
    return names;
}

} // namespace test
