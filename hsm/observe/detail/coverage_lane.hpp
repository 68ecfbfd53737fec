/// Observes one instance, one crowd or one manager, and tracks each of its machines.
#pragma once

#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/by_agent.hpp>
#include <hsm/observe/detail/coverage_follower.hpp>
#include <hsm/op/observer.hpp>

#include <deque>
#include <optional>

namespace hsm::detail {

class coverage_lane final : public observer {
public:
    coverage_lane(const coverage_model& model, coverage_counts& to, bool throws) : model_(model), to_(to), throws_(throws) {}
    void on_record(const record& r, const moment& when) override;
    /// Throws if machines were attached and all of them belong to other charts.
    void throw_refusal() const;

private:
    /// One machine. Machines of other charts are not counted.
    struct agent {
        coverage_follower follower;
        bool foreign = false;
    };
    void meet(agent& who, const chart_base& chart);

    const coverage_model& model_;
    coverage_counts& to_;
    by_agent<agent> agents_;
    const bool throws_; ///< immediately, instead of in throw_refusal()
    bool knows_own_ = false;
    std::optional<coverage_error> refusal_;
};

class coverage_lanes {
public:
    coverage_lanes(const coverage_model& model, coverage_counts& to) : model_(model), to_(to), own_(model, to, true) {}

    coverage_lane& own() { return own_; }
    coverage_lane& add() { return more_.emplace_back(model_, to_, false); }
    const coverage_lane& latest() const { return more_.back(); }

private:
    const coverage_model& model_;
    coverage_counts& to_;
    coverage_lane own_;
    std::deque<coverage_lane> more_; // the addresses of lanes are stable
};

} // namespace hsm::detail
