/// How much memory is in use, by operator new and by who is given counted_malloc: for programs that are linked with memory_use.cpp.
#pragma once

#include <atomic>
#include <cstddef>

namespace test {

struct memory_use {
    std::atomic<std::size_t> now{0};
    std::atomic<std::size_t> peak{0}; ///< about, if several threads allocate
};

/// Of the whole program.
memory_use& memory();
/// For libraries that ask for functions to allocate with.
void* counted_malloc(std::size_t size);
void counted_free(void* object);

/// The most that was in use while it lived, beyond what was before.
class peak_of_memory {
public:
    peak_of_memory() : before_(memory().now) { memory().peak = before_; }
    std::size_t bytes() const { return memory().peak - before_; }

private:
    std::size_t before_;
};

} // namespace test
