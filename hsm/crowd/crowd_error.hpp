/// What a crowd throws by itself: an agent that is not there any more, a place that is taken, a call that cannot be made now
/// (HSM-220 to HSM-223, docs/reference/errors.md). Nothing has changed.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class crowd_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
