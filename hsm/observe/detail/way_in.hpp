/// Which ways lead into a state from where a transition arrives: entry choices, choices, histories; and what on the way leads elsewhere now.
#pragma once

#include <hsm/observe/detail/inquiry.hpp>

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace hsm::detail {

class way_in {
public:
    /// To that state, or one inside it.
    way_in(inquiry& i, index to) : i_(i), to_(to) {}

    /// What is in the way from the targets of a transition; nothing: it never leads there.
    std::optional<std::vector<obstacle>> by(const transition_row& t);

private:
    using obstacles = std::optional<std::vector<obstacle>>;
    /// Where a machine, and the regions inside it, will have been left last. 0: nowhere.
    struct record {
        index leaf;
        std::vector<index> regions;
    };

    obstacles from(index target);
    obstacles from_any(const transition_row& t);
    obstacles search(index target);
    obstacles by_entry(index machine);
    obstacles by_history(index history);
    obstacles by_record(index machine, bool deep);
    obstacles by_choices(std::span<const std::uint32_t> rows);
    index region_beside(const transition_row& t, index target) const;
    bool is_decided_by_another(const transition_row& t, index target) const;
    std::vector<obstacle> asked(std::uint32_t row);
    record record_then(index owner) const;

    inquiry& i_;
    const index to_;
    std::map<index, obstacles> known_; ///< of the transition
    index level_ = no_index;           ///< of the transition: all that is active inside it is left
};

} // namespace hsm::detail
