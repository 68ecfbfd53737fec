/// Observes one instance, one crowd or one manager, and tracks each of its machines.
#pragma once

#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/by_agent.hpp>
#include <hsm/observe/detail/coverage_follower.hpp>
#include <hsm/op/observer.hpp>

#include <deque>
#include <optional>

namespace hsm::detail {

class coverage_watcher final : public observer {
public:
    coverage_watcher(const coverage_model& model, coverage_counts& to, bool throws) : model_(model), to_(to), throws_(throws) {}
    void on_record(const record& r, const moment& when) override;
    /// Throws if machines were attached and all of them belong to other charts.
    void throw_refusal() const;

private:
    /// One machine. Machines of other charts are not counted.
    struct agent {
        coverage_follower follower;
        bool foreign = false;
    };
    void check_chart(agent& who, const chart_base& chart);

    const coverage_model& model_;
    coverage_counts& to_;
    by_agent<agent> agents_;
    const bool throws_; ///< immediately, instead of in throw_refusal()
    bool has_own_ = false;
    std::optional<coverage_error> refusal_;
};

class coverage_watchers {
public:
    coverage_watchers(const coverage_model& model, coverage_counts& to) : model_(model), to_(to), own_(model, to, true) {}

    coverage_watcher& own() { return own_; }
    coverage_watcher& add() { return more_.emplace_back(model_, to_, false); }
    const coverage_watcher& latest() const { return more_.back(); }

private:
    const coverage_model& model_;
    coverage_counts& to_;
    coverage_watcher own_;
    std::deque<coverage_watcher> more_; // the addresses of lanes are stable
};

} // namespace hsm::detail
