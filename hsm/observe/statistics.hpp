/// An observer that counts and measures: entries and active time of each state, transitions taken, events received.
///
///     hsm::statistics figures;
///     auto attached = figures.watch(agent); // an instance, a crowd, a manager; any number of them
///     …
///     std::puts(figures.text().c_str());
///
/// Times are measured by the machines' clocks. Machines are counted together if their charts have equal fingerprints. Statistics keep these charts
/// alive. A statistics object belongs to one thread. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/define/time_span.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdint>
#include <string>

namespace hsm {

namespace detail {
class statistics_core;
}

struct state_statistics {
    std::uint64_t entries = 0;    ///< setting or restoring a state is not an entry
    std::uint64_t active_now = 0; ///< number of machines in this state
    time_span active;             ///< total length of all visits, up to the latest call of each machine
    time_span longest;            ///< longest visit
};

struct machine_statistics {
    std::uint64_t machines = 0;
    std::uint64_t calls = 0;
    std::uint64_t events = 0;     ///< including events that were not handled
    std::uint64_t unexpected = 0; ///< events that no transition of the chart waits for
    std::uint64_t requests = 0;   ///< transitions that are not in the chart: starts, change_to
    time_span time;               ///< sum over all machines
};

class statistics final : public observer {
public:
    statistics();
    statistics(const statistics&) = delete;
    statistics& operator=(const statistics&) = delete;
    ~statistics() override;

    /// The kinds of records that statistics use. Others are ignored.
    static constexpr record_kinds kinds = state_records | record_kind::call | record_kind::call_end | record_kind::event | record_kind::transition;

    /// Attaches the statistics to an instance, a crowd or a manager.
    template <class Machine> [[nodiscard]] attachment watch(Machine& machine) { return machine.attach(new_watcher(), kinds); }
    /// You can also attach the statistics without `watch`, to one instance, one crowd or one manager at a time.
    void on_attached(const moment& when) override;
    void on_record(const record& r, const moment& when) override;

    // These functions return zeros for an unknown chart.
    machine_statistics of(const chart_view& chart) const;
    state_statistics of(const state_view& state) const;
    std::uint64_t taken(const transition_view& transition) const;
    std::uint64_t came(const event_view& event) const;

    /// Returns a table for each chart: the tree of states, then transitions and events by frequency.
    std::string text() const;

    /// Resets all counts. Active states begin a new visit.
    void clear();

private:
    observer& new_watcher();

    detail::statistics_core* core_;
};

} // namespace hsm
