/// Numbers with fractions out of text, whatever the locale is.
#pragma once

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// How many characters at the beginning of the text are a number, as std::from_chars has it: 0 if they are none, or none that a double can be.
std::size_t read_real(std::string_view text, double& to);

/// The same where the standard library has no std::from_chars for it: libc++ has none before its version 20.
std::size_t read_real_by_strtod(std::string_view text, double& to);

} // namespace hsm::detail
