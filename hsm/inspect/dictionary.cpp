// The dictionary of a chart: what the page must know to show the numbers of records.

#include <hsm/inspect/detail/history.hpp>

#include <hsm/chart/fingerprint.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/inspect/detail/requests.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/record.hpp>
#include <hsm/op/result.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace hsm::inspect::detail {

namespace {

using json = nlohmann::json;

template <class Handle> json numbers_of(const view_list<Handle>& list) {
    auto all = json::array();
    for (const auto each : list) all.push_back(each.number());
    return all;
}

template <class Enum> json names_of_values(Enum last) {
    auto all = json::array();
    for (unsigned i = 0; i <= static_cast<unsigned>(last); ++i) all.push_back(std::string(to_string(static_cast<Enum>(i))));
    return all;
}

std::string place_of(const file_position& where) { return where.file.empty() ? std::string() : fmt::format("{}:{}", where.file, where.line); }

json with_texts(const std::vector<std::string>& texts) {
    auto all = json::array();
    for (const auto& text : texts) all.push_back({{"text", text}});
    return all;
}

json states_of(const chart_names& names) {
    const auto& states = names.states;
    std::vector<std::size_t> last(states.size());
    for (auto s = states.size(); s-- > 0;) {
        last[s] = std::max(last[s], s);
        if (const auto outer = states[s].superstate; outer < s) last[outer] = std::max(last[outer], last[s]);
    }
    auto all = json::array();
    for (std::size_t s = 0; s < states.size(); ++s) {
        const bool is_inside = states[s].superstate < s;
        all.push_back({{"name", std::string(names.name(s))},
                       {"path", states[s].path},
                       {"parent", is_inside ? json(states[s].superstate) : json()},
                       {"last", last[s]},
                       {"kind", states[s].parallel ? "parallel"
                                : last[s] > s      ? "machine"
                                                   : "state"},
                       {"region", is_inside && states[states[s].superstate].parallel},
                       {"transitions", json::array()}});
    }
    return all;
}

json transition_of(const chart_names::transition& t) {
    return {{"text", t.text},
            {"source", t.source},
            {"targets", t.target == record::no_state ? json::array() : json::array({t.target})},
            {"event", t.event == record::no_number ? json() : json(t.event)},
            {"guards", json::array()},
            {"groups", json::array()}};
}

/// Adds what the names do not contain.
void add_details(json& out, const chart_view& chart) {
    for (const auto s : chart.states()) {
        auto& state = out["states"][s.number()];
        state["name"] = std::string(s.name());
        state["kind"] = std::string(to_string(s.kind()));
        state["where"] = place_of(s.where());
        state["transitions"] = numbers_of(s.transitions());
    }
    const auto drawn = hsm::detail::picture_of(chart, {});
    for (const auto& shape : drawn.shapes) // a state has the identifier of its first shape
        if (shape.state < chart.states().size() && !out["states"][shape.state].contains("box")) out["states"][shape.state]["box"] = shape.id;
    for (const auto t : chart.transitions()) {
        auto& transition = out["transitions"][t.number()];
        transition["targets"] = numbers_of(t.targets());
        transition["guards"] = numbers_of(t.guards());
        transition["groups"] = numbers_of(t.conditions());
        transition["where"] = place_of(t.where());
        transition["same"] = t.same_as().number();
        if (t.is_hidden()) transition["hidden"] = true;
    }
    for (const auto g : chart.condition_groups()) out["groups"].push_back({{"text", g.text()}});
    for (const auto t : chart.timers()) out["timers"][t.number()] = {{"state", t.state().number()}, {"label", std::string(t.label())}};
}

} // namespace

std::string key_of(const machine_added& of) {
    if (of.chart) return of.chart->fingerprint().to_string();
    std::string key;
    for (const auto byte : of.names->fingerprint) hsm::detail::append_format(key, "{:02x}", byte);
    return key;
}

std::string dictionary_of(const known_chart& known) {
    const auto& names = *known.names;
    json out = {{"results", names_of_values(result::inactive)},
                {"origins", names_of_values(event_origin::deferred)},
                {"drops", names_of_values(drop_reason::refused)},
                {"calls", names_of_values(call_kind::restore)},
                {"places", names_of_values(hook_place::outside)},
                {"reasons", names_of_values(reason::restart)},
                {"configurations", names_of_values(configuration_reason::restored)},
                {"fingerprint", known.key},
                {"name", std::string(names.name(0))},
                {"states", states_of(names)},
                {"transitions", json::array()},
                {"events", with_texts(names.events)},
                {"conditions", with_texts(names.conditions)},
                {"guards", with_texts(names.guards)},
                {"hooks", with_texts(names.hooks)},
                {"groups", json::array()},
                {"timers", json::array()}};
    for (const auto& t : names.transitions) {
        const auto number = out["transitions"].size();
        out["transitions"].push_back(transition_of(t));
        out["transitions"].back()["same"] = number;
        if (t.source < names.states.size()) out["states"][t.source]["transitions"].push_back(number);
    }
    for (const auto& t : names.timers) out["timers"].push_back({{"label", t}});
    if (known.chart) add_details(out, known.chart->view());
    return text_of(out);
}

} // namespace hsm::inspect::detail
