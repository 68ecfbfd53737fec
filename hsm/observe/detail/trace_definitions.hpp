/// The definitions in a trace file: charts with their names, and tracks. Stores which of them were written.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/turns.hpp>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

class trace_definitions {
public:
    /// These functions append chunks for new definitions to `out`, in the file's format.
    std::uint32_t chart(const chart_base& c, std::string& out);
    std::uint32_t add_track(std::uint32_t chart, agent_key who, const std::string& name, std::string& out);
    /// Adds an agent with its chart. If the agent had another chart, it is a new machine with its own track.
    void meet(agent_key who, const chart_base& c, const std::string& name, std::string& out);
    bool knows_nobody() const { return agents_.empty(); }
    /// Returns whether there is one agent, so that all records belong to it.
    bool knows_one() const { return agents_.size() == 1; }
    std::uint32_t track_of(std::span<const record> next);
    /// Returns the track of the next record. If calls are not recorded, it is that of the first attached agent.
    std::uint32_t track_of(const record& next);
    bool is_of(std::uint32_t track, const chart_base& c) const { return &charts_[tracks_[track]].core() == &c.core(); }

private:
    turns whose_;
    std::pair<agent_key, std::uint32_t> latest_; ///< the latest result of track_of, with its agent
    std::vector<chart_base> charts_;
    std::vector<std::uint32_t> tracks_; ///< the chart of each track
    std::map<agent_key, std::uint32_t> agents_;
};

} // namespace hsm::detail
