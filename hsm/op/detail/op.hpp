/// One step of a compiled program: a function and what it works on. A chart is a long array of them.
///
/// An op does its part and goes on to the next by a tail call, so that a program is a chain of jumps without a loop
/// around it. Where tail calls cannot be had (no optimisation, sanitizers, HSM_LOOP_OPS) it returns the next op instead, and the
/// loop in `run` goes on with it; code compiled in either way may be mixed. The last op of a program returns a code.
///
/// g++ does not say whether it makes tail calls: not with -O1 or -Og (where meson.build defines HSM_LOOP_OPS), nor with
/// -fno-optimize-sibling-calls. Ops then really call each other, which needs stack, but not without limit: programs have an op that
/// returns every so often (see assembler.hpp).
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
        const op* target;     ///< where to go on
        std::uint64_t number; ///< anything else
    };
};

/// What a program returns at its end: a result, or one of these.
inline constexpr std::uintptr_t code_next = 32;        ///< a part of a larger whole is done
inline constexpr std::uintptr_t code_interrupted = 33; ///< something has to be done before the program goes on
inline constexpr std::uintptr_t code_section = 34;     ///< one section of a tick is done, and the next is not to follow by itself
inline constexpr std::uintptr_t code_retry = 35;       ///< a machine at rest makes its entry choice anew
inline constexpr std::uintptr_t code_regions = 36;     ///< a parallel was entered; its regions are not yet
inline constexpr std::uintptr_t code_targets = 37;     ///< an entry choice leads into regions
inline constexpr std::uintptr_t code_record = 38;      ///< regions go back to where they were left
inline constexpr std::uintptr_t code_chosen = 39;      ///< the guards of one of several regions have agreed
inline constexpr std::uintptr_t code_parts = 40;       ///< a tick has no program: it is put together from parts
inline constexpr std::uintptr_t last_code = 63;

inline const op* end_with(std::uintptr_t code) { return reinterpret_cast<const op*>(code + 1); }
inline const op* end_with(result r) { return end_with(static_cast<std::uintptr_t>(r)); }

/// Runs a program to its end and returns its code.
inline std::uintptr_t run(const op* at, machine& m) {
    do at = at->run(at, m);
    while (reinterpret_cast<std::uintptr_t>(at) > last_code);
    return reinterpret_cast<std::uintptr_t>(at) - 1;
}

/// The op behind this one. The empty asm keeps the compiler from fetching its function early, at two more moves per op.
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
