#include <hsm/observe/chart_names.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm {

std::string_view name_in(const std::vector<std::string>& names, std::uint32_t number) {
    return number < names.size() ? std::string_view(names[number]) : "?";
}

std::string_view chart_names::path(std::size_t s) const { return s < states.size() ? std::string_view(states[s].path) : "?"; }

std::string_view chart_names::name(std::size_t s) const {
    const auto whole = path(s);
    return whole.substr(whole.rfind('/') + 1);
}

std::string_view chart_names::text(std::uint32_t t) const { return t < transitions.size() ? std::string_view(transitions[t].text) : "?"; }

std::string_view chart_names::event(std::uint32_t number) const {
    return number == record::no_number ? "an event without a transition" : name_in(events, number);
}

bool chart_names::contains(std::uint16_t outer, std::uint16_t inner) const {
    while (inner < states.size() && inner > outer) inner = states[inner].superstate;
    return inner == outer;
}

namespace {

template <class Handle> std::uint16_t state_number(const Handle& handle) {
    return handle ? static_cast<std::uint16_t>(handle.number()) : record::no_state;
}

chart_names::transition name_transition(const transition_view& t) {
    const auto targets = t.targets();
    return {t.text(), state_number(t.source()), targets.empty() ? record::no_state : state_number(targets[0]),
            t.event() ? t.event().number() : record::no_number};
}

template <class List> std::vector<std::string> texts_of(const List& list) {
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (const auto each : list) texts.push_back(each.text());
    return texts;
}

/// Names each timer after the state or transition that uses it.
void name_timers(const chart_view& chart, chart_names& names) {
    for (const auto t : chart.timers()) names.timers.push_back("timer of " + std::string(t.state().path()));
    for (const auto t : chart.transitions())
        if (t.timer())
            names.timers[t.timer().number()] =
                t.label().empty() ? "timer of " + names.transitions[t.number()].text : fmt::format("timer \"{}\"", t.label());
    for (const auto s : chart.states())
        if (s.least_duration()) names.timers[s.least_duration().number()] = "least duration of " + std::string(s.path());
}

void put_big_endian(std::uint64_t value, std::uint8_t* to) {
    for (int i = 0; i < 8; ++i) to[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
}

} // namespace

chart_names names_of(const chart_view& chart) {
    chart_names names;
    if (!chart) return names;
    const auto print = chart.fingerprint();
    put_big_endian(print.high, names.fingerprint.data());
    put_big_endian(print.low, names.fingerprint.data() + 8);
    for (const auto s : chart.states())
        names.states.push_back({std::string(s.path()), state_number(s.superstate()), s.kind() == state_kind::parallel});
    for (const auto t : chart.transitions()) names.transitions.push_back(name_transition(t));
    names.events = texts_of(chart.events());
    names.conditions = texts_of(chart.conditions());
    names.guards = texts_of(chart.guards());
    names.hooks = texts_of(chart.hooks());
    name_timers(chart, names);
    return names;
}

chart_names names_of(const chart_base& chart) { return chart ? names_of(chart.view()) : chart_names(); }

} // namespace hsm
