#include <hsm/inspect/detail/history.hpp>

#include <hsm/chart/detail/rows.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/observe/detail/trace_format.hpp>

namespace hsm::inspect::detail {

namespace {
constexpr std::size_t block = 8192; ///< records that are dropped together
}

known_chart::known_chart(const machine_added& of)
    : key(key_of(of)), chart(of.chart), names(of.names ? of.names : std::make_shared<const chart_names>(names_of(*of.chart))),
      superstates(superstates_of(*names)) {
    if (!chart) return;
    for (const auto t : chart->view().timers()) timer_states.push_back(static_cast<std::uint16_t>(t.state().number()));
}

history::history(std::shared_ptr<const known_chart> chart, const keyframe& start, std::size_t most)
    : chart_(std::move(chart)), most_(most), active_(chart_->superstates), conditions_(start.conditions.begin(), start.conditions.end()),
      timers_(start.timers.begin(), start.timers.end()), clock_(start.clock) {
    for (const auto& r : hsm::detail::configuration_of(chart_->superstates, start.active, start.clock)) active_.apply(r);
}

void history::add(const record& r) {
    if (records_.size() >= most_ + block) drop(block);
    records_.push_back(r);
}

void history::halve() { drop(records_.size() / 2), records_.shrink_to_fit(); }

void history::drop(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) apply(records_[i]);
    // A configuration continues in further records.
    while (count < records_.size() && records_[count].kind == record_kind::more) apply(records_[count++]);
    records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(count));
    first_ += count;
}

void history::apply(const record& r) {
    active_.apply(r);
    switch (r.kind) {
    case record_kind::call:
    case record_kind::call_end: clock_ = static_cast<std::int64_t>(r.value); break;
    case record_kind::condition:
        if (r.what == static_cast<std::uint8_t>(condition_step::on) || r.what == static_cast<std::uint8_t>(condition_step::pulse))
            conditions_.insert(r.number);
        else
            conditions_.erase(r.number);
        break;
    case record_kind::armed:
        if (static_cast<std::int64_t>(r.value) == hsm::detail::never)
            timers_.erase(r.number);
        else if (r.number < chart_->timer_states.size())
            timers_[r.number] = static_cast<std::int64_t>(r.value);
        break;
    case record_kind::exited: std::erase_if(timers_, [&](const auto& t) { return chart_->timer_states[t.first] == r.state; }); break;
    case record_kind::configuration:
        if (r.what == static_cast<std::uint8_t>(configuration_reason::reset)) conditions_.clear(), timers_.clear();
        break;
    default: break;
    }
}

keyframe history::start() const { return {clock_, active_.active(), {conditions_.begin(), conditions_.end()}, {timers_.begin(), timers_.end()}}; }

std::string history::trace(const std::string& name) const {
    auto all = hsm::detail::configuration_of(chart_->superstates, active_.active(), clock_);
    all.insert(all.end(), records_.begin(), records_.end());
    return hsm::detail::trace_head(*chart_->names, name) + hsm::detail::trace_chunk(all) + hsm::detail::trace_end();
}

} // namespace hsm::inspect::detail
