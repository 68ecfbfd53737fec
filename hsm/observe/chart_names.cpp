#include <hsm/observe/chart_names.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/dump_programs.hpp>

#include <fmt/format.h>

namespace hsm {

using namespace detail;

std::string_view name_in(const std::vector<std::string>& names, std::uint32_t number) {
    return number < names.size() ? std::string_view(names[number]) : "?";
}

std::string_view chart_names::path(std::uint16_t s) const { return s < states.size() ? std::string_view(states[s].path) : "?"; }

std::string_view chart_names::name(std::uint16_t s) const {
    const auto whole = path(s);
    return whole.substr(whole.rfind('/') + 1);
}

std::string_view chart_names::text(std::uint32_t t) const { return t < transitions.size() ? std::string_view(transitions[t].text) : "?"; }

std::string_view chart_names::event(std::uint32_t number) const {
    return number == record::no_number ? "an event that nobody waits for" : name_in(events, number);
}

bool chart_names::contains(std::uint16_t outer, std::uint16_t inner) const {
    while (inner < states.size() && inner > outer) inner = states[inner].superstate;
    return inner == outer;
}

namespace {

void name_states(const chart_core& core, chart_names& names) {
    names.states.reserve(core.states.size());
    for (const auto& row : core.states) names.states.push_back({row.node->path(), row.superstate, row.node->kind() == state_kind::parallel});
}

std::string event_name(const event_key& e) {
    if (e.type->is_name) return e.name;
    const std::string type(e.type->name);
    return type.ends_with(e.name) ? type : e.name + " of " + type;
}

std::string trigger(const chart_names& names, const transition_row& t) {
    if (t.event != no_index) return " on " + names.events[t.event];
    return t.on_finished ? " on completion" : t.spec->every ? " every so often" : t.spec->after ? " after a time" : "";
}

void name_transitions(const chart_core& core, chart_names& names) {
    names.transitions.reserve(core.transitions.size());
    for (const auto& t : core.transitions) {
        std::string text = distinct_name(core, t.source);
        if (t.target != no_index) text += " -> " + distinct_name(core, t.target);
        text += trigger(names, t);
        names.transitions.push_back({std::move(text), t.source, t.target, t.event == no_index ? record::no_number : t.event});
    }
}

void name_hooks(const chart_core& core, chart_names& names) {
    names.hooks.assign(core.hooks.size(), "?");
    names.guards.assign(core.guards.size(), "?");
    const auto give = [](std::vector<std::string>& list, const span_of& span, std::string_view what, const std::string& whose) {
        for (std::uint32_t i = 0; i < span.count; ++i)
            list[span.first + i] = span.count > 1 ? fmt::format("{} {} of {}", what, i + 1, whose) : fmt::format("{} of {}", what, whose);
    };
    for (const auto& t : core.transitions) {
        const auto& text = names.transitions[static_cast<std::size_t>(&t - core.transitions.data())].text;
        give(names.guards, t.guards, "guard", text);
        give(names.hooks, t.actions, "action", text);
    }
    for (const auto& s : core.states) {
        const auto path = s.node->path();
        give(names.hooks, s.enter, "enter", path);
        give(names.hooks, s.update, "update", path);
        give(names.hooks, s.exit, "exit", path);
        give(names.guards, s.hold, "hold", path);
        give(names.guards, s.predicates, "predicate", path);
    }
}

void name_timers(const chart_core& core, chart_names& names) {
    names.timers.assign(core.timers.size(), "?");
    for (const auto& t : core.transitions)
        if (t.timer < core.timers.size())
            names.timers[t.timer] = "timer of " + names.transitions[static_cast<std::size_t>(&t - core.transitions.data())].text;
    for (const auto& s : core.states)
        if (s.least < core.timers.size()) names.timers[s.least] = "least duration of " + s.node->path();
}

} // namespace

chart_names names_of(const chart_base& chart) {
    chart_names names;
    if (!chart) return names;
    const auto& core = chart.core();
    name_states(core, names);
    for (const auto& e : core.events) names.events.push_back(event_name(e));
    for (const auto c : core.conditions) names.conditions.emplace_back(c);
    if (!names.conditions.empty()) names.conditions[0] = "the leaf is over";
    name_transitions(core, names);
    name_hooks(core, names);
    name_timers(core, names);
    return names;
}

} // namespace hsm
