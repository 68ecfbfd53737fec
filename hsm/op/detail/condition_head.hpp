/// The first 64 conditions of a machine, in front of its block. Inline calls change them.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstdint>

namespace hsm::detail {

struct condition_head {
    std::uint64_t pulsed; ///< set until the end of the next tick
    std::uint64_t ending; ///< set until the end of the current tick
    std::uint64_t unwanted;
    std::uint64_t watch;
    std::uint64_t bits;
};

/// Requires a chart with conditions.
inline condition_head& conditions_of(const machine& m) { return *(reinterpret_cast<condition_head*>(m.block) - 1); }
/// Returns whether a watched condition has the value that a transition requires.
inline bool may_fire(const condition_head& c) { return ((c.bits ^ c.unwanted) & c.watch) != 0; }

} // namespace hsm::detail
