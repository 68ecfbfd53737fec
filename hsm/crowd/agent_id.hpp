/// The handle of an agent in a crowd: a small value that you can copy and store. It is valid only for its own crowd. After its agent is removed, the
/// handle is stale forever, even if another agent gets the same place. A default-constructed handle refers to no agent.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view> // std::hash

namespace hsm {

struct agent_id {
    std::uint32_t index = 0;      ///< the agent's place; in a crowd over your array, the index of the element
    std::uint32_t generation = 0; ///< different for each agent that used this place; 0: no agent

    explicit operator bool() const { return generation != 0; }
    friend auto operator<=>(const agent_id&, const agent_id&) = default; ///< compares by place, then generation
};

} // namespace hsm

template <> struct std::hash<hsm::agent_id> {
    std::size_t operator()(const hsm::agent_id& id) const noexcept {
        return std::hash<std::uint64_t>()(std::uint64_t(id.generation) << 32 | id.index);
    }
};
