/// The exceptions that the manager itself throws: HSM-210 to HSM-217, see docs/reference/errors.md. If a call throws one of them, it has changed
/// nothing.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class manager_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
