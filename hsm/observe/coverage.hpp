/// An observer that measures a chart's coverage by tests: states entered, transitions taken, results of guards, and successive transitions.
///
///     hsm::coverage seen(chart);
///     auto attached = seen.watch(agent); // an instance, a crowd, a manager; any number of them
///     …
///     hsm::require(seen, 0.9);
///
/// coverage_kind lists the kinds of items. A coverage belongs to one thread at a time. For several threads, use one coverage for each thread, and
/// merge the coverages. A coverage keeps its chart alive. hsm/observe/coverage_report.hpp writes reports. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hsm {

class byte_sink;
class byte_source;

namespace detail {
class coverage_model;
struct coverage_counts;
class coverage_watchers;
} // namespace detail

/// The kinds of items. Each item is either covered or missing.
enum class coverage_kind : std::uint8_t {
    /// Each state: was it entered? Includes choices, not histories. Setting or restoring a state does not count as entering it.
    states,
    /// Each defined transition: was it taken? Includes reactions, deferrals, branches of choices and entry choices. A transition for several events
    /// is one item.
    transitions,
    /// Each guard, predicate of a state and group of conditions. "True" and "false" are two items.
    guards,
    /// Each pair of transitions that exit states: did the second exit the innermost state that the first had entered? Every pair that the chart
    /// permits is an item, regardless of guards.
    pairs,
    /// Each pair of a state that can be innermost, and an event that a transition of this state or of a superstate waits for: did the event arrive
    /// while the state was innermost? The result of the event does not matter.
    events,
};
inline constexpr std::size_t coverage_kind_count = 5;

struct coverage_item {
    coverage_kind kind;
    std::uint32_t first, second; ///< numbers in the chart; see docs/reference/coverage_format.md
    std::uint64_t count;         ///< how often the item was covered
    std::string text;
    file_position where; ///< position of its definition, if known
};

/// The covered part of a set of items.
struct coverage_share {
    std::size_t seen = 0, all = 0;
    double ratio() const { return all ? static_cast<double>(seen) / static_cast<double>(all) : 1.0; } ///< 1 if there are no items
};

class coverage final : public observer {
public:
    /// Throws usage_error (HSM-206) if the chart is empty.
    explicit coverage(const chart_base& chart);
    explicit coverage(const chart_view& chart); ///< The chart must outlive the coverage.
    coverage(const coverage&) = delete;
    coverage& operator=(const coverage&) = delete;
    ~coverage() override;

    /// The kinds of records that a coverage uses. Others are ignored.
    static constexpr record_kinds kinds = record_kind::call | record_kind::call_end | record_kind::event | record_kind::guard |
                                          record_kind::transition | record_kind::exited | record_kind::entered | record_kind::arrived |
                                          record_kind::deferred | record_kind::configuration | record_kind::more;

    /// Attaches the coverage to a machine, crowd or manager. A manager's machines of other charts are ignored. Throws coverage_error (HSM-342) if
    /// there are machines, but none whose chart has this chart's fingerprint.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) {
        auto attached = machine.attach(begin_watch(), kinds);
        end_watch();
        return attached;
    }
    /// You can also attach the coverage without `watch`, to one instance, one crowd or one manager at a time. To observe several instances that run
    /// alternately, use `watch`. Without `watch`, the machine's next call throws the errors that `watch` would throw.
    void on_record(const record& r, const moment& when) override;

    const chart_view& chart() const { return chart_; }

    // These functions return how often something happened.
    std::uint64_t entered(const state_view& state) const;
    std::uint64_t taken(const transition_view& transition) const;
    std::uint64_t answered(const guard_view& guard, bool yes) const; ///< how often the guard returned `yes`
    std::uint64_t answered(const group_view& group, bool yes) const; ///< how often the result of the group was `yes`
    /// Returns how often `next` exited the innermost state that `first` had entered.
    std::uint64_t followed(const transition_view& first, const transition_view& next) const;
    /// Returns how often the event arrived while `leaf` was the innermost active state.
    std::uint64_t came(const event_view& event, const state_view& leaf) const;
    std::uint64_t unexpected() const; ///< events that no transition waited for

    coverage_share share(coverage_kind kind) const;
    coverage_share share() const; ///< the share of states, transitions and guards together
    double ratio(coverage_kind kind) const { return share(kind).ratio(); }
    double ratio() const { return share().ratio(); }

    std::vector<coverage_item> items(coverage_kind kind) const; ///< in the order of the chart
    std::vector<coverage_item> missing(coverage_kind kind) const;
    std::vector<coverage_item> missing() const; ///< the missing states, transitions and guards

    /// Adds the counts of another coverage. If the charts have different fingerprints, throws coverage_error (HSM-342) and adds nothing.
    void merge(const coverage& other);
    void clear();

    /// Writes the counts as a text file: docs/reference/coverage_format.md. Throws coverage_error (HSM-341) if the file cannot be written.
    void save(byte_sink& to) const;
    /// Adds saved counts. Throws coverage_error if the file is invalid or damaged (HSM-341) or belongs to another chart (HSM-342); then nothing was
    /// added.
    void load(byte_source& from);

private:
    explicit coverage(std::optional<chart_base> owned_chart, const chart_view& chart);
    observer& begin_watch();
    void end_watch() const;
    std::uint64_t count_of(coverage_kind kind, std::uint64_t item) const;
    void add(const detail::coverage_counts& more);

    std::optional<chart_base> owned_chart_;
    chart_view chart_;
    owned<detail::coverage_model> model_;
    owned<detail::coverage_counts> counts_;
    owned<detail::coverage_watchers> watchers_; ///< refer to model_ and counts_

    friend class coverage_reader;
};

/// Required coverage: `hsm::require(seen, {.transitions = 1.0, .guards = 0.8});`
struct coverage_goal {
    double all = 0; ///< the share of states, transitions and guards together
    double states = 0, transitions = 0, guards = 0, pairs = 0, events = 0;
};

/// If the coverage is lower than required, throws coverage_error (HSM-343), which lists all missing items.
void require(const coverage& seen, const coverage_goal& goal);
void require(const coverage& seen, double all);

std::string_view to_string(coverage_kind kind);

} // namespace hsm
