/// Aligned memory without operator new. Windows has no std::aligned_alloc, and frees such memory with its own function.
#pragma once

#include <cstddef>
#include <cstdlib>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace test {

/// Returns null if no memory is available.
inline void* get_aligned(std::size_t alignment, std::size_t size) noexcept {
    const auto whole = (size + alignment - 1) / alignment * alignment;
#ifdef _WIN32
    return _aligned_malloc(whole, alignment);
#else
    return std::aligned_alloc(alignment, whole);
#endif
}

inline void free_aligned(void* p) noexcept {
#ifdef _WIN32
    _aligned_free(p);
#else
    std::free(p);
#endif
}

} // namespace test
