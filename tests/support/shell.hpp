/// Whether tests can run programs through a POSIX shell.
#pragma once

namespace hsm::test {

#ifdef _WIN32
inline constexpr bool has_shell = false;
#else
inline constexpr bool has_shell = true;
#endif

} // namespace hsm::test
