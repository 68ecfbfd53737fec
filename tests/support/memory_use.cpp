#include <tests/support/memory_use.hpp>

#include <pugixml.hpp>

#include <cstdlib>
#include <new>

namespace test {

memory_use& memory() {
    static constinit memory_use use;
    return use;
}

namespace {

/// In front of each piece; as large as the strictest alignment.
constexpr std::size_t head = alignof(std::max_align_t);

void* counted(std::size_t size) {
    auto* const piece = static_cast<std::size_t*>(std::malloc(head + size));
    if (!piece) return nullptr;
    *piece = size;
    const auto now = memory().now += size;
    if (now > memory().peak) memory().peak = now;
    return reinterpret_cast<std::byte*>(piece) + head;
}

void discount(void* object) {
    if (!object) return;
    auto* const piece = reinterpret_cast<std::size_t*>(static_cast<std::byte*>(object) - head);
    memory().now -= *piece;
    std::free(piece);
}

} // namespace

void count_pugixml() { pugi::set_memory_management_functions(&counted, &discount); }

} // namespace test

// The others of operator new and delete call these.
void* operator new(std::size_t size) {
    if (void* const object = test::counted(size)) return object;
    throw std::bad_alloc();
}
void operator delete(void* object) noexcept { test::discount(object); }
void operator delete(void* object, std::size_t) noexcept { test::discount(object); }
