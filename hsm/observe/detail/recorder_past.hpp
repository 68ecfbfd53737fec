/// What a recorder knows beside the records it holds: whose charts they are of, and what was active before the first of them.
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
    /// It is attached to that agent. Called before the record is kept that says so.
    void meet(agent_key who, const chart_base& chart);
    bool knows_nobody() const { return agents_.empty(); }

    /// In the order in which they came.
    void forget(std::span<const record> records);

    struct followed {
        const chart_base* chart;
        followed_states states;
        std::int64_t clock = 0;
    };
    const followed* find(agent_key who) const;
    const followed* latest(std::uint32_t agent) const; ///< of that number
    const followed* any() const { return agents_.empty() ? nullptr : &agents_.begin()->second; }
    turns turns_at_start() const { return turns_; }

private:
    struct known_chart {
        chart_base chart;
        superstate_list superstates;
        bool has_regions;
    };
    const known_chart& keep(const chart_base& chart);
    void forget_of_one(std::span<const record> records, followed& one);
    void forget_of_many(std::span<const record> records);
    void drop_earlier(agent_key who);

    std::list<known_chart> charts_;
    std::map<agent_key, followed> agents_;
    bool one_region_ = true; ///< in all charts
    turns turns_;
};

} // namespace hsm::detail
