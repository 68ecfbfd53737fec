/// The exceptions of a distributed crowd: HSM-460 to HSM-465 and HSM-476, see docs/reference/errors.md.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

/// If a call that all ranks make together fails on one rank, it throws on all ranks.
class cluster_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
