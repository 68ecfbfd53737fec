/// What a trace file says beside records: charts with their names, and tracks; which of them have been written.
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
    /// The chunks that say what is new, as they stand in the file, are appended to `out`.
    std::uint32_t chart(const chart_base& c, std::string& out);
    std::uint32_t add_track(std::uint32_t chart, agent_key who, const std::string& name, std::string& out);
    /// It is attached to that agent. If its chart is another than before, it is another machine, on a track of its own.
    void meet(agent_key who, const chart_base& c, const std::string& name, std::string& out);
    bool knows_nobody() const { return agents_.empty(); }
    /// If so, all that is told is his.
    bool knows_one() const { return agents_.size() == 1; }
    std::uint32_t track_of(std::span<const record> next);
    /// Whose it is that comes next of what is told. If calls are not told, that of the one it was attached to first.
    std::uint32_t track_of(const record& next);
    bool is_of(std::uint32_t track, const chart_base& c) const { return &charts_[tracks_[track]].core() == &c.core(); }

private:
    turns whose_;
    std::pair<agent_key, std::uint32_t> latest_; ///< that was asked for, and his track
    std::vector<chart_base> charts_;
    std::vector<std::uint32_t> tracks_; ///< their charts
    std::map<agent_key, std::uint32_t> agents_;
};

} // namespace hsm::detail
