#include <hsm/observe/statistics.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/observe/detail/turns.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/observer.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace hsm::detail {

/// Totals of all machines of a chart. Sums of times saturate.
struct chart_figures {
    explicit chart_figures(const chart_base& c);

    chart_base chart;
    superstate_list superstates;
    std::vector<state_statistics> states;
    std::vector<std::uint64_t> transitions, events;
    machine_statistics all;
};

/// Tracks one machine.
class statistics_follower {
public:
    explicit statistics_follower(chart_figures& to) : to_(&to), configuration_(to.superstates) {}

    void apply(const record& r);
    /// Adds the time of active states up to now.
    void settle();
    /// Discards the time of active states up to now.
    void reset_all();
    /// Continues with another machine.
    void follow(chart_figures& to);

private:
    struct visit {
        std::uint16_t state;
        std::int64_t begin; ///< the end of the time that was already added
        std::int64_t counted_until;
    };
    void enter(std::uint16_t state);
    void exit(std::uint16_t state);
    void count(visit& v);
    void configure(const record& r);

    chart_figures* to_;
    followed_states configuration_; ///< as in configuration records
    std::vector<visit> active_;
    steady_time time_;
    bool is_new_ = true;
    std::int64_t counted_ = 0; ///< the part of the machine's time that was already added
};

class statistics_core {
public:
    /// Observes one instance, one crowd or one manager.
    class watcher final : public observer {
    public:
        explicit watcher(statistics_core& core) : core_(core) {}
        void on_attached(const moment& when) override;
        void on_record(const record& r, const moment& when) override;
        by_agent<statistics_follower> machines;

    private:
        statistics_core& core_;
        chart_figures* coming_ = nullptr; ///< the totals for the machine of the next record
    };

    statistics_core() : own(*this) {}

    chart_figures& figures_of(const chart_base& chart);
    const chart_figures* find(const chart_view& chart) const; ///< null if the chart is unknown
    void settle();
    void reset_all();

    watcher own;
    std::deque<watcher> watchers; // their addresses are stable
    std::deque<chart_figures> charts;

private:
    template <class Visit> void each_machine(Visit visit);
};

namespace {
superstate_list superstates_in(const chart_view& chart) {
    superstate_list list;
    for (const auto s : chart.states()) list.push_back(s.superstate() ? static_cast<std::uint16_t>(s.superstate().number()) : record::no_state);
    return list;
}
} // namespace

chart_figures::chart_figures(const chart_base& c)
    : chart(c), superstates(superstates_in(c.view())), states(c.view().states().size()), transitions(c.view().transitions().size()),
      events(c.view().events().size()) {}

void statistics_follower::apply(const record& r) {
    time_.apply(r);
    if (std::exchange(is_new_, false)) counted_ = time_.now();
    auto& its = *to_;
    switch (r.kind) {
    case record_kind::call: its.all.calls += r.what != static_cast<std::uint8_t>(call_kind::none); break;
    case record_kind::event:
        ++its.all.events;
        ++(r.number < its.events.size() ? its.events[r.number] : its.all.unexpected);
        break;
    case record_kind::transition: ++(r.number < its.transitions.size() ? its.transitions[r.number] : its.all.requests); break;
    case record_kind::entered:
        enter(r.state);
        if (r.state < its.states.size()) ++its.states[r.state].entries;
        break;
    case record_kind::exited: exit(r.state); break;
    case record_kind::configuration:
    case record_kind::more: configure(r); break;
    default: break;
    }
}

void statistics_follower::enter(std::uint16_t state) {
    if (state >= to_->states.size() || std::ranges::find(active_, state, &visit::state) != active_.end()) return;
    active_.push_back({state, time_.now(), time_.now()});
    ++to_->states[state].active_now;
}

void statistics_follower::exit(std::uint16_t state) {
    const auto found = std::ranges::find(active_, state, &visit::state);
    if (found == active_.end()) return;
    count(*found);
    --to_->states[state].active_now;
    active_.erase(found);
}

void statistics_follower::count(visit& v) {
    auto& its = to_->states[v.state];
    its.active = its.active + time_span::from_nanoseconds(time_.now() - std::exchange(v.counted_until, time_.now()));
    its.longest = std::max(its.longest, time_span::from_nanoseconds(time_.now() - v.begin));
}

void statistics_follower::configure(const record& r) {
    configuration_.apply(r);
    if (!configuration_.known()) return;
    const auto now = configuration_.active();
    for (const auto& v : std::vector(active_))
        if (!configuration_.is_active(v.state)) exit(v.state);
    for (const auto s : now) enter(s);
}

void statistics_follower::settle() {
    for (auto& v : active_) count(v);
    to_->all.time = to_->all.time + time_span::from_nanoseconds(time_.now() - std::exchange(counted_, time_.now()));
}

void statistics_follower::reset_all() {
    for (auto& v : active_) v.begin = v.counted_until = time_.now();
    counted_ = time_.now();
}

void statistics_follower::follow(chart_figures& to) {
    settle();
    for (const auto& v : std::vector(active_)) exit(v.state);
    *this = statistics_follower(to);
}

void statistics_core::watcher::on_attached(const moment& when) {
    coming_ = &core_.figures_of(when.chart());
    ++coming_->all.machines;
}

void statistics_core::watcher::on_record(const record& r, const moment& when) {
    const bool is_known = coming_ == nullptr && machines.size() > 0;
    if (!coming_ && !is_known) on_attached(when); // an observer that forwards records may not forward on_attached
    auto& machine = machines.next(r, [&] { return statistics_follower(coming_ ? *coming_ : core_.figures_of(when.chart())); });
    if (auto* const to = std::exchange(coming_, nullptr)) machine.follow(*to);
    machine.apply(r);
}

chart_figures& statistics_core::figures_of(const chart_base& chart) {
    for (auto& each : charts)
        if (each.chart.view() == chart.view()) return each;
    for (auto& each : charts)
        if (each.chart.fingerprint() == chart.fingerprint()) return each;
    return charts.emplace_back(chart);
}

const chart_figures* statistics_core::find(const chart_view& chart) const {
    if (!chart) return nullptr;
    for (const auto& each : charts)
        if (each.chart.view() == chart || each.chart.fingerprint() == chart.fingerprint()) return &each;
    return nullptr;
}

template <class Visit> void statistics_core::each_machine(Visit visit) {
    own.machines.each(visit);
    for (auto& w : watchers) w.machines.each(visit);
}

void statistics_core::settle() {
    each_machine([](statistics_follower& m) { m.settle(); });
}

void statistics_core::reset_all() {
    each_machine([](statistics_follower& m) { m.reset_all(); });
    for (auto& each : charts) {
        for (auto& s : each.states) s = {0, s.active_now, {}, {}};
        std::ranges::fill(each.transitions, 0u);
        std::ranges::fill(each.events, 0u);
        each.all = {each.all.machines, 0, 0, 0, 0, {}};
    }
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

statistics::statistics() : core_(new statistics_core) {}
statistics::~statistics() { delete core_; }

observer& statistics::new_watcher() { return core_->watchers.emplace_back(*core_); }
void statistics::on_attached(const moment& when) { core_->own.on_attached(when); }
void statistics::on_record(const record& r, const moment& when) { core_->own.on_record(r, when); }

machine_statistics statistics::of(const chart_view& chart) const {
    core_->settle();
    const auto* const f = core_->find(chart);
    return f ? f->all : machine_statistics();
}

state_statistics statistics::of(const state_view& state) const {
    core_->settle();
    const auto* const f = core_->find(state.chart());
    return f ? f->states[state.number()] : state_statistics();
}

std::uint64_t statistics::taken(const transition_view& transition) const {
    const auto* const f = core_->find(transition.chart());
    return f ? f->transitions[transition.number()] : 0;
}

std::uint64_t statistics::came(const event_view& event) const {
    const auto* const f = core_->find(event.chart());
    return f ? f->events[event.number()] : 0;
}

void statistics::clear() { core_->reset_all(); }

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
        out += fmt::format("{:>9} {:>11} {:>8} {:>11} {:>5}  {:{}}{}\n", its.entries, duration(its.active), percent_of(its.active, f.all.time),
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
        out += fmt::format("{}: {}, {}, {} ({} unexpected), {}\n\n", f.chart.view().root().path(), counted(f.all.machines, "machine"),
                           counted(f.all.calls, "call"), counted(f.all.events, "event"), f.all.unexpected, duration(f.all.time));
        put_states(out, f);
        put_counts(out, "transition", "taken", f.chart.view().transitions(), f.transitions);
        put_counts(out, "event", "came", f.chart.view().events(), f.events);
    }
    return out;
}

} // namespace hsm
