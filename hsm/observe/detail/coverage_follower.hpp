/// Converts records to counts.
#pragma once

#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace hsm::detail {

/// Follows one machine: its active leaves, and the transitions that entered them.
class coverage_follower {
public:
    /// The model and the counts must outlive the follower.
    coverage_follower(const coverage_model& model, coverage_counts& to) : model_(&model), event_rows_(model.event_rows()), to_(&to) {}
    /// Call this if the machine's chart is another one with the same fingerprint, because its events can have other numbers.
    void follow(const chart_view& equal) { event_rows_ = rows_of_events(equal); }

    void apply(const record& r);

private:
    struct leaf {
        std::uint32_t state;
        std::uint32_t entered_by; ///< the first row of a transition, or no_fact
    };

    void begin_configuration(const record& r);
    void add_leaves(const record& r);
    std::uint32_t event_row(std::uint32_t number) const;
    void count_event(std::uint32_t number);
    void count_deferral(std::uint32_t number);
    void count_guard_result(const record& r);
    void count_transition(std::uint32_t row);
    void enter(std::uint32_t state);
    void exit(std::uint32_t state);
    void set_leaf(std::uint32_t state);
    std::uint32_t mover(std::uint32_t state) const;
    void forget_leaf(std::uint32_t state);
    void forget_step();

    const coverage_model* model_;
    std::vector<std::uint32_t> event_rows_;
    coverage_counts* to_;
    std::vector<leaf> leaves_;
    std::vector<std::uint32_t> step_; ///< rows of the current step; one for each region that has a transition
    bool step_moves_ = false;         ///< whether the step has exited or entered a state
    std::uint32_t expected_ = 0;      ///< remaining leaves of a configuration
};

/// Observes one instance, one crowd or one manager, and follows each of its machines.
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
    std::deque<coverage_watcher> more_; // their addresses are stable
};

} // namespace hsm::detail
