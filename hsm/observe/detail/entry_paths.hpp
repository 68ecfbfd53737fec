/// Finds the ways into a state from the targets of a transition, through entry choices, choices and histories, and the obstacles on them.
#pragma once

#include <hsm/observe/detail/machine_probe.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hsm::detail {

class entry_paths {
public:
    /// `to` is the state; its substates count as well.
    entry_paths(machine_probe& i, index to) : i_(i), to_(to) {}

    /// Returns the obstacles on the way from the targets of a transition, or nothing if the transition never leads to the state.
    std::optional<std::vector<obstacle>> by(const transition_row& t);

private:
    using obstacles = std::optional<std::vector<obstacle>>;
    /// The last active leaf of a machine and of its regions, after the transition's exits. 0: none.
    struct record {
        index leaf;
        std::vector<index> regions;
    };

    /// `level` is that of the transition, branch or entry choice that leads there.
    obstacles from(index target, index level);
    obstacles from_any(const transition_row& t, index level);
    obstacles search(index target, index level);
    std::uint32_t row_that_leads_out(index target, index level, std::size_t left);
    obstacles by_entry(index machine, index level);
    obstacles by_regions(index parallel, index level);
    obstacles by_history(index history, index level);
    obstacles by_substate(index recorded, index machine);
    obstacles by_record(index machine, bool deep);
    obstacles by_recorded(index s, index machine, bool deep);
    obstacles by_choices(const span_of& choices, const span_of& otherwise = {});
    index region_beside(const transition_row& t, index target) const;
    bool is_decided_by_another(const transition_row& t, index target) const;
    std::vector<obstacle> checked(std::uint32_t row);
    bool is_exited(index s) const;
    record record_then(index owner) const;

    machine_probe& i_;
    const index to_;
    std::map<std::pair<index, bool>, obstacles> known_; ///< for the current transition: by target, and whether it stays active
    index level_ = no_index;                            ///< of the current transition, which exits all active states inside it
};

} // namespace hsm::detail
