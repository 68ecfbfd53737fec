/// The exceptions that a crowd throws itself: HSM-220 to HSM-225, see docs/reference/errors.md. If one is thrown, nothing has changed, but HSM-223
/// does not stop the tick in which it is thrown.
#pragma once

#include <hsm/run/error.hpp>

namespace hsm {

class crowd_error : public run_error {
public:
    using run_error::run_error;
};

} // namespace hsm
