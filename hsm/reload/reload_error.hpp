/// The exceptions of reload plans.
#pragma once

#include <hsm/save/save_error.hpp>

namespace hsm {

/// The errors HSM-420 to HSM-424. They are thrown before anything has changed. Exceptions of converters, and of copy constructors of locals and
/// events, are passed on unchanged.
class reload_error : public save_error {
public:
    using save_error::save_error;
};

} // namespace hsm
