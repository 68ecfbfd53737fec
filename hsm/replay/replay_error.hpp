/// The exceptions that logs and replays throw.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

/// The errors HSM-371 to HSM-373, and HSM-384. If one is thrown, nothing has changed unless documented otherwise.
class replay_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
