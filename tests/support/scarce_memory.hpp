/// The memory of a test: counted, filled, and at an end when the test says so. It replaces operator new, so it is for one source file of a program.
#pragma once

#include <tests/support/aligned_memory.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace test::memory {

inline constexpr std::size_t without_end = std::size_t(-1);

inline std::atomic<std::size_t> allocations{0};       ///< so far
inline std::atomic<std::ptrdiff_t> blocks{0};         ///< that are there
inline std::atomic<std::size_t> allowed{without_end}; ///< how many more; then there is no memory
inline std::atomic<bool> only_once{false};            ///< one is refused, and there is memory again
inline std::atomic<std::size_t> refused{0};           ///< so far
inline std::atomic<int> filler{-1};                   ///< each byte of new memory; -1: whatever is there

inline bool is_refused() {
    const auto left = allowed.load();
    if (left == without_end) return false;
    if (left > 0) {
        --allowed;
        return false;
    }
    if (only_once) allowed = without_end;
    ++refused;
    return true;
}

inline void* get(std::size_t size, std::size_t alignment) noexcept {
    if (is_refused()) return nullptr;
    void* const p = get_aligned(alignment, size);
    if (!p) std::abort();
    ++allocations;
    ++blocks;
    if (const int byte = filler; byte >= 0) std::memset(p, byte, size);
    return p;
}
inline void* get_or_throw(std::size_t size, std::size_t alignment) {
    if (void* const p = get(size, alignment)) return p;
    throw std::bad_alloc();
}
inline void give_back(void* p) noexcept {
    if (p) --blocks;
    free_aligned(p);
}

enum class shortage {
    once,    ///< one allocation fails
    lasting, ///< it and all that follow
};

/// One call, made while there is so much memory.
class trial {
public:
    trial(std::size_t left, shortage how) : left_(left), how_(how) {}

    /// False if it threw std::bad_alloc. Anything else that it throws goes on.
    template <class Call> bool attempt(Call call) {
        struct limited {
            explicit limited(const trial& t) {
                only_once = t.how_ == shortage::once;
                allowed = t.left_;
            }
            ~limited() { allowed = without_end; }
        };
        const auto before = refused.load();
        bool done = true;
        try {
            const limited memory(*this);
            call();
        } catch (const std::bad_alloc&) {
            done = false;
        }
        was_short_ = refused != before;
        return done;
    }
    bool was_short() const { return was_short_; }

private:
    std::size_t left_;
    shortage how_;
    bool was_short_ = false;
};

/// scenario(trial&), which makes its one attempt, with the first allocation failing, the second, ..., until none does: each once, and each
/// with all that follow. Sees that nothing is left over. How often there was a shortage.
template <class Scenario> int with_every_shortage(Scenario scenario) {
    int shortages = 0;
    {
        trial warm_up(without_end, shortage::once);
        scenario(warm_up); // what is made once in a program
    }
    for (const auto how : {shortage::once, shortage::lasting})
        for (std::size_t left = 0;; ++left) {
            CAPTURE(left);
            CAPTURE(static_cast<int>(how));
            const auto before = blocks.load();
            trial t(left, how);
            scenario(t);
            CHECK(blocks.load() == before);
            if (!t.was_short()) break;
            ++shortages;
            REQUIRE(left < 100'000);
        }
    return shortages;
}

/// Objects of whatever a test puts it into: there must be as many ends as beginnings.
class counted {
public:
    static inline std::atomic<int> alive{0};

    counted() { ++alive; }
    counted(const counted&) : counted() {}
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
};

} // namespace test::memory

[[gnu::noinline]] void* operator new(std::size_t size) { return test::memory::get_or_throw(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
    return test::memory::get_or_throw(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return test::memory::get(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void operator delete(void* p) noexcept { test::memory::give_back(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { test::memory::give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { test::memory::give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { test::memory::give_back(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { test::memory::give_back(p); }
