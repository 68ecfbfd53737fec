#include <hsm/inspect/detail/recording.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm::inspect::detail {

namespace {
/// Returns an empty reference if there is no such state.
state_ref state_of(const chart_view& chart, std::uint32_t number) {
    const auto found = chart.state(number);
    return found ? found.ref() : state_ref();
}
} // namespace

void stop_places::add(const chart_view& chart, const break_place& place) {
    switch (place.at) {
    case break_kind::entry: at_entry(state_of(chart, place.number)); break;
    case break_kind::exit: at_exit(state_of(chart, place.number)); break;
    case break_kind::transition: at_transition(chart.transition(place.number)); break;
    case break_kind::condition: at_condition(chart.condition(place.number)); break;
    case break_kind::event: at_event(chart.event(place.number)); break;
    case break_kind::error: at_error(); break;
    }
}

namespace {
break_place place_of(const record& r, const chart_view& chart) {
    switch (r.kind) {
    case record_kind::entered: return {break_kind::entry, r.state};
    case record_kind::exited: return {break_kind::exit, r.state};
    case record_kind::transition: return {break_kind::transition, chart.transition(r.number).same_as().number()};
    case record_kind::condition: return {break_kind::condition, r.number};
    case record_kind::event: return {break_kind::event, r.number};
    default: return {break_kind::error, 0};
    }
}
} // namespace

void stop_places::reached(const record& r, const moment& when) {
    const auto its = when.chart();
    to_.stopped(place_of(r, its.view()), its.view());
}

std::string text_of(const chart_view& chart, const break_place& place) {
    switch (place.at) {
    case break_kind::entry: return fmt::format("break at entry of {}", chart.state(place.number).path());
    case break_kind::exit: return fmt::format("break at exit of {}", chart.state(place.number).path());
    case break_kind::transition: return fmt::format("break at {}", chart.transition(place.number).text());
    case break_kind::condition: return fmt::format("break at a change of {}", chart.condition(place.number).text());
    case break_kind::event: return fmt::format("break at event {}", chart.event(place.number).text());
    case break_kind::error: break;
    }
    return "break at an exception of a hook";
}

} // namespace hsm::inspect::detail
