/// What of a machine's head decides how its next tick is made: three members, read at once.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

namespace hsm::detail {

/// As they stand behind each other.
struct tick_word {
    std::uint16_t shallowest_change;
    std::uint8_t work;
    std::uint8_t state;
};
static_assert(offsetof(machine, work) == offsetof(machine, shallowest_change) + 2 &&
              offsetof(machine, state) == offsetof(machine, shallowest_change) + 3);

inline constexpr std::uint8_t out_of_the_ordinary = state_posted | state_paused | state_scaled;

[[gnu::always_inline]] inline std::uint32_t tick_state(const machine& m) {
    std::uint32_t word;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(&m) + offsetof(machine, shallowest_change), sizeof word);
    return word & std::bit_cast<std::uint32_t>(tick_word{0xffff, 0, out_of_the_ordinary | state_watched});
}
/// Nothing has changed since entry times were noted, and a test for the leaf stands in front of the block.
inline constexpr auto when_watched = std::bit_cast<std::uint32_t>(tick_word{0xffff, 0, state_watched});
/// The same without a test.
inline constexpr auto when_stamped = std::bit_cast<std::uint32_t>(tick_word{0xffff, 0, 0});

/// How late it is then; less than now, either way, if that is negative or there is no end to it.
[[gnu::always_inline]] inline std::int64_t later_by(const machine& m, std::int64_t elapsed) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(m.now) + static_cast<std::uint64_t>(elapsed)); // it wraps around
}

} // namespace hsm::detail
