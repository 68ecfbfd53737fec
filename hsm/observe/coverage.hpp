/// An observer that counts what of a chart has happened, for tests: states entered, transitions taken, answers of guards, and what followed what.
///
///     hsm::coverage seen(chart);
///     auto attached = seen.watch(agent); // an instance, a crowd, a manager; any number of them
///     …
///     hsm::require(seen, 0.9);
///
/// What counts, and what never does, is said at coverage_kind. One coverage belongs to one thread at a time: for several threads make one for
/// each, and merge them. It keeps the chart that it was made for. Reports of it: hsm/observe/coverage_report.hpp. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
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
class coverage_lanes;
} // namespace detail

/// What is counted. An item is what can be seen or not.
enum class coverage_kind : std::uint8_t {
    /// Each state, entered. Choices are; histories never are. What was set or restored was not entered.
    states,
    /// Each that was written, taken: reactions, deferrals, branches of choices, entry choices as well. One for several events is one item.
    transitions,
    /// Each guard, predicate of a state and group of conditions: that it has agreed is one item, that it has refused another one.
    guards,
    /// Of two transitions that leave states: that the second has left the innermost state that the first had entered. All pairs of which the chart
    /// does not exclude it, whatever their guards say.
    pairs,
    /// Each event in each innermost state on whose path somebody waits for it, whatever became of it.
    events,
};
inline constexpr std::size_t coverage_kind_count = 5;

struct coverage_item {
    coverage_kind kind;
    std::uint32_t first, second; ///< numbers of the chart, see docs/reference/coverage_format.md
    std::uint64_t count;         ///< how often
    std::string text;
    file_position where; ///< where it was written, as far as that is known
};

/// How much of something was seen.
struct coverage_share {
    std::size_t seen = 0, all = 0;
    double ratio() const { return all ? static_cast<double>(seen) / static_cast<double>(all) : 1.0; } ///< of nothing: all
};

class coverage final : public observer {
public:
    /// Throws usage_error (HSM-206) if it is empty.
    explicit coverage(const chart_base& chart);
    explicit coverage(const chart_view& chart); ///< of a chart that outlives it
    coverage(const coverage&) = delete;
    coverage& operator=(const coverage&) = delete;
    ~coverage() override;

    /// What it needs to be told; it leaves the rest aside.
    static constexpr record_kinds kinds = record_kind::call | record_kind::call_end | record_kind::event | record_kind::guard |
                                          record_kind::transition | record_kind::exited | record_kind::entered | record_kind::arrived |
                                          record_kind::deferred | record_kind::configuration | record_kind::more;

    /// Attaches it. A manager's machines of other charts are left aside. Throws coverage_error (HSM-342) if there are machines, and none is of this
    /// chart or one with the same fingerprint.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) {
        auto attached = machine.attach(begin_watch(), kinds);
        end_watch();
        return attached;
    }
    /// To be attached itself, it is good for one instance after the other, for one crowd or one manager: only `watch` knows apart what follows
    /// what in several instances that run by turns. What `watch` throws, the next call of the machine does then.
    void on_record(const record& r, const moment& when) override;

    const chart_view& chart() const { return chart_; }

    // How often.
    std::uint64_t entered(const state_view& state) const;
    std::uint64_t taken(const transition_view& transition) const;
    std::uint64_t answered(const guard_view& guard, bool yes) const;
    std::uint64_t answered(const group_view& group, bool yes) const;
    std::uint64_t followed(const transition_view& first, const transition_view& next) const;
    std::uint64_t came(const event_view& event, const state_view& leaf) const;
    std::uint64_t unexpected() const; ///< events where nobody waited for them

    coverage_share share(coverage_kind kind) const;
    coverage_share share() const; ///< of states, transitions and guards together
    double ratio(coverage_kind kind) const { return share(kind).ratio(); }
    double ratio() const { return share().ratio(); }

    std::vector<coverage_item> items(coverage_kind kind) const; ///< in the order of the chart
    std::vector<coverage_item> missing(coverage_kind kind) const;
    std::vector<coverage_item> missing() const; ///< states, transitions and guards

    /// Adds what another one has seen, of the same chart or one with the same fingerprint. Throws coverage_error (HSM-342), and has added nothing.
    void merge(const coverage& other);
    void clear();

    /// A text file of what was seen: docs/reference/coverage_format.md. Throws coverage_error (HSM-341) if it cannot be written.
    void save(byte_sink& to) const;
    /// Adds what was saved. Throws coverage_error: HSM-341, it is no such file, or damaged; HSM-342, it is of another chart. Then nothing was added.
    void load(byte_source& from);

private:
    explicit coverage(std::optional<chart_base> kept, const chart_view& chart);
    observer& begin_watch();
    void end_watch() const;
    std::uint64_t count_of(coverage_kind kind, std::uint64_t item) const;

    std::optional<chart_base> kept_;
    chart_view chart_;
    detail::coverage_model* model_;
    detail::coverage_counts* counts_;
    detail::coverage_lanes* lanes_;

    friend class coverage_reader;
};

/// The least that is asked for: `hsm::require(seen, {.transitions = 1.0, .guards = 0.8});`
struct coverage_goal {
    double all = 0; ///< of states, transitions and guards together
    double states = 0, transitions = 0, guards = 0, pairs = 0, events = 0;
};

/// Throws coverage_error (HSM-343), with all that is missing, if it is less.
void require(const coverage& seen, const coverage_goal& goal);
void require(const coverage& seen, double all);

std::string_view to_string(coverage_kind kind);

} // namespace hsm
