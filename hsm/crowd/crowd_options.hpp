/// What is decided for a crowd when it is made.
#pragma once

#include <hsm/run/instance_options.hpp>

#include <cstdint>

namespace hsm {

struct crowd_options {
    /// Queues and chain limit of each agent. Memory for the queues is taken only for agents in whose queues something waits between
    /// calls. A mailbox is the crowd's, not the agent's: `mailbox` is its size.
    instance_options agent = {};
    bool start = true;              ///< agents are started when they are added; otherwise herd[id]->start()
    bool lists = false;             ///< keep, for each state, which agents are in it: see crowd::each(state, ...)
    std::uint16_t decide_every = 1; ///< ticks; in between agents only update. Different agents decide in different ticks
    bool vector_code = true;        ///< false: without it, also where the processor has it
};

} // namespace hsm
