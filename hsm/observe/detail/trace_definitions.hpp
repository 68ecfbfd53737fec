/// What a trace file says beside records: charts with their names, and tracks; which of them have been written.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/turns.hpp>

#include <map>
#include <string>
#include <vector>

namespace hsm::detail {

class trace_definitions {
public:
    /// The chunks that say what is new, as they stand in the file, are appended to `out`.
    std::uint32_t chart(const chart_base& c, std::string& out);
    std::uint32_t add_track(std::uint32_t chart, agent_key who, const std::string& name, std::string& out);
    /// Of an agent. If its chart is another than before, it is another machine.
    std::uint32_t track_of(agent_key who, const chart_base& c, const std::string& name, std::string& out);
    /// no_number: he is not known.
    std::uint32_t find(agent_key who) const;
    bool is_of(std::uint32_t track, const chart_base& c) const { return &charts_[tracks_[track]].core() == &c.core(); }

    turns whose;

private:
    std::vector<chart_base> charts_;
    std::vector<std::uint32_t> tracks_; ///< their charts
    std::map<agent_key, std::uint32_t> agents_;
};

} // namespace hsm::detail
