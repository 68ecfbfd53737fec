/// The data of statistics: totals by chart, and the active states of each machine.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/by_agent.hpp>
#include <hsm/observe/detail/steady_time.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/op/observer.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace hsm::detail {

/// Totals of all machines of a chart. Sums of times saturate.
struct chart_figures {
    explicit chart_figures(const chart_base& c);

    struct of_state {
        std::uint64_t entries = 0, active_now = 0;
        time_span active, longest;
    };
    chart_base chart;
    superstate_list superstates;
    std::vector<of_state> states;
    std::vector<std::uint64_t> transitions, events;
    std::uint64_t machines = 0, calls = 0, all_events = 0, unexpected = 0, requests = 0;
    time_span time;
};

/// Tracks one machine.
class statistics_follower {
public:
    explicit statistics_follower(chart_figures& to) : to_(&to), configuration_(to.superstates) {}

    void apply(const record& r);
    /// Adds the time of active states up to now.
    void settle();
    /// Discards the time of active states up to now.
    void reset_all();
    /// Continues with another machine.
    void follow(chart_figures& to);

private:
    struct visit {
        std::uint16_t state;
        std::int64_t begin;   ///< the end of the time that was already added
        std::int64_t counted; ///< until then
    };
    void enter(std::uint16_t state);
    void exit(std::uint16_t state);
    void count(visit& v);
    void configure(const record& r);

    chart_figures* to_;
    followed_states configuration_; ///< as in configuration records
    std::vector<visit> active_;
    steady_time time_;
    bool is_new_ = true;
    std::int64_t counted_ = 0; ///< the part of the machine's time that was already added
};

class statistics_core {
public:
    /// Observes one instance, one crowd or one manager.
    class watcher final : public observer {
    public:
        explicit watcher(statistics_core& core) : core_(core) {}
        void on_attached(const moment& when) override;
        void on_record(const record& r, const moment& when) override;
        by_agent<statistics_follower> machines;

    private:
        statistics_core& core_;
        chart_figures* coming_ = nullptr; ///< the totals for the machine of the next record
    };

    statistics_core() : own(*this) {}

    chart_figures& figures_of(const chart_base& chart);
    const chart_figures* find(const chart_view& chart) const; ///< null if the chart is unknown
    void settle();
    void reset_all();

    watcher own;
    std::deque<watcher> watchers; // the addresses of lanes are stable
    std::deque<chart_figures> charts;

private:
    template <class Visit> void each_machine(Visit visit);
};

} // namespace hsm::detail
