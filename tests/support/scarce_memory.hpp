/// The memory of a test: counted, filled, and limited on request. It replaces operator new, so include it in one source of a program.
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

/// The threads that lack memory.
enum class threads { all, this_one };

inline constexpr std::size_t without_end = std::size_t(-1);

inline std::atomic<std::size_t> allocations{0};       ///< so far
inline std::atomic<std::ptrdiff_t> blocks{0};         ///< currently allocated
inline std::atomic<std::size_t> allowed{without_end}; ///< how many more succeed
inline std::atomic<bool> only_once{false};            ///< only one allocation fails
inline std::atomic<std::size_t> refused{0};           ///< failed so far
inline std::atomic<threads> short_threads{threads::all};
inline thread_local bool is_trying = false; ///< this thread makes the attempt
inline std::atomic<int> filler{-1};         ///< the value of each byte of new memory; -1: not set

inline bool is_refused() {
    const auto left = allowed.load();
    if (left == without_end || (short_threads == threads::this_one && !is_trying)) return false;
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
    lasting, ///< it and all later ones fail
};

/// One call with limited memory.
class trial {
public:
    trial(std::size_t left, shortage how) : left_(left), how_(how) {}

    /// Returns false if the call threw std::bad_alloc. Other exceptions propagate.
    template <class Call> bool attempt(Call call, threads which = threads::all) {
        struct limited {
            limited(const trial& t, threads whose) {
                is_trying = true;
                short_threads = whose;
                only_once = t.how_ == shortage::once;
                allowed = t.left_;
            }
            ~limited() {
                allowed = without_end;
                is_trying = false;
                short_threads = threads::all;
            }
        };
        const auto before = refused.load();
        bool done = true;
        try {
            const limited memory(*this, which);
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

inline std::size_t next_allocation(std::size_t n) { return n + 1; }

/// Calls scenario(trial&), which makes one attempt, with a failure of the first allocation, the second, ..., until none fails: each once alone, and
/// once with all later ones. Checks for leaks. Returns the number of failures.
template <class Scenario> int with_every_shortage(Scenario scenario, std::size_t (*next)(std::size_t) = next_allocation) {
    int shortages = 0;
    {
        trial warm_up(without_end, shortage::once);
        scenario(warm_up); // allocations that happen once in a program
    }
    for (const auto how : {shortage::once, shortage::lasting})
        for (std::size_t left = 0;; left = next(left)) {
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

/// The same without some of the later allocations. If the environment has HSM_SHORTAGE=all, with every one.
template <class Scenario> int with_many_shortages(Scenario scenario) {
    const char* const chosen = std::getenv("HSM_SHORTAGE");
    if (chosen && std::strcmp(chosen, "all") == 0) return with_every_shortage(scenario);
    return with_every_shortage(scenario, [](std::size_t n) { return n + 1 + n / 3; });
}

/// An object whose constructions and destructions must be balanced.
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
