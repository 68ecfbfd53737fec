/// Measures the memory in use by operator new and counted_malloc, in programs that are linked with memory_use.cpp.
#pragma once

#include <atomic>
#include <cstddef>

namespace test {

struct memory_use {
    std::atomic<std::size_t> now{0};
    std::atomic<std::size_t> peak{0}; ///< approximate, if several threads allocate
};

/// Returns the use of the whole program.
memory_use& memory();
/// For libraries that take allocation functions.
void* counted_malloc(std::size_t size);
void counted_free(void* object);

/// The highest use during its lifetime, less the use at its beginning.
class peak_of_memory {
public:
    peak_of_memory() : before_(memory().now) { memory().peak = before_; }
    std::size_t bytes() const { return memory().peak - before_; }

private:
    std::size_t before_;
};

} // namespace test
