/// The exceptions of a distributed crowd: HSM-460 to HSM-465, see docs/reference/errors.md.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

/// Calls that all ranks make together throw on all ranks, so that no rank waits for a rank that has failed.
class cluster_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
