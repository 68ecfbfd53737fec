/// The exceptions that the crowd itself throws: HSM-220 to HSM-225, see docs/reference/errors.md. If a call throws one of them, it has changed
/// nothing. HSM-223 is thrown in a hook during a tick; it does not stop this tick.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class crowd_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
