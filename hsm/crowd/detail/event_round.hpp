/// An event that is given to the agents of a page.
#pragma once

#include <hsm/crowd/detail/agent_bits.hpp>
#include <hsm/define/event.hpp>
#include <hsm/run/answers.hpp>

#include <exception>

namespace hsm::detail {

/// An event for many agents, with their results.
struct event_for_many {
    const event_ref& event;
    std::uint32_t column;           ///< in the rows of programs; 0: no transition handles the event
    bool is_posted;                 ///< the event waits for the next tick; otherwise it is handled immediately
    bool by_handle = false;         ///< the event is for handles, so agents that are added during the call do not receive it
    answers told = {};              ///< results of the agents
    std::exception_ptr thrown = {}; ///< the first exception of a hook

    void tell(result r, std::size_t times = 1) { told.counts[static_cast<std::size_t>(r)] += times; }
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
    void leave_out(std::uint32_t slot) {
        others[slot / 64] &= ~bit_of(slot);
        look[slot / 64] &= ~bit_of(slot);
    }
    void end() { what.tell(result::unhandled, count_of(others)); }
};

} // namespace hsm::detail
