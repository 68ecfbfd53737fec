/// The exceptions of logs and replays.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

/// HSM-371 to HSM-373. Nothing has changed unless documented otherwise.
class replay_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
