/// Which states are active, found from records alone: from a configuration on, by what is exited and entered.
///
/// Of one machine. The superstates are those of its chart, and must outlive it.
#pragma once

#include <hsm/op/record.hpp>

#include <cstdint>
#include <vector>

namespace hsm {

struct chart_names;

/// Of each state, by its number. The root has none.
using superstate_list = std::vector<std::uint16_t>;
superstate_list superstates_of(const chart_names& names);

/// The numbers in a record of kind `more` that follows a configuration. No more than seven, whatever it says.
struct further_states {
    std::uint16_t number[7];
    std::size_t count;
};
further_states further_states_of(const record& r);

class followed_states {
public:
    explicit followed_states(const superstate_list& superstates) : superstates_(std::addressof(superstates)), active_(superstates.size()) {}

    void apply(const record& r);
    /// Where there is one region: that state was entered last, or left, whatever came before.
    void settle(std::uint16_t state, bool entered);

    bool known() const { return known_ && expected_ == 0; } ///< there was a whole configuration
    bool is_active(std::uint16_t state) const { return state < active_.size() && active_[state]; }
    std::vector<std::uint16_t> active() const; ///< in preorder

private:
    void begin(const record& r);
    void activate(std::uint16_t leaf);

    const superstate_list* superstates_;
    std::vector<bool> active_;
    std::uint32_t expected_ = 0; ///< leaves of a configuration that are still to come
    bool known_ = false;
};

} // namespace hsm
