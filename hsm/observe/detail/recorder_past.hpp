/// What a recorder stores in addition to its records: the charts of the machines, and the active states before the first record.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/observe/followed_states.hpp>

#include <cstdint>
#include <list>
#include <map>
#include <span>

namespace hsm::detail {

class recorder_past {
public:
    /// Adds an agent with its chart. Call it before its first record is stored.
    void register_agent(agent_key who, const chart_base& chart);
    bool has_no_agents() const { return agents_.empty(); }

    /// Applies records that the recorder overwrites, in their order.
    void forget(std::span<const record> records);

    struct followed {
        const chart_base* chart;
        followed_states states;
        std::int64_t clock = 0;
    };
    const followed* find(agent_key who) const;
    const followed* latest(std::uint32_t agent) const; ///< the latest agent with this number
    const followed* any() const { return agents_.empty() ? nullptr : &agents_.begin()->second; }
    turns turns_at_start() const { return turns_; }

private:
    struct known_chart {
        chart_base chart;
        superstate_list superstates;
        bool has_regions;
    };
    const known_chart& store_chart(const chart_base& chart);
    void forget_of_one(std::span<const record> records, followed& one);
    void forget_of_many(std::span<const record> records);
    void drop_earlier(agent_key who);

    std::list<known_chart> charts_;
    std::map<agent_key, followed> agents_;
    bool one_region_ = true; ///< whether no chart has several regions
    turns turns_;
};

} // namespace hsm::detail
