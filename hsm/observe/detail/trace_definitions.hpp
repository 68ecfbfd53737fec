/// The definitions in a trace file: charts with their names, and tracks. Stores which of them were written.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/turns.hpp>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hsm {
struct chart_names;
}

namespace hsm::detail {

/// Returns the chunks for a file with one machine. The numbers of its chart and its track are 0.
std::string definitions_of(const chart_names& chart, const std::string& name);

class trace_definitions {
public:
    static constexpr std::uint32_t no_track = 0xffff'ffff;

    /// Returns the chunks to write: the chart, if it is new, then the track. If an allocation fails, nothing has changed.
    std::string add_track(const chart_base& c, agent_key who, const std::string& name, std::uint32_t& track);
    /// Adds an agent with its chart. If the agent had another chart, it is a new machine with its own track.
    std::string register_agent(agent_key who, const chart_base& c, const std::string& name);
    bool has_no_agents() const { return agents_.empty(); }
    /// Returns whether there is one agent, so that all records belong to it.
    bool knows_one() const { return agents_.size() == 1 && !missed_; }
    std::uint32_t track_of(std::span<const record> next);
    /// Returns the track of the next record. If calls are not recorded, it is that of the first attached agent. `no_track`: the writer could not be
    /// attached to the agent.
    std::uint32_t track_of(const record& next);
    bool is_of(std::uint32_t track, const chart_base& c) const { return &charts_[tracks_[track]].core() == &c.core(); }

private:
    turns whose_;
    std::pair<agent_key, std::uint32_t> latest_ = {{}, no_track}; ///< the latest result of track_of, with its agent
    std::vector<chart_base> charts_;
    std::vector<std::uint32_t> tracks_; ///< the chart of each track
    std::map<agent_key, std::uint32_t> agents_;
    bool missed_ = false; ///< there may be records of an agent that is not known
};

} // namespace hsm::detail
