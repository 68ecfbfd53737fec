/// From the records of one machine to counts: what is innermost, and which transition has entered it.
#pragma once

#include <hsm/observe/detail/coverage_counts.hpp>
#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/op/record.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

class coverage_follower {
public:
    /// Both must outlive it.
    coverage_follower(const coverage_model& model, coverage_counts& to) : model_(&model), event_rows_(model.event_rows()), to_(&to) {}
    /// The machine is of another chart that is equal: its events may have other numbers.
    void follow(const chart_view& equal) { event_rows_ = rows_of_events(equal); }

    void apply(const record& r);

private:
    struct leaf {
        std::uint32_t state;
        std::uint32_t entered_by; ///< a transition's first row; no_fact: none
    };

    void begin_configuration(const record& r);
    void add_leaves(const record& r);
    std::uint32_t event_row(std::uint32_t number) const;
    void note_event(std::uint32_t number);
    void note_deferral(std::uint32_t number);
    void note_answer(const record& r);
    void note_transition(std::uint32_t row);
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
    std::vector<std::uint32_t> step_; ///< rows that have begun; several if regions go together
    bool step_moves_ = false;         ///< it has left or entered something
    std::uint32_t expected_ = 0;      ///< leaves of a configuration that are still to come
};

} // namespace hsm::detail
