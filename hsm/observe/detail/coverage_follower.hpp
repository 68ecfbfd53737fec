/// Converts the records of one machine to counts. Tracks the active leaves and the transitions that entered them.
#pragma once

#include <hsm/observe/detail/coverage_counts.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

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

} // namespace hsm::detail
