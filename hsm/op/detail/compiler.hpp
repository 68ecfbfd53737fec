/// All compiler-specific code of the library, with portable replacements. No other file contains any (tests/structure/compiler_words.py).
///
/// With HSM_PORTABLE (meson: -Dportable=true), only standard C++ is used, plus one attribute that other compilers ignore: HSM_HIDDEN. g++ and clang
/// are tested with and without it. The code for MSVC is written from its documentation and has never been compiled.
#pragma once

#include <cstdint>

#if defined(HSM_PORTABLE)
#define HSM_GNU 0
#define HSM_MSVC 0
#else
#if defined(__GNUC__) // also defined by clang
#define HSM_GNU 1
#else
#define HSM_GNU 0
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#define HSM_MSVC 1
#else
#define HSM_MSVC 0
#endif
#endif

#if HSM_GNU
#define HSM_ALWAYS_INLINE [[gnu::always_inline]]
#define HSM_ALWAYS_INLINE_LAMBDA __attribute__((always_inline)) // after its parameters
#define HSM_NOINLINE [[gnu::noinline]]
#define HSM_COLD [[gnu::cold]]
#define HSM_USED [[gnu::used]]
#elif HSM_MSVC
#define HSM_ALWAYS_INLINE [[msvc::forceinline]]
#define HSM_ALWAYS_INLINE_LAMBDA
#define HSM_NOINLINE [[msvc::noinline]]
#define HSM_COLD
#define HSM_USED
#else
#define HSM_ALWAYS_INLINE
#define HSM_ALWAYS_INLINE_LAMBDA
#define HSM_NOINLINE
#define HSM_COLD
#define HSM_USED
#endif

/// Gives every module (a program, a shared library) its own object, hidden from other modules. On Windows this is the default. Elsewhere g++ and
/// clang need the attribute; standard C++ has no replacement, so HSM_PORTABLE uses it, too.
#if !defined(_WIN32) && __has_cpp_attribute(gnu::visibility)
#define HSM_HIDDEN [[gnu::visibility("hidden")]]
#else
#define HSM_HIDDEN
#endif

/// Whether `return f(x);` becomes a jump. clang guarantees it for these processors. g++ does it, but not with -O1 or -Og, which a header cannot
/// detect: meson.build then defines HSM_LOOP_OPS.
#if !HSM_GNU || defined(HSM_LOOP_OPS) || !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HSM_TAIL_CALLS 0
#define HSM_MUSTTAIL
#elif !defined(__clang__)
#define HSM_TAIL_CALLS 1
#define HSM_MUSTTAIL
#elif defined(__x86_64__) || defined(__aarch64__)
#define HSM_TAIL_CALLS 1
#define HSM_MUSTTAIL [[clang::musttail]]
#else
#define HSM_TAIL_CALLS 0
#define HSM_MUSTTAIL
#endif

/// Prevents the compiler from assuming a value of the variable.
#if HSM_GNU
#define HSM_FORGET(variable) asm("" : "+r"(variable))
#else
#define HSM_FORGET(variable) static_cast<void>(0)
#endif

/// Assembly outside functions, for features of ELF.
#if HSM_GNU && defined(__ELF__)
#define HSM_ELF_ASSEMBLY(text) asm(text)
#else
#define HSM_ELF_ASSEMBLY(text) static_assert(true)
#endif

#if HSM_GNU
#define HSM_UNREACHABLE() __builtin_unreachable()
#define HSM_PREFETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#define HSM_STACK_ADDRESS(local) (static_cast<void>(local), static_cast<const char*>(__builtin_frame_address(0)))
/// Whether a value is constant, during constant evaluation. With -fsanitize=undefined, g++ cannot compare all addresses there.
#define HSM_IS_CONSTANT(value) __builtin_constant_p(value)
#else
#if HSM_MSVC
#define HSM_UNREACHABLE() __assume(0)
#else
#define HSM_UNREACHABLE() static_cast<void>(0)
#endif
#define HSM_PREFETCH_TO_WRITE(address) static_cast<void>(address)
#define HSM_STACK_ADDRESS(local) (&(local))
#define HSM_IS_CONSTANT(value) true
#endif

/// Functions with AVX2 in a program for any x86-64. Not on Windows, where g++ does not align their stack variables (its bug 54412).
#if HSM_GNU && defined(__x86_64__) && !defined(_WIN32)
#define HSM_AVX2 [[gnu::target("avx2")]]
#define HSM_CPU_HAS_AVX2() __builtin_cpu_supports("avx2")
#endif

/// The name of the function with its template arguments, and the place of the call in whose default argument it is used.
#if HSM_GNU
#define HSM_FUNCTION_NAME __PRETTY_FUNCTION__
#elif HSM_MSVC
#define HSM_FUNCTION_NAME __FUNCSIG__
#else
#include <source_location>
#ifndef __cpp_lib_source_location
#error "hsm: HSM_PORTABLE needs std::source_location, which this compiler does not have: build without HSM_PORTABLE"
#endif
#define HSM_FUNCTION_NAME std::source_location::current().function_name()
#endif

#if HSM_GNU || HSM_MSVC
#define HSM_CALLER_FILE __builtin_FILE()
#define HSM_CALLER_LINE __builtin_LINE()
#else
#define HSM_CALLER_FILE std::source_location::current().file_name()
#define HSM_CALLER_LINE std::source_location::current().line()
#endif

/// Whether the name of a class in a function includes the function. g++ writes it before the class. With other compilers, the linker's name, from
/// type information, contains it.
#if HSM_GNU && !defined(__clang__)
#define HSM_NAMES_TELL_FUNCTIONS 1
#else
#define HSM_NAMES_TELL_FUNCTIONS 0
#endif

#if !HSM_GNU
#include <atomic> // not included otherwise, because it would double the cost of including hsm.hpp
#endif

static_assert(sizeof(void*) == 8, "hsm: hsm requires a 64-bit processor");

namespace hsm::detail {

/// Whether the compiler prints a text that is a template argument as text.
inline constexpr bool compiler_prints_text = HSM_NAMES_TELL_FUNCTIONS;

/// The number of consecutive comparisons that the compiler converts to a good switch. Not static or inline: each file has its own optimization level.
#if HSM_GNU && !defined(__OPTIMIZE__)
constexpr unsigned compiler_joins_comparisons = 4; // it converts none of them
#elif HSM_GNU && !defined(__clang__)
constexpr unsigned compiler_joins_comparisons = 4096;
#else
constexpr unsigned compiler_joins_comparisons = 128; // its limit for nesting
#endif

// Equivalent to std::atomic_ref, without <atomic>. (libc++ has it only since version 19.)

enum class order { relaxed, acquire, release, acquire_release };

template <class T> class atomic_view {
public:
    HSM_ALWAYS_INLINE explicit atomic_view(T& object) : object_(object) {}

#if HSM_GNU
    template <order Order> HSM_ALWAYS_INLINE T load() const {
        T value;
        __atomic_load(&object_, &value, memory_order<Order>);
        return value;
    }
    template <order Order> HSM_ALWAYS_INLINE void store(T value) const { __atomic_store(&object_, &value, memory_order<Order>); }
    template <order Order> HSM_ALWAYS_INLINE T exchange(T value) const {
        T before;
        __atomic_exchange(&object_, &value, &before, memory_order<Order>);
        return before;
    }
    template <order Order> HSM_ALWAYS_INLINE T fetch_add(T more) const { return __atomic_fetch_add(&object_, more, memory_order<Order>); }
    template <order Order> HSM_ALWAYS_INLINE T fetch_sub(T less) const { return __atomic_fetch_sub(&object_, less, memory_order<Order>); }
    /// It can fail spuriously.
    template <order Order, order OnFailure> HSM_ALWAYS_INLINE bool compare_exchange_weak(T& expected, T desired) const {
        return __atomic_compare_exchange(&object_, &expected, &desired, true, memory_order<Order>, memory_order<OnFailure>);
    }
    template <order Order, order OnFailure> HSM_ALWAYS_INLINE bool compare_exchange_strong(T& expected, T desired) const {
        return __atomic_compare_exchange(&object_, &expected, &desired, false, memory_order<Order>, memory_order<OnFailure>);
    }

private:
    template <order Order>
    static constexpr int memory_order = Order == order::relaxed   ? __ATOMIC_RELAXED
                                        : Order == order::acquire ? __ATOMIC_ACQUIRE
                                        : Order == order::release ? __ATOMIC_RELEASE
                                                                  : __ATOMIC_ACQ_REL;
    T& object_;
#else
    template <order Order> T load() const { return object_.load(memory_order<Order>); }
    template <order Order> void store(T value) const { object_.store(value, memory_order<Order>); }
    template <order Order> T exchange(T value) const { return object_.exchange(value, memory_order<Order>); }
    template <order Order> T fetch_add(T more) const { return object_.fetch_add(more, memory_order<Order>); }
    template <order Order> T fetch_sub(T less) const { return object_.fetch_sub(less, memory_order<Order>); }
    template <order Order, order OnFailure> bool compare_exchange_weak(T& expected, T desired) const {
        return object_.compare_exchange_weak(expected, desired, memory_order<Order>, memory_order<OnFailure>);
    }
    template <order Order, order OnFailure> bool compare_exchange_strong(T& expected, T desired) const {
        return object_.compare_exchange_strong(expected, desired, memory_order<Order>, memory_order<OnFailure>);
    }

private:
    template <order Order>
    static constexpr auto memory_order = Order == order::relaxed   ? std::memory_order_relaxed
                                         : Order == order::acquire ? std::memory_order_acquire
                                         : Order == order::release ? std::memory_order_release
                                                                   : std::memory_order_acq_rel;
    std::atomic_ref<T> object_;
#endif
};

/// For objects that are const everywhere else.
template <order Order, class T> HSM_ALWAYS_INLINE inline T atomic_load(const T& object) {
    return atomic_view<T>(const_cast<T&>(object)).template load<Order>();
}

/// Returns whether `n` is representable as To.
template <class To, class From> constexpr bool holds_number(From n) {
    return static_cast<From>(static_cast<To>(n)) == n && (n < From(0)) == (static_cast<To>(n) < To(0));
}

// These functions compute a + b, a - b, a * b (b > 0) into `to`. They return false on overflow; `to` is then undefined.
#if HSM_GNU
constexpr bool add_up(std::int64_t a, std::int64_t b, std::int64_t& to) { return !__builtin_add_overflow(a, b, &to); }
constexpr bool subtract(std::int64_t a, std::int64_t b, std::int64_t& to) { return !__builtin_sub_overflow(a, b, &to); }
template <class A> constexpr bool multiply(A a, std::int64_t b, std::int64_t& to) { return !__builtin_mul_overflow(a, b, &to); }
#else
inline constexpr auto most_counted = std::int64_t(~(std::uint64_t(1) << 63)), least_counted = -most_counted - 1;
constexpr bool add_up(std::int64_t a, std::int64_t b, std::int64_t& to) {
    if (b > 0 ? a > most_counted - b : a < least_counted - b) return false;
    to = a + b;
    return true;
}
constexpr bool subtract(std::int64_t a, std::int64_t b, std::int64_t& to) {
    if (b > 0 ? a < least_counted + b : a > most_counted + b) return false;
    to = a - b;
    return true;
}
template <class A> constexpr bool multiply(A a, std::int64_t b, std::int64_t& to) {
    if (!holds_number<std::int64_t>(a)) return false;
    const auto n = static_cast<std::int64_t>(a);
    if (n > most_counted / b || n < least_counted / b) return false;
    to = n * b;
    return true;
}
#endif

} // namespace hsm::detail
