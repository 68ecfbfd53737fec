/// Reads the state of machines for the page, without changing it.
#pragma once

#include <hsm/crowd/crowd_base.hpp>
#include <hsm/inspect/detail/feed.hpp>
#include <hsm/op/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hsm::inspect::detail {

/// Compares the leaves of a machine with those that were read last, and stores them if they differ. Returns whether they differ.
bool update_leaves(const hsm::detail::machine& m, std::vector<std::uint16_t>& known);
/// Requires that no hook of the machine runs.
keyframe keyframe_of(const hsm::detail::machine& m);

/// Lists agents of a crowd by their place.
std::vector<agent_place> agents_of(const crowd_base& herd, std::optional<std::uint32_t> state, std::size_t most);

/// Counts the agents of a crowd in each leaf, some pages in each call.
class leaf_counter {
public:
    /// Counts further pages. Returns whether all are counted. The next call then begins again.
    bool count_some(const crowd_base& herd, std::size_t pages);
    /// Writes the counts since the last call, and resets them.
    void take(population& to);

private:
    std::size_t page_ = 0;
    std::vector<std::uint32_t> counts_; ///< by row; the last one is that of inactive agents
};

} // namespace hsm::inspect::detail
