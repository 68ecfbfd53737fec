/// What of a chart there is to be covered: its items, each by its key (coverage_counts.hpp), in the order of the chart.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/observe/coverage.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace hsm::detail {

/// Of each event of a chart, by its number, the first row that waits for it. Numbers of events are those of one build: they go by where its types
/// lie. Rows are the same wherever fingerprints are.
std::vector<std::uint32_t> rows_of_events(const chart_view& chart);

class coverage_model {
public:
    using keys = std::vector<std::uint64_t>;

    explicit coverage_model(const chart_view& chart);

    const chart_view& chart() const { return chart_; }
    /// Made when first asked for.
    const keys& items(coverage_kind kind) const;
    /// Is that an item, or an event where nobody waits for it?
    bool is_known(coverage_kind kind, std::uint64_t key) const;
    bool is_item(coverage_kind kind, std::uint64_t key) const;

    std::size_t state_count() const { return superstates_.size(); }
    std::uint32_t superstate(std::uint32_t s) const { return superstates_[s]; } ///< no_fact: it has none
    bool contains(std::uint32_t outer, std::uint32_t inner) const { return inner >= outer && inner <= last_[outer]; }
    bool rests(std::uint32_t leaf) const;                          ///< something else than a transition of its own may come next
    bool goes_on(std::uint32_t machine) const;                     ///< by a transition of its own inside it: it may be over in any of its states then
    bool is_end(std::uint32_t leaf) const;                         ///< of the whole machine
    bool waits(std::uint32_t leaf, std::uint32_t event_row) const; ///< somebody on its path
    const std::vector<std::uint32_t>& event_rows() const { return event_rows_; } ///< see rows_of_events
    std::uint32_t event_row(const event_view& event) const { return event_rows_[event.number()]; }
    /// What takes part in pairs: it leaves states, or enters some.
    bool moves(std::uint32_t row) const { return row < moves_.size() && moves_[row]; }
    std::uint32_t level(std::uint32_t row) const { return levels_[row]; } ///< no_fact: outside of all
    /// Of several rows that were written as one, the first.
    std::uint32_t transition(std::uint32_t row) const { return first_rows_[row]; }
    std::size_t row_count() const { return first_rows_.size(); }
    /// As the first number of a key.
    std::uint32_t group(std::uint32_t number) const { return groups_[number]; }
    std::size_t guard_count() const { return guard_count_; }
    std::size_t group_count() const { return groups_.size(); }
    /// The transition whose group it is; no_fact: nobody's.
    std::uint32_t owner_of_group(std::uint32_t number) const { return group_owners_[number]; }
    /// The row that keeps an event in that state, or further out; no_fact: none does.
    std::uint32_t deferral(std::uint32_t leaf, std::uint32_t event_row) const;

private:
    void note_groups(const transition_view& t);
    keys state_items() const;
    keys transition_items() const;
    keys guard_items() const;
    keys event_items() const;
    keys make(coverage_kind kind) const;

    chart_view chart_;
    std::vector<std::uint32_t> superstates_, last_;
    std::vector<std::uint32_t> first_rows_, levels_;
    std::vector<bool> moves_;
    std::vector<std::uint32_t> groups_, group_owners_;
    std::vector<std::uint32_t> deferrals_; ///< rows
    std::vector<std::uint32_t> event_rows_;
    std::size_t guard_count_;

    mutable std::array<keys, coverage_kind_count> items_;
    mutable std::array<bool, coverage_kind_count> made_ = {};
};

/// All pairs of transitions of which the second may leave what the first has entered, sorted.
std::vector<std::uint64_t> possible_pairs(const coverage_model& model);

} // namespace hsm::detail
