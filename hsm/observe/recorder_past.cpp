#include <hsm/observe/detail/recorder_past.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail {

namespace {

superstate_list superstates_of(const chart_core& core) {
    superstate_list list;
    list.reserve(core.states.size());
    for (const auto& row : core.states) list.push_back(row.superstate);
    return list;
}

bool has_clock(const record& r) { return r.kind == record_kind::call || r.kind == record_kind::call_end || r.kind == record_kind::configuration; }
bool moves(const record& r) { return (record_kind::exited | record_kind::entered | record_kind::configuration).has(r.kind); }

} // namespace

const recorder_past::known_chart& recorder_past::store_chart(const chart_base& chart) {
    for (const auto& known : charts_)
        if (&known.chart.core() == &chart.core()) return known;
    const auto& core = chart.core();
    const bool has_regions = core.regions.size() > 1;
    if (has_regions) one_region_ = false;
    return charts_.emplace_back(known_chart{chart, superstates_of(core), has_regions});
}

void recorder_past::register_agent(agent_key who, const chart_base& chart) {
    const auto found = agents_.find(who);
    const auto& known = store_chart(chart);
    turns_.reserve(agents_.size() + 1);
    if (agents_.empty()) turns_.assume(who);
    if (found != agents_.end() && found->second.chart == &known.chart) return;
    agents_.insert_or_assign(who, followed{&known.chart, followed_states(known.superstates)});
}

const recorder_past::followed* recorder_past::find(agent_key who) const {
    const auto found = agents_.find(who);
    return found == agents_.end() ? nullptr : &found->second;
}

const recorder_past::followed* recorder_past::latest(std::uint32_t agent) const {
    const auto end = agents_.upper_bound({agent, 0xffff});
    if (end == agents_.begin()) return nullptr;
    const auto last = std::prev(end);
    return last->first.number == agent ? &last->second : nullptr;
}

void recorder_past::forget(std::span<const record> records) {
    if (agents_.size() == 1 && one_region_)
        forget_of_one(records, agents_.begin()->second);
    else
        forget_of_many(records);
}

/// With one region, the last exit or entry determines the active states.
void recorder_past::forget_of_one(std::span<const record> records, followed& one) {
    const record *timed = nullptr, *moved = nullptr;
    for (auto at = records.size(); at > 0 && !(timed && moved); --at) {
        const auto& r = records[at - 1];
        if (!timed && has_clock(r)) timed = &r;
        if (!moved && moves(r)) moved = &r;
    }
    if (timed) one.clock = static_cast<std::int64_t>(timed->value);
    if (!moved) return;
    if (moved->kind == record_kind::configuration) return one.states.apply(*moved);
    if (!one.states.known() && std::ranges::none_of(records, [](const record& r) { return r.kind == record_kind::configuration; })) return;
    one.states.settle(moved->state, moved->kind == record_kind::entered);
}

void recorder_past::forget_of_many(std::span<const record> records) {
    auto who = turns_.now();
    auto* now = const_cast<followed*>(find(who));
    for (const auto& r : records) {
        if (const auto whose = turns_.next(r); whose != who) {
            who = whose;
            now = const_cast<followed*>(find(who));
        }
        if (!now) continue;
        now->states.apply(r);
        if (has_clock(r)) now->clock = static_cast<std::int64_t>(r.value);
        if (begins_trace(r)) drop_earlier(who);
    }
}

/// Removes earlier agents with the same number.
void recorder_past::drop_earlier(agent_key who) {
    std::erase_if(agents_, [&](const auto& each) { return each.first.number == who.number && each.first.generation != who.generation; });
}

} // namespace hsm::detail
