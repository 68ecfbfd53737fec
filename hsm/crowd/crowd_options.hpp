/// What is decided for a crowd when it is made.
#pragma once

#include <hsm/run/instance_options.hpp>

#include <cstdint>

namespace hsm {

/// In which order the agents of a page have their turns in a tick.
enum class update_order : std::uint8_t {
    by_index, ///< of their handles
    by_state, ///< those in the chart's first state, those in the second, ...; of one state by index. Each update hook is then a loop
};

struct crowd_options {
    /// Queues and chain limit of each agent. Memory for the queues is taken only for agents in whose queues something waits between
    /// calls. A mailbox is the crowd's, not the agent's: `mailbox` is its size.
    instance_options agent = {};
    bool start = true;              ///< agents are started when they are added; otherwise herd[id]->start()
    bool lists = false;             ///< keep, for each state, which agents are in it: see crowd::each(state, ...)
    std::uint16_t decide_every = 1; ///< ticks; in between agents only update. Different agents decide in different ticks
    hsm::update_order update_order = hsm::update_order::by_index;
    bool vector_code = true; ///< false: without it, also where the processor has it
};

} // namespace hsm
