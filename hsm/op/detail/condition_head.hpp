/// The first 64 conditions of a machine, in front of its block; bits of it that calls change in line.
#pragma once

#include <hsm/op/detail/machine.hpp>

#include <cstdint>

namespace hsm::detail {

struct condition_head {
    std::uint64_t pulsed; ///< which of them are there until the end of the next tick
    std::uint64_t ending; ///< or of the one in progress
    std::uint64_t unwanted;
    std::uint64_t watch;
    std::uint64_t bits;
};

/// Only if the chart has conditions.
inline condition_head& conditions_of(const machine& m) { return *(reinterpret_cast<condition_head*>(m.block) - 1); }
/// Is one of those that are watched as some transition wants it?
inline bool may_fire(const condition_head& c) { return ((c.bits ^ c.unwanted) & c.watch) != 0; }

} // namespace hsm::detail
