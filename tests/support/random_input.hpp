/// The random input of tests, and its amount and seed, which environment variables set.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace test {

/// Returns the number in an environment variable, for example HSM_SEED.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// The same sequence on every machine. `state` must not be 0.
struct random_numbers {
    std::uint64_t state;
    std::uint64_t next() { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; }
    template <class Number> Number below(Number n) { return static_cast<Number>(next() % static_cast<std::uint64_t>(n)); }
};

} // namespace test
