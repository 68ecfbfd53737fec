/// Gives observers, explanations and saving access to an instance's machine.
#pragma once

#include <hsm/run/instance_base.hpp>

namespace hsm::detail {

struct instance_access {
    /// Returns a mutable machine: queries can run guards, which restore it afterwards.
    static engine& engine_of(const instance_base& agent) { return agent.engine_; }
};

} // namespace hsm::detail
