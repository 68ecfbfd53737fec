/// One step of a compiled program: a function and its operand. A chart contains a long array of them.
///
/// An op does its work and continues with the next op by a tail call, so a program is a chain of jumps without a loop. Without tail calls (no
/// optimization, sanitizers, HSM_LOOP_OPS), an op returns the next op, and the loop in `run` continues with it. Code compiled in both ways can be
/// mixed. The last op of a program returns a code.
///
/// g++ does not report whether it makes tail calls: it does not with -O1 or -Og (where meson.build defines HSM_LOOP_OPS), nor with
/// -fno-optimize-sibling-calls. Ops then call each other and need stack, but not without limit: a program regularly contains an op that returns (see
/// assembler.hpp).
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>

namespace hsm::detail {

struct machine;

struct op {
    const op* (*run)(const op* at, machine& m);
    union {
        const void* self;     ///< the callable of a hook
        const op* target;     ///< the op to continue with
        std::uint64_t number; ///< any other operand
    };
};

/// The codes that a program returns at its end, besides results.
inline constexpr std::uintptr_t code_next = 32;        ///< a part of a larger whole is complete
inline constexpr std::uintptr_t code_interrupted = 33; ///< other work must be done before the program continues
inline constexpr std::uintptr_t code_section = 34;     ///< a section of a tick is complete, and the next one must not follow automatically
inline constexpr std::uintptr_t code_retry = 35;       ///< a machine at rest repeats its entry choice
inline constexpr std::uintptr_t code_regions = 36;     ///< a parallel was entered, but not yet its regions
inline constexpr std::uintptr_t code_targets = 37;     ///< an entry choice leads into regions
inline constexpr std::uintptr_t code_record = 38;      ///< regions must be restored from a record
inline constexpr std::uintptr_t code_chosen = 39;      ///< the guards of one of several regions hold
inline constexpr std::uintptr_t code_parts = 40;       ///< a tick has no program and is executed from parts
inline constexpr std::uintptr_t last_code = 63;

inline const op* end_with(std::uintptr_t code) { return reinterpret_cast<const op*>(code + 1); }
inline const op* end_with(result r) { return end_with(static_cast<std::uintptr_t>(r)); }

/// Runs a program to its end and returns its code.
inline std::uintptr_t run(const op* at, machine& m) {
    do at = at->run(at, m);
    while (reinterpret_cast<std::uintptr_t>(at) > last_code);
    return reinterpret_cast<std::uintptr_t>(at) - 1;
}

/// The same for a program that usually ends with this code: it is compared before all others.
inline std::uintptr_t run(const op* at, machine& m, std::uintptr_t usual) {
    at = at->run(at, m);
    if (at == end_with(usual)) [[likely]]
        return usual;
    while (reinterpret_cast<std::uintptr_t>(at) > last_code) at = at->run(at, m);
    return reinterpret_cast<std::uintptr_t>(at) - 1;
}

/// Returns the op after this one. The empty asm stops the compiler from loading its function early, which costs two more moves per op.
inline const op* next(const op* at) {
    ++at;
    HSM_FORGET(at);
    return at;
}

} // namespace hsm::detail

#if HSM_TAIL_CALLS
#define HSM_PROCEED(next) HSM_MUSTTAIL return (next)->run(next, m)
#else
#define HSM_PROCEED(next) return next
#endif
