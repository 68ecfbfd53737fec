/// An event that goes round the agents of a page.
#pragma once

#include <hsm/crowd/detail/agent_bits.hpp>
#include <hsm/define/event.hpp>
#include <hsm/run/answers.hpp>

#include <exception>

namespace hsm::detail {

/// What is given to many agents.
struct event_for_many {
    const event_ref& event;
    std::uint32_t column;           ///< of the rows; 0: no transition waits for it
    bool is_posted;                 ///< it waits for the next tick; otherwise it is handled at once
    bool by_handle = false;         ///< whoever takes the place of an agent meanwhile is not meant
    answers told = {};              ///< by those who have got it
    std::exception_ptr thrown = {}; ///< by the first of them whose hook threw

    void tell(result r, std::size_t times = 1) { told.counts[static_cast<std::size_t>(r)] += times; }
};

/// Nobody in those who are not looked at handles it.
struct event_round {
    event_for_many& what;
    std::int64_t now;       ///< the clock of those who are there
    std::int64_t later;     ///< and of newcomers
    agent_bits others{};    ///< who is meant and not looked at
    agent_bits look{};      ///< who is still to be looked at
    std::uint32_t next = 0; ///< all before have had their turn

    /// Something was done to that agent.
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
