/// The coverage items of a chart, in the order of the chart, and the number of occurrences of each.
///
/// The key of an item is a pair of numbers:
/// - a state or transition, and 0;
/// - a guard and its answer; groups of conditions are numbered after the guards;
/// - two transitions;
/// - a state and the first row that waits for an event, or no_number if there is none.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/coverage_error.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

namespace hsm::detail {

constexpr std::uint64_t coverage_key(std::uint32_t first, std::uint32_t second = 0) { return std::uint64_t(first) << 32 | second; }
constexpr std::uint32_t first_of(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
constexpr std::uint32_t second_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// Plain data: a map of keys to numbers for each kind.
struct coverage_counts {
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, coverage_kind_count> of;

    auto& at(coverage_kind kind) { return of[static_cast<std::size_t>(kind)]; }
    const auto& at(coverage_kind kind) const { return of[static_cast<std::size_t>(kind)]; }
    std::uint64_t count(coverage_kind kind, std::uint64_t key) const {
        const auto found = at(kind).find(key);
        return found == at(kind).end() ? 0 : found->second;
    }
    /// Saturates.
    void add(coverage_kind kind, std::uint64_t key, std::uint64_t times = 1) {
        auto& n = at(kind)[key];
        n = times > std::numeric_limits<std::uint64_t>::max() - n ? std::numeric_limits<std::uint64_t>::max() : n + times;
    }
    void add(const coverage_counts& other) {
        for (std::size_t k = 0; k < of.size(); ++k)
            for (const auto& [key, times] : other.of[k]) add(static_cast<coverage_kind>(k), key, times);
    }
};

/// Returns for each event of a chart the first row that waits for it. Event numbers differ between builds, because they depend on the addresses of
/// types. Row numbers are the same in all charts with the same fingerprint.
std::vector<std::uint32_t> rows_of_events(const chart_view& chart);

class coverage_model {
public:
    using keys = std::vector<std::uint64_t>;

    explicit coverage_model(const chart_view& chart);

    const chart_view& chart() const { return chart_; }
    /// Returns the items of a kind. They are computed on the first call.
    const keys& items(coverage_kind kind) const;
    /// Returns whether the key is an item, or an event that no transition waits for.
    bool is_known(coverage_kind kind, std::uint64_t key) const;
    bool is_item(coverage_kind kind, std::uint64_t key) const;

    std::size_t state_count() const { return superstates_.size(); }
    std::uint32_t superstate(std::uint32_t s) const { return superstates_[s]; } ///< no_fact for the root
    bool contains(std::uint32_t outer, std::uint32_t inner) const { return inner >= outer && inner <= last_[outer]; }
    bool rests(std::uint32_t leaf) const;                          ///< whether something other than the leaf's own transition can come next
    bool goes_on(std::uint32_t machine) const;                     ///< whether it has a transition into itself; it can then finish in any state
    bool is_end(std::uint32_t leaf) const;                         ///< whether the whole machine ends there
    bool waits(std::uint32_t leaf, std::uint32_t event_row) const; ///< whether a transition on the leaf's path waits for the event
    const std::vector<std::uint32_t>& event_rows() const { return event_rows_; } ///< see rows_of_events
    std::uint32_t event_row(const event_view& event) const { return event_rows_[event.number()]; }
    /// Returns whether the transition exits or enters states, and so takes part in pairs.
    bool moves(std::uint32_t row) const { return row < moves_.size() && moves_[row]; }
    std::uint32_t level(std::uint32_t row) const { return levels_[row]; } ///< no_fact: above all states
    /// Returns the first of several rows that were defined as one transition.
    std::uint32_t transition(std::uint32_t row) const { return first_rows_[row]; }
    std::size_t row_count() const { return first_rows_.size(); }
    /// Returns the group's number in keys.
    std::uint32_t group(std::uint32_t number) const { return groups_[number]; }
    std::size_t guard_count() const { return guard_count_; }
    std::size_t group_count() const { return groups_.size(); }
    /// Returns the transition that has the group, or no_fact.
    std::uint32_t owner_of_group(std::uint32_t number) const { return group_owners_[number]; }
    /// Returns the row that defers the event in this state or a superstate, or no_fact.
    std::uint32_t deferral(std::uint32_t leaf, std::uint32_t event_row) const;

private:
    void number_groups(const transition_view& t);
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

/// Returns all pairs of transitions of which the second can exit a state that the first entered, sorted.
std::vector<std::uint64_t> possible_pairs(const coverage_model& model);

/// Returns the error for adding the counts of two different charts. `other` and `root` describe the other chart; `root` is empty if unknown.
coverage_error other_chart(const chart_view& known, const fingerprint& other, std::string_view root = {}, std::size_t line = 0);
inline coverage_error other_chart(const chart_view& known, const chart_view& other) {
    return other_chart(known, other.fingerprint(), other.root().path());
}

/// A guard or a group of conditions, by the first number of its key.
struct guard_origin {
    std::string text;
    state_view state;
    transition_view transition; ///< empty for a guard of the state itself
    file_position where;
};
guard_origin origin_of_guard(const coverage_model& model, std::uint32_t number);

std::string what_is_missing(coverage_kind kind); ///< "never taken"
/// "character.cpp:42: never taken: idle -> run on hit"
std::string line_of_missing(const coverage_item& item);
std::string percent(double ratio); ///< "66.6 %": rounded down

class output;
/// Throws coverage_error (HSM-341) if the output was not written completely.
void finish_report(output& out);

} // namespace hsm::detail
