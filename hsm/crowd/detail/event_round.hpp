/// Sets of agents of a page, and an event that is given to agents.
#pragma once

#include <hsm/define/event.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/result_counts.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <exception>

namespace hsm::detail {

inline constexpr std::uint32_t page_agents = 4096;
inline constexpr std::uint32_t page_words = page_agents / 64;
/// A set of agents of one page: one bit for each.
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

/// An event for many agents, with their results.
struct event_for_many {
    const event_ref& event;
    std::uint32_t column;        ///< in the rows of programs; 0: no transition handles the event
    bool is_posted;              ///< the event waits for the next tick; otherwise it is handled immediately
    bool by_handle = false;      ///< the event is for handles, so agents that are added during the call do not receive it
    result_counts results = {};  ///< results of the agents
    first_exception thrown = {}; ///< of hooks

    void add(result r, std::size_t times = 1) { results.counts[static_cast<std::size_t>(r)] += times; }
};

/// The part of an event for many agents that concerns one page. Agents in `others` have no transition for the event, so they are not visited.
struct event_round {
    event_for_many& what;
    std::int64_t now;       ///< the clock of agents that existed before the tick in progress
    std::int64_t later;     ///< the clock of newcomers
    agent_bits others{};    ///< agents that the event addresses, but that are not visited
    agent_bits look{};      ///< agents that are still to be visited
    std::uint32_t next = 0; ///< agents before this slot are done

    /// Makes the round visit an agent that was changed during it.
    void mark(std::uint32_t slot) {
        if (slot < next) return;
        look[slot / 64] |= others[slot / 64] & bit_of(slot);
        others[slot / 64] &= ~bit_of(slot);
    }
    void exclude(std::uint32_t slot) {
        others[slot / 64] &= ~bit_of(slot);
        look[slot / 64] &= ~bit_of(slot);
    }
    void end() { what.add(result::unhandled, count_of(others)); }
};

} // namespace hsm::detail
