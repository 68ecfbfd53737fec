/// What a hook of the reference runs on: a machine of its own, filled in with what is to be known while it runs. There
/// is one for each group of hooks, so a hook may ask for something that runs others.
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

    /// From where names are looked up.
    const state_base* place() const { return now.state ? now.state : self.node(0); }

    interpreter& self;
    hsm::detail::hook_context now;
    hsm::detail::hook_context* first = &now; ///< what a block begins with
};

} // namespace hsm::detail
