// Statistics as text tables.

#include <hsm/observe/detail/statistics_core.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <functional>

namespace hsm {

using namespace detail;

namespace {

/// Uses the most readable unit.
std::string duration(time_span span) {
    const auto nanoseconds = span.nanoseconds();
    const auto n = static_cast<double>(nanoseconds);
    if (nanoseconds == 0) return "0 s";
    if (nanoseconds >= 1'000'000'000) return fmt::format("{:.2f} s", n / 1e9);
    if (nanoseconds >= 1'000'000) return fmt::format("{:.2f} ms", n / 1e6);
    return fmt::format("{:.2f} us", n / 1e3);
}

std::string counted(std::uint64_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

unsigned depth_of(state_view s) {
    unsigned depth = 0;
    while ((s = s.superstate())) ++depth;
    return depth;
}

std::string percent_of(time_span part, time_span all) {
    return all == time_span() ? "-" : fmt::format("{:.1f} %", 100 * part.seconds() / all.seconds());
}

void put_states(std::string& out, const chart_figures& f) {
    out += fmt::format("{:>9} {:>11} {:>8} {:>11} {:>5}  {}\n", "entries", "active", "of time", "longest", "now", "state");
    for (const auto s : f.chart.view().states()) {
        if (s.kind() == state_kind::history) continue;
        const auto& its = f.states[s.number()];
        out += fmt::format("{:>9} {:>11} {:>8} {:>11} {:>5}  {:{}}{}\n", its.entries, duration(its.active), percent_of(its.active, f.time),
                           duration(its.longest), its.active_now, "", 2 * depth_of(s), s.name());
    }
}

/// Lists transitions or events by frequency.
template <class Handle>
void put_counts(std::string& out, std::string_view what, std::string_view heading, const view_list<Handle>& all,
                const std::vector<std::uint64_t>& counts) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) order.push_back(i);
    std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t i) { return counts[i]; });
    if (!order.empty()) out += fmt::format("\n{:>9}  {}\n", heading, what);
    for (const auto i : order) out += fmt::format("{:>9}  {}\n", counts[i], all[i].text());
    if (const auto never = counts.size() - order.size()) out += fmt::format("{:>9}  {}\n", "never", counted(never, what));
}

} // namespace

std::string statistics::text() const {
    core_->settle();
    std::string out;
    for (const auto& f : core_->charts) {
        if (!out.empty()) out += '\n';
        out += fmt::format("{}: {}, {}, {} ({} unexpected), {}\n\n", f.chart.view().root().path(), counted(f.machines, "machine"),
                           counted(f.calls, "call"), counted(f.all_events, "event"), f.unexpected, duration(f.time));
        put_states(out, f);
        put_counts(out, "transition", "taken", f.chart.view().transitions(), f.transitions);
        put_counts(out, "event", "came", f.chart.view().events(), f.events);
    }
    return out;
}

} // namespace hsm
