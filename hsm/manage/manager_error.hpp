/// What a manager throws by itself: HSM-210 to HSM-217. Nothing has changed then.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class manager_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
