#include <hsm/tool/detail/live_view.hpp>

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <thread>

namespace hsm::detail::tool {

using namespace inspect::detail;

namespace {

struct traced_chart {
    std::shared_ptr<const chart_names> names;
    superstate_list superstates;
    std::optional<chart_base> chart;
};

class traced_machines {
public:
    traced_machines(const trace_reader& from, feed& to, std::span<const chart_base> known) : from_(from), to_(to), known_(known) {}

    /// Lists the machines whose definitions were read since the last call.
    void add_new() {
        while (states_.size() < from_.track_count()) add(static_cast<std::uint32_t>(states_.size()));
    }
    void push(const trace_entry& entry) {
        states_[entry.track].apply(entry.what);
        to_.ring().push({id_of(entry.track), entry.what});
    }
    /// Sends the last state of each machine.
    void send_leaves() {
        leaves_changed all;
        for (std::uint32_t track = 0; track < states_.size(); ++track) {
            const auto leaves = leaves_of(charts_[from_.track(track).chart].superstates, states_[track].active());
            all.leaves.insert(all.leaves.end(), leaves.begin(), leaves.end());
            all.changes.push_back({id_of(track), static_cast<std::uint32_t>(leaves.size())});
        }
        to_.send(std::move(all));
    }

private:
    static std::uint32_t id_of(std::uint32_t track) { return track + 1; }

    const traced_chart& chart(std::uint32_t number) {
        while (charts_.size() <= number) {
            const auto& names = from_.chart(static_cast<std::uint32_t>(charts_.size()));
            auto& made = charts_.emplace_back(traced_chart{std::make_shared<chart_names>(names), superstates_of(names), {}});
            const auto found = std::ranges::find_if(known_, [&](const chart_base& each) { return names_of(each) == names; });
            if (found != known_.end()) made.chart = *found;
        }
        return charts_[number];
    }
    void add(std::uint32_t track) {
        const auto& its = from_.track(track);
        const auto& c = chart(its.chart);
        states_.emplace_back(c.superstates);
        to_.send(machine_added{.id = id_of(track),
                               .kind = inspect::detail::machine_kind::recorded,
                               .name = its.name.empty() ? fmt::format("{}", track) : its.name,
                               .chart = c.chart,
                               .names = c.names});
        to_.send(recording_began{id_of(track), {}});
    }

    const trace_reader& from_;
    feed& to_;
    std::span<const chart_base> known_;
    std::deque<traced_chart> charts_; ///< their addresses are stable
    std::deque<followed_states> states_;
};

} // namespace

void send_trace(trace_reader& from, feed& to, std::span<const chart_base> known, const std::function<bool()>& may_wait) {
    traced_machines machines(from, to, known);
    while (const auto* const entry = from.next()) {
        machines.add_new();
        while (!to.ring().has_room()) {
            if (!may_wait()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        machines.push(*entry);
    }
    machines.add_new();
    machines.send_leaves();
}

} // namespace hsm::detail::tool
