/// A machine for the hooks of the reference, with the data that they can access. Each group of hooks has its own, because a hook can cause other
/// hooks to run.
#pragma once

#include <tests/reference/interpreter.hpp>

namespace hsm::detail {

struct interpreter::stage : machine {
    stage(interpreter& owner, index s, const occasion& why, std::int64_t elapsed = 0) : self(owner) {
        chart = &owner.head_;
        context = owner.context_of(s);
        payload = why.payload;
        block = reinterpret_cast<std::byte*>(&first);
        now.cause = why.cause;
        now.entered = why.entered;
        now.arrived = owner.node(owner.region_leaf(0));
        now.state = owner.node(s);
        now.elapsed = now.tick_elapsed = elapsed;
        now.root_context = owner.context_;
    }
    stage(const stage&) = delete;
    stage& operator=(const stage&) = delete;

    /// Returns the state from which names are looked up.
    const state_base* place() const { return now.state ? now.state : self.node(0); }

    interpreter& self;
    hsm::detail::hook_context now;
    hsm::detail::hook_context* first = &now; ///< the beginning of a block
};

} // namespace hsm::detail
