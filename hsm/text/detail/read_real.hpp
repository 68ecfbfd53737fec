/// Reads real numbers from text, independent of the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// Reads the number at the beginning of `text`, in the format of std::from_chars. Returns the length of
/// the number; 0 if there is no number, or if it does not fit a double.
std::size_t read_real(std::string_view text, double& to);

/// The same without std::from_chars for double, which libc++ lacks before version 20.
std::size_t read_real_by_strtod(std::string_view text, double& to);

} // namespace hsm::detail
