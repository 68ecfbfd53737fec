/// The layout of an instance's block; vm/detail/block.hpp has a diagram.
#pragma once

#include <cstdint>

namespace hsm::detail {

/// The limit for an instance without its queues. Offsets have 32 bits.
inline constexpr std::uint64_t most_memory = std::uint64_t(1) << 30;

/// Returns the next offset with that alignment, a power of two.
constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) { return (offset + alignment - 1) & ~(alignment - 1); }

struct block_layout {
    std::uint32_t hook_context = 0; ///< bytes before the front
    std::uint32_t front = 0;        ///< bytes before the block
    std::uint32_t conditions = 0;
    std::uint32_t times = 0;
    std::uint32_t marks = 0;
    std::uint32_t due = 0;
    std::uint32_t due_list = 0;
    std::uint32_t released = 0;
    std::uint32_t just_entered = 0;
    std::uint32_t barred = 0;
    std::uint32_t region_step = 0;
    std::uint32_t regions = 0;
    std::uint32_t enabled = 0;
    std::uint32_t looked_up = 0;
    std::uint32_t tried = 0;
    std::uint32_t offer = 0;
    std::uint32_t in_query = 0;
    std::uint32_t deferral = 0;
    std::uint32_t region_records = 0;
    std::uint32_t records = 0;
    std::uint32_t chance = 0;
    std::uint32_t cooldowns = 0;
    std::uint32_t holding = 0;
    std::uint32_t blocked = 0;
    std::uint32_t waiting = 0;
    std::uint32_t pending = 0;
    std::uint32_t requests = 0; ///< 0: none
    std::uint32_t payloads = 0;
    std::uint32_t locals = 0;
    std::uint32_t queues = 0;
    std::uint32_t alignment = 8;
    std::uint64_t size = 0; ///< bytes, without the queues; if it exceeds `most_memory`, the other members are undefined
};

} // namespace hsm::detail
