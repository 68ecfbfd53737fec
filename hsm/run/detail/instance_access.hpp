/// The running machine behind an instance: for what explains, watches or saves it.
#pragma once

#include <hsm/run/instance_base.hpp>

namespace hsm::detail {

struct instance_access {
    /// Also of one that must not be changed: asking it something may run guards, and puts everything back.
    static engine& engine_of(const instance_base& agent) { return agent.engine_; }
};

} // namespace hsm::detail
