/// An observer that counts and measures: how often each state was entered and how long it was active, how often each transition was taken,
/// how often each event came.
///
///     hsm::statistics figures;
///     auto attached = figures.watch(agent); // an instance, a crowd, a manager; any number of them
///     …
///     std::puts(figures.text().c_str());
///
/// Times are those of the machines' clocks. Machines of one chart are counted together, also of charts that have the same fingerprint; it keeps
/// the charts that it was told of. It belongs to one thread. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdint>
#include <string>

namespace hsm {

namespace detail {
class statistics_book;
}

struct state_statistics {
    std::uint64_t entries = 0;    ///< what was set or restored was not entered
    std::uint64_t active_now = 0; ///< machines
    time_span active;             ///< all visits together, until the latest call of each machine
    time_span longest;            ///< visit
};

struct machine_statistics {
    std::uint64_t machines = 0;
    std::uint64_t calls = 0;
    std::uint64_t events = 0;     ///< that were handled or not
    std::uint64_t unexpected = 0; ///< of these, for which nobody waits anywhere in the chart
    std::uint64_t requests = 0;   ///< transitions that the chart has not: a start, a change_to
    time_span time;               ///< of all machines together
};

class statistics final : public observer {
public:
    statistics();
    statistics(const statistics&) = delete;
    statistics& operator=(const statistics&) = delete;
    ~statistics() override;

    /// What it needs to be told; it leaves the rest aside.
    static constexpr record_kinds kinds = state_records | record_kind::call | record_kind::call_end | record_kind::event | record_kind::transition;

    /// Attaches it.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) { return machine.attach(new_lane(), kinds); }
    /// To be attached itself, it is good for one instance, one crowd or one manager at a time.
    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;

    // Of a chart that it was not told of: nothing but zeros.
    machine_statistics of(const chart_view& chart) const;
    state_statistics of(const state_view& state) const;
    std::uint64_t taken(const transition_view& transition) const;
    std::uint64_t came(const event_view& event) const;

    /// A table for each chart: its states as a tree, then what was taken, the most frequent first.
    std::string text() const;

    /// Forgets what was counted. Visits begin anew.
    void clear();

private:
    observer& new_lane();

    detail::statistics_book* book_;
};

} // namespace hsm
