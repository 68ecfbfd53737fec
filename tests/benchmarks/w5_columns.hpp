/// W5 written by hand: a column of states, one of conditions, and a test that no agent's state decides by a branch; or a column of moments.
#pragma once

#include "bench.hpp"

#include <cstring>
#include <new>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace w5 {

enum state : std::uint8_t { state_idle, state_run, state_jump, state_attack };

struct xorshift {
    std::uint32_t x = 2463534242;
    std::uint32_t operator()() {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        return x >> 4;
    }
};

alignas(64) inline constexpr std::uint32_t masks[16] = {0, 1, 2, 4};   ///< conditions as they are while nothing happens
alignas(64) inline constexpr std::uint32_t filters[16] = {7, 7, 2, 4}; ///< and which of them matter

class columns {
public:
    explicit columns(std::size_t n) : count_(n) {
        const auto room = (n + 63) / 64 * 64;
        states_ = static_cast<std::uint8_t*>(::operator new(room, std::align_val_t(64)));
        conditions_ = static_cast<std::uint32_t*>(::operator new(room * sizeof(std::uint32_t), std::align_val_t(64)));
        std::memset(states_, 0, room);
        std::memset(conditions_, 0, room * sizeof(std::uint32_t));
        bench::count(state_idle, n);
    }
    columns(const columns&) = delete;
    ~columns() {
        ::operator delete(states_, std::align_val_t(64));
        ::operator delete(conditions_, std::align_val_t(64));
    }
    void flip(std::uint32_t agent, std::uint32_t c) { conditions_[agent] ^= 1u << c; }

protected:
    bool restless(std::size_t i) const { return ((conditions_[i] ^ masks[states_[i]]) & filters[states_[i]]) != 0; }
    [[gnu::noinline]] void change(std::size_t i) {
        const auto c = conditions_[i];
        auto s = states_[i];
        switch (s) {
        case state_idle: s = c & 4 ? state_attack : c & 2 ? state_jump : state_run; break;
        case state_run: s = !(c & 1) ? state_idle : c & 2 ? state_jump : state_attack; break;
        default: s = state_idle;
        }
        states_[i] = s;
        bench::count(s);
    }

    std::size_t count_;
    std::uint8_t* states_;
    std::uint32_t* conditions_;
};

class plain_columns : public columns {
public:
    using columns::columns;
    [[gnu::noinline]] void tick() {
        asm volatile("" : : "r"(states_) : "memory");
        for (std::size_t i = 0; i < count_; ++i)
            if (restless(i)) [[unlikely]]
                change(i);
        asm volatile("" : : "r"(states_) : "memory");
    }
};

inline constexpr std::chrono::milliseconds frame_time(16);

/// Two states, each of which is left when its time has come.
class moments {
public:
    explicit moments(std::vector<std::uint32_t> periods) : periods_(std::move(periods)), states_(periods_.size()), due_(periods_.size()) {
        for (std::size_t i = 0; i < due_.size(); ++i) due_[i] = time_of(i);
        bench::count(state_idle, due_.size());
    }
    [[gnu::noinline]] void tick() {
        now_ += std::chrono::nanoseconds(frame_time).count();
        for (std::size_t i = 0; i < due_.size(); ++i)
            if (due_[i] <= now_) [[unlikely]]
                change(i);
    }

private:
    std::int64_t time_of(std::size_t i) const { return std::int64_t(periods_[i]) * 1'000'000; }
    [[gnu::noinline]] void change(std::size_t i) {
        states_[i] ^= 1;
        due_[i] = now_ + time_of(i);
        bench::count(states_[i]);
    }

    std::vector<std::uint32_t> periods_;
    std::vector<std::uint8_t> states_;
    std::vector<std::int64_t> due_;
    std::int64_t now_ = 0;
};

#if defined(__x86_64__)
class vector_columns : public columns {
public:
    using columns::columns;
    static bool available() { return __builtin_cpu_supports("avx2"); }

    [[gnu::noinline, gnu::target("avx2")]] void tick() {
        asm volatile("" : : "r"(states_) : "memory");
        const auto mask = _mm256_load_si256(reinterpret_cast<const __m256i*>(masks));
        const auto filter = _mm256_load_si256(reinterpret_cast<const __m256i*>(filters));
        std::size_t i = 0;
        for (; i + 32 <= count_; i += 32) {
            std::uint32_t found = 0;
#pragma GCC unroll 4
            for (std::size_t k = 0; k < 32; k += 8) {
                const auto s = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(states_ + i + k)));
                const auto c = _mm256_load_si256(reinterpret_cast<const __m256i*>(conditions_ + i + k));
                const auto test = _mm256_and_si256(_mm256_xor_si256(c, _mm256_permutevar8x32_epi32(mask, s)), _mm256_permutevar8x32_epi32(filter, s));
                const auto zero = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(test, _mm256_setzero_si256())));
                found |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(~zero)) << k;
            }
            for (; found != 0; found &= found - 1) [[unlikely]] change(i + static_cast<std::size_t>(__builtin_ctz(found)));
        }
        for (; i < count_; ++i)
            if (restless(i)) change(i);
        asm volatile("" : : "r"(states_) : "memory");
    }
};
#else
class vector_columns : public plain_columns {
public:
    using plain_columns::plain_columns;
    static bool available() { return false; }
};
#endif

} // namespace w5
