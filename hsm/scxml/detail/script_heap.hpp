/// The resources of a script: memory, counted exactly, and steps.
///
/// A step is an operation of Duktape's bytecode, of a regular expression, or of a native function on one property or 64 bytes. An allocation costs a
/// step for each 64 bytes. A garbage collection costs a step for each 64 bytes of the heap. So steps measure time, but are equal on every machine. A
/// heap belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hsm::detail::scxml {

struct script_limits {
    std::size_t memory = std::size_t(8) << 20;  ///< bytes of a session's heap, including Duktape's own data
    std::int64_t steps = 5'000'000;             ///< for one expression or script
    std::size_t stack = std::size_t(256) << 10; ///< bytes of the native stack below the caller
    std::uint64_t seed = 1;                     ///< for Math.random()
};

/// Passed to Duktape as "udata". Duktape's hooks (duktape/prepare.py) count down the first member.
struct script_heap {
    explicit script_heap(const script_limits& limits) : memory(limits.memory), random(limits.seed) {}

    std::int64_t steps = 0; ///< remaining steps; if negative, every script ends
    std::size_t memory;
    std::size_t used = 0, peak = 0;
    std::uint64_t random;

    // The functions for duk_create_heap; `heap` is the udata.
    static void* allocate(void* heap, std::size_t size);
    static void* reallocate(void* heap, void* memory, std::size_t size);
    static void release(void* heap, void* memory);
};

/// During its lifetime, native recursion of this thread fails when the stack has grown by `bytes`.
class stack_guard {
public:
    explicit stack_guard(std::size_t bytes);
    stack_guard(const stack_guard&) = delete;
    ~stack_guard();

private:
    const char* before_;
};

} // namespace hsm::detail::scxml
