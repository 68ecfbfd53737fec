/// The handle of an agent in a crowd: a small value that may be copied and kept. When its agent is removed it is stale for ever, also
/// when another one takes the place; one made without arguments is of no agent. It means something to its own crowd only.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view> // std::hash

namespace hsm {

struct agent_id {
    std::uint32_t index = 0;      ///< its place; with contexts in an array of the user's, the element
    std::uint32_t generation = 0; ///< of that place, another one for each agent in it; 0: no agent

    explicit operator bool() const { return generation != 0; }
    friend auto operator<=>(const agent_id&, const agent_id&) = default; ///< by place
};

} // namespace hsm

template <> struct std::hash<hsm::agent_id> {
    std::size_t operator()(const hsm::agent_id& id) const noexcept {
        return std::hash<std::uint64_t>()(std::uint64_t(id.generation) << 32 | id.index);
    }
};
