#include <tests/support/memory_use.hpp>

#include <tests/support/aligned_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace test {

memory_use& memory() {
    static constinit memory_use use;
    return use;
}

namespace {

constexpr std::size_t usual = alignof(std::max_align_t);

/// Stores the size before each piece, with room for its alignment.
void* counted(std::size_t size, std::size_t alignment) {
    const auto head = std::max(alignment, usual);
    auto* const piece = static_cast<std::byte*>(get_aligned(head, head + size));
    if (!piece) return nullptr;
    *reinterpret_cast<std::size_t*>(piece) = size;
    const auto now = memory().now += size;
    if (now > memory().peak) memory().peak = now;
    return piece + head;
}

void* counted_or_throw(std::size_t size, std::size_t alignment) {
    if (void* const object = counted(size, alignment)) return object;
    throw std::bad_alloc();
}

void discount(void* object, std::size_t alignment) noexcept {
    if (!object) return;
    auto* const piece = static_cast<std::byte*>(object) - std::max(alignment, usual);
    memory().now -= *reinterpret_cast<std::size_t*>(piece);
    free_aligned(piece);
}

} // namespace

void* counted_malloc(std::size_t size) { return counted(size, usual); }
void counted_free(void* object) { discount(object, usual); }

} // namespace test

using namespace test;

// All of them, because sanitizers replace each of them.
void* operator new(std::size_t size) { return counted_or_throw(size, usual); }
void* operator new[](std::size_t size) { return counted_or_throw(size, usual); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size, usual); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment) { return counted_or_throw(size, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return counted_or_throw(size, static_cast<std::size_t>(alignment)); }
void operator delete(void* object) noexcept { discount(object, usual); }
void operator delete[](void* object) noexcept { discount(object, usual); }
void operator delete(void* object, std::size_t) noexcept { discount(object, usual); }
void operator delete[](void* object, std::size_t) noexcept { discount(object, usual); }
void operator delete(void* object, const std::nothrow_t&) noexcept { discount(object, usual); }
void operator delete[](void* object, const std::nothrow_t&) noexcept { discount(object, usual); }
void operator delete(void* object, std::align_val_t alignment) noexcept { discount(object, static_cast<std::size_t>(alignment)); }
void operator delete[](void* object, std::align_val_t alignment) noexcept { discount(object, static_cast<std::size_t>(alignment)); }
void operator delete(void* object, std::size_t, std::align_val_t alignment) noexcept { discount(object, static_cast<std::size_t>(alignment)); }
void operator delete[](void* object, std::size_t, std::align_val_t alignment) noexcept { discount(object, static_cast<std::size_t>(alignment)); }
