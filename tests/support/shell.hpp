/// Whether tests may ask programs by a shell as POSIX has it.
#pragma once

namespace hsm::test {

#ifdef _WIN32
inline constexpr bool has_shell = false;
#else
inline constexpr bool has_shell = true;
#endif

} // namespace hsm::test
