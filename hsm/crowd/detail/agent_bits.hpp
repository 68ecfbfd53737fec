/// Sets of agents of one page, as one bit for each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace hsm::detail {

inline constexpr std::uint32_t page_agents = 4096;
inline constexpr std::uint32_t page_words = page_agents / 64;
using agent_bits = std::array<std::uint64_t, page_words>;

inline std::uint64_t bit_of(std::uint32_t slot) { return std::uint64_t(1) << slot % 64; }
inline bool has_bit(const agent_bits& agents, std::uint32_t slot) { return agents[slot / 64] >> slot % 64 & 1; }
inline void take_out(agent_bits& agents, const agent_bits& others) {
    for (std::uint32_t w = 0; w < page_words; ++w) agents[w] &= ~others[w];
}

/// Counts set bits. Stops early once `enough` is reached. Fast for words in which all or no bits are set.
inline std::size_t count_of(const agent_bits& agents, std::size_t enough = page_agents) {
    std::size_t count = 0;
    for (std::uint32_t w = 0; w < page_words && count < enough; ++w) {
        const auto word = agents[w];
        if (word != 0) count += static_cast<std::size_t>(~word == 0 ? 64 : std::popcount(word));
    }
    return count;
}

/// Calls visit(slot) for each agent, by index.
template <class Visit> void each_agent(const agent_bits& agents, Visit visit) {
    for (std::uint32_t w = 0; w < page_words; ++w)
        for (auto rest = agents[w]; rest != 0; rest &= rest - 1) visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
}

} // namespace hsm::detail
