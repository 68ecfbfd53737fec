/// Finds the active states of a machine from its records: a configuration, then exits and entries.
///
/// The superstate_list must outlive the object.
#pragma once

#include <hsm/op/record.hpp>

#include <cstdint>
#include <vector>

namespace hsm {

struct chart_names;

/// The superstate of each state; no_state for the root.
using superstate_list = std::vector<std::uint16_t>;
superstate_list superstates_of(const chart_names& names);

/// The leaves in a record of kind `more`, which continues a record `configuration`. There are at most seven, even in an invalid record.
struct further_states {
    std::uint16_t number[7];
    std::size_t count;
};
further_states further_states_of(const record& r);

class followed_states {
public:
    explicit followed_states(const superstate_list& superstates) : superstates_(std::addressof(superstates)), active_(superstates.size()) {}

    void apply(const record& r);
    /// Sets the active states from one entry or exit, regardless of earlier records: the superstates of this state and, after an entry, the state.
    /// Use this function for charts with one region.
    void settle(std::uint16_t state, bool entered);

    bool known() const { return known_ && expected_ == 0; } ///< whether a complete configuration was seen
    bool is_active(std::uint16_t state) const { return state < active_.size() && active_[state]; }
    std::vector<std::uint16_t> active() const; ///< in preorder

private:
    void begin(const record& r);
    void activate(std::uint16_t leaf);

    const superstate_list* superstates_;
    std::vector<bool> active_;
    std::uint32_t expected_ = 0; ///< remaining leaves of a configuration
    bool known_ = false;
};

} // namespace hsm
