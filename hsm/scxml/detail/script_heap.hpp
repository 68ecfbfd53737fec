/// What a script may use up: memory, exactly, and steps.
///
/// A step is an operation of Duktape's bytecode, of a regular expression, or of a native function on one property or 64 bytes. What is
/// allocated costs a step for 64 bytes, and so does each search through all of the heap for garbage. So steps are a measure of time, but
/// equal on every machine. A heap belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hsm::detail::scxml {

struct script_limits {
    std::size_t memory = std::size_t(8) << 20;  ///< bytes of a session's heap, with all that Duktape keeps there
    std::int64_t steps = 5'000'000;             ///< of one expression or script
    std::size_t stack = std::size_t(256) << 10; ///< bytes of the native stack below the caller
    std::uint64_t seed = 1;                     ///< of Math.random()
};

/// The one that Duktape gets as its "udata": its hooks (duktape/prepare.py) count down the first member.
struct script_heap {
    explicit script_heap(const script_limits& limits) : memory(limits.memory), random(limits.seed) {}

    std::int64_t steps = 0; ///< left; below zero, every script ends
    std::size_t memory;
    std::size_t used = 0, peak = 0;
    std::uint64_t random;

    // As duk_create_heap takes them; the heap is `udata`.
    static void* allocate(void* heap, std::size_t size);
    static void* reallocate(void* heap, void* memory, std::size_t size);
    static void release(void* heap, void* memory);
};

/// While it lives, native recursion of this thread ends in an error when the stack has grown that much further.
class stack_guard {
public:
    explicit stack_guard(std::size_t bytes);
    stack_guard(const stack_guard&) = delete;
    ~stack_guard();

private:
    const char* before_;
};

} // namespace hsm::detail::scxml
