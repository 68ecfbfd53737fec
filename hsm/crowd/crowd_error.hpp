/// The exceptions that a crowd throws itself: HSM-220 to HSM-225, see docs/reference/errors.md. Nothing has changed, except for HSM-223 in a tick,
/// which continues.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class crowd_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
