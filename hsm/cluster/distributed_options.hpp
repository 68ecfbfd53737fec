/// The options of a distributed crowd.
#pragma once

#include <hsm/crowd/crowd_options.hpp>

#include <cstdint>

namespace hsm {

/// Identifies an agent on all ranks. You choose it when you add the agent.
using global_id = std::uint64_t;

/// Returns an id for the n-th agent that the agent `creator` adds. Two such ids are equal with a probability of about 2^-64.
constexpr global_id derived_id(global_id creator, std::uint64_t n) {
    const auto mixed = [](std::uint64_t x) {
        x += 0x9e37'79b9'7f4a'7c15;
        x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9;
        x = (x ^ x >> 27) * 0x94d0'49bb'1331'11eb;
        return x ^ x >> 31;
    };
    return mixed(mixed(creator) ^ n);
}

struct distributed_options {
    /// The options of each rank's crowd. decide_every must be 1. The stream of an agent's random choices is `agent.stream` plus its global id.
    crowd_options crowd = {};
    /// Returns the home rank of an agent, from 0 to ranks - 1. The home rank records where the agent is. If a hook adds an agent, the agent starts on
    /// its home rank. If your program adds an agent on another rank, the agent moves to its home rank in the next tick. After that, each agent stays
    /// until it migrates. The function must be the same on all ranks. Null: ids are distributed evenly.
    int (*home)(global_id id, int ranks) = nullptr;
};

} // namespace hsm
