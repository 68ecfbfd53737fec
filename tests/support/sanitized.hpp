/// Sanitized tests are many times slower, so tests of all bytes or bits test some of them there.
#pragma once

#include <cstddef>

namespace test {

#if defined(HSM_TEST_ADDRESS_SANITIZER) || defined(HSM_TEST_THREAD_SANITIZER)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// Steps of a loop over all bits or bytes. A prime number, so that each bit of a byte has its turn.
inline constexpr std::size_t stride = is_sanitized ? 11 : 1;

} // namespace test
