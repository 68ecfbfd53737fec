/// The exceptions that a manager throws itself: HSM-210 to HSM-217, see docs/reference/errors.md. After such an exception, nothing has changed.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class manager_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
