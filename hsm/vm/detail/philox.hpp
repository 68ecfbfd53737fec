/// Philox 4x32-10, a random number generator without state: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3",
/// SC 2011. Each number is a function of a counter and a key.
#pragma once

#include <array>
#include <cstdint>

namespace hsm::detail {

using philox_counter = std::array<std::uint32_t, 4>;
using philox_key = std::array<std::uint32_t, 2>;

constexpr philox_counter philox(philox_counter c, philox_key k) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t(0xd251'1f53) * c[0], b = std::uint64_t(0xcd9e'8d57) * c[2];
        c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1],
             static_cast<std::uint32_t>(a)};
        k = {k[0] + 0x9e37'79b9, k[1] + 0xbb67'ae85};
    }
    return c;
}

} // namespace hsm::detail
