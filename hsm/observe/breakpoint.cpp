#include <hsm/observe/breakpoint.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

namespace {
usage_error unknown(const chart_base& chart, const std::string& what) {
    return usage_error({code::not_in_chart, chart.root().path(), what + " does not belong to this chart", "use chart.view() to list its parts"});
}
/// Throws usage_error if the handle is empty, or belongs to a different chart.
void require_part(const chart_base& chart, const view_handle& part, const char* what) {
    if (!part || part.chart().fingerprint() != chart.fingerprint()) throw unknown(chart, what);
}
} // namespace

breakpoint_base& breakpoint_base::at(record_kind kind, std::uint32_t number) {
    locations_.push_back({kind, number});
    return *this;
}

breakpoint_base& breakpoint_base::at_entry(const state_key& state) { return at(record_kind::entered, require_state(chart_.core(), state)); }
breakpoint_base& breakpoint_base::at_exit(const state_key& state) { return at(record_kind::exited, require_state(chart_.core(), state)); }

breakpoint_base& breakpoint_base::at_transition(const transition_view& transition) {
    require_part(chart_, transition, "the transition");
    for (const auto t : chart_.view().transitions())
        if (t.same_as().number() == transition.same_as().number()) at(record_kind::transition, t.number());
    return *this;
}

breakpoint_base& breakpoint_base::at_condition(std::string_view name) { return at(record_kind::condition, require_condition(chart_.core(), name)); }

breakpoint_base& breakpoint_base::at_condition(const condition_view& condition) {
    require_part(chart_, condition, "the condition");
    return at(record_kind::condition, condition.number());
}

breakpoint_base& breakpoint_base::at_event(const event_view& event) {
    require_part(chart_, event, "the event");
    return at(record_kind::event, event.number());
}

breakpoint_base& breakpoint_base::at(const event_key& event) {
    const auto number = chart_.core().find_event({event.type, event.value, event.name, nullptr, nullptr});
    if (number == no_index) throw unknown(chart_, fmt::format("the event \"{}\"", event.name));
    return at(record_kind::event, number);
}

breakpoint_base& breakpoint_base::at_error() { return at(record_kind::error, record::no_number); }

void breakpoint_base::clear() { locations_.clear(); }

record_kinds breakpoint_base::kinds() const {
    record_kinds all;
    for (const auto& each : locations_) all = all | each.kind;
    return all;
}

void breakpoint_base::on_record(const record& r, const moment& when) {
    const bool of_state = r.kind == record_kind::entered || r.kind == record_kind::exited;
    const auto number = of_state ? r.state : r.number;
    const auto is_it = [&](const location& p) { return p.kind == r.kind && p.number == number; };
    if (std::ranges::none_of(locations_, is_it)) return;
    const auto its = when.chart();
    if (&its.core() == &chart_.core() || its.fingerprint() == chart_.fingerprint()) reached(r, when);
}

} // namespace hsm
