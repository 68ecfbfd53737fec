/// The members of a machine's head that select the path of its next tick. They are adjacent, so compilers read them as one word.
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/machine.hpp>

#include <cstdint>

namespace hsm::detail {

constexpr std::uint32_t tick_word(std::uint16_t shallowest_change, std::uint8_t work, std::uint8_t state) {
    return shallowest_change | std::uint32_t(work) << 16 | std::uint32_t(state) << 24;
}

inline constexpr std::uint8_t out_of_the_ordinary = state_posted | state_paused | state_scaled;

HSM_ALWAYS_INLINE inline std::uint32_t tick_state(const machine& m) {
    return tick_word(m.shallowest_change, m.work, m.state) & tick_word(0xffff, 0, out_of_the_ordinary | state_watched);
}
/// Nothing has changed since entry times were stamped, and a test for the leaf is stored in front of the block.
inline constexpr auto when_watched = tick_word(0xffff, 0, state_watched);
/// The same without a test.
inline constexpr auto when_stamped = tick_word(0xffff, 0, 0);

/// Returns the clock after `elapsed`. The result is less than now if `elapsed` is negative or the clock overflows.
HSM_ALWAYS_INLINE inline std::int64_t later_by(const machine& m, std::int64_t elapsed) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(m.now) + static_cast<std::uint64_t>(elapsed)); // unsigned: it wraps around
}

} // namespace hsm::detail
