/// The options of a crowd.
#pragma once

#include <hsm/run/instance_options.hpp>

#include <cstdint>

namespace hsm {

/// The order in which a tick runs the agents of a page.
enum class update_order : std::uint8_t {
    by_index, ///< by the indices of the agents' handles
    by_state, ///< by the order of the agents' states in the chart, then by index. So each update hook runs for all its agents in one loop
};

struct crowd_options {
    /// The queues and chain limit of each agent; `mailbox` is the number of slots of the crowd's mailbox. An agent's queues are allocated only if
    /// events wait in them between calls.
    instance_options agent = {};
    bool start = true;              ///< add starts the agents; otherwise call herd[id]->start()
    bool lists = false;             ///< stores, for each state, which agents are in it: see crowd::each(state, ...)
    std::uint16_t decide_every = 1; ///< each agent decides in every n-th tick, and only updates in the others; agents are spread over the ticks
    hsm::update_order update_order = hsm::update_order::by_index;
    bool vector_code = true; ///< false: do not use vector instructions, even if the processor has them
};

} // namespace hsm
