#include <hsm/observe/statistics.hpp>

#include <hsm/observe/detail/statistics_core.hpp>

#include <algorithm>
#include <utility>

namespace hsm {

namespace detail {

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
    auto& all = *to_;
    switch (r.kind) {
    case record_kind::call: all.calls += r.what != static_cast<std::uint8_t>(call_kind::none); break;
    case record_kind::event:
        ++all.all_events;
        ++(r.number < all.events.size() ? all.events[r.number] : all.unexpected);
        break;
    case record_kind::transition: ++(r.number < all.transitions.size() ? all.transitions[r.number] : all.requests); break;
    case record_kind::entered:
        enter(r.state);
        if (r.state < all.states.size()) ++all.states[r.state].entries;
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
    its.active = its.active + time_span::from_nanoseconds(time_.now() - std::exchange(v.counted, time_.now()));
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
    to_->time = to_->time + time_span::from_nanoseconds(time_.now() - std::exchange(counted_, time_.now()));
}

void statistics_follower::reset_all() {
    for (auto& v : active_) v.begin = v.counted = time_.now();
    counted_ = time_.now();
}

void statistics_follower::follow(chart_figures& to) {
    settle();
    for (const auto& v : std::vector(active_)) exit(v.state);
    *this = statistics_follower(to);
}

void statistics_core::watcher::on_attached(const moment& when) {
    coming_ = &core_.figures_of(when.chart());
    ++coming_->machines;
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
    for (auto& l : watchers) l.machines.each(visit);
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
        each.calls = each.all_events = each.unexpected = each.requests = 0;
        each.time = {};
    }
}

} // namespace detail

using namespace detail;

statistics::statistics() : core_(new statistics_core) {}
statistics::~statistics() { delete core_; }

observer& statistics::new_watcher() { return core_->watchers.emplace_back(*core_); }
void statistics::on_attached(const moment& when) { core_->own.on_attached(when); }
void statistics::on_record(const record& r, const moment& when) { core_->own.on_record(r, when); }

machine_statistics statistics::of(const chart_view& chart) const {
    core_->settle();
    const auto* const f = core_->find(chart);
    if (!f) return {};
    return {f->machines, f->calls, f->all_events, f->unexpected, f->requests, f->time};
}

state_statistics statistics::of(const state_view& state) const {
    core_->settle();
    const auto* const f = core_->find(state.chart());
    if (!f) return {};
    const auto& s = f->states[state.number()];
    return {s.entries, s.active_now, s.active, s.longest};
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

} // namespace hsm
