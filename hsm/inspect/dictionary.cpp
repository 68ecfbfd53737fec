// The dictionary of a chart: what the page must know to show the numbers of records.

#include <hsm/inspect/detail/texts.hpp>

#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/record.hpp>
#include <hsm/op/result.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace hsm::inspect::detail {

namespace {

using json = nlohmann::json;

json number_of(const hsm::detail::view_handle& handle) { return handle ? json(handle.number()) : json(); }

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

json common() {
    return {
        {"kinds", names_of_values(record_kind::lost)},        {"results", names_of_values(result::inactive)},
        {"origins", names_of_values(event_origin::deferred)}, {"drops", names_of_values(drop_reason::refused)},
        {"calls", names_of_values(call_kind::restore)},       {"places", names_of_values(hook_place::outside)},
        {"reasons", names_of_values(reason::restart)},        {"configurations", names_of_values(configuration_reason::restored)},
    };
}

std::string place_of(const file_position& where) { return where.file.empty() ? std::string() : fmt::format("{}:{}", where.file, where.line); }

json described(const state_view& s, const std::string& box) {
    return {{"name", std::string(s.name())},
            {"path", std::string(s.path())},
            {"parent", number_of(s.superstate())},
            {"last", s.last()},
            {"kind", std::string(to_string(s.kind()))},
            {"region", s.is_region()},
            {"box", box},
            {"where", place_of(s.where())},
            {"transitions", numbers_of(s.transitions())}};
}

json described(const transition_view& t) {
    json out = {{"text", t.text()},
                {"source", t.source().number()},
                {"targets", numbers_of(t.targets())},
                {"event", number_of(t.event())},
                {"timer", number_of(t.timer())},
                {"guards", numbers_of(t.guards())},
                {"groups", numbers_of(t.conditions())},
                {"where", place_of(t.where())},
                {"same", t.same_as().number()}};
    if (t.is_hidden()) out["hidden"] = true;
    return out;
}

/// The identifiers of states in the picture.
std::vector<std::string> boxes_of(const chart_view& chart) {
    std::vector<std::string> ids(chart.states().size());
    const auto drawn = hsm::detail::picture_of(chart, {});
    for (const auto& shape : drawn.shapes)
        if (shape.state < ids.size() && ids[shape.state].empty()) ids[shape.state] = shape.id;
    return ids;
}

} // namespace

std::string dictionary_of(const chart_view& chart) {
    auto out = common();
    out["fingerprint"] = chart.fingerprint().to_string();
    out["name"] = std::string(chart.root().name());
    const auto boxes = boxes_of(chart);
    for (const auto s : chart.states()) out["states"].push_back(described(s, boxes[s.number()]));
    out["transitions"] = out["events"] = out["conditions"] = out["guards"] = out["groups"] = out["hooks"] = out["timers"] = json::array();
    for (const auto t : chart.transitions()) out["transitions"].push_back(described(t));
    for (const auto e : chart.events()) out["events"].push_back({{"text", e.text()}, {"name", std::string(e.name())}, {"by_name", e.is_name()}});
    for (const auto c : chart.conditions()) out["conditions"].push_back({{"text", c.text()}, {"named", !c.name().empty()}});
    for (const auto g : chart.guards()) {
        out["guards"].push_back({{"text", g.text()}, {"state", number_of(g.state())}, {"transition", number_of(g.transition())}});
        if (g.is_hidden()) out["guards"].back()["hidden"] = true;
    }
    for (const auto g : chart.condition_groups()) out["groups"].push_back({{"text", g.text()}});
    for (const auto h : chart.hooks()) {
        out["hooks"].push_back({{"text", h.text()}, {"state", number_of(h.state())}});
        if (h.is_hidden()) out["hooks"].back()["hidden"] = true;
    }
    for (const auto t : chart.timers()) {
        const auto fixed = t.fixed();
        out["timers"].push_back({{"state", number_of(t.state())},
                                 {"periodic", t.is_periodic()},
                                 {"fixed", fixed ? json(fixed->nanoseconds()) : json()},
                                 {"label", std::string(t.label())}});
    }
    return text_of(out);
}

std::string dictionary_of(const chart_names& names) {
    auto out = common();
    out["fingerprint"] = key_of(names);
    out["name"] = names.states.empty() ? std::string() : names.states.front().path;
    out["states"] = out["transitions"] = out["events"] = out["conditions"] = out["guards"] = out["groups"] = out["hooks"] = out["timers"] =
        json::array();
    std::vector<std::size_t> last(names.states.size());
    for (auto s = names.states.size(); s-- > 0;) {
        last[s] = std::max(last[s], s);
        if (const auto outer = names.states[s].superstate; outer < s) last[outer] = std::max(last[outer], last[s]);
    }
    for (std::size_t s = 0; s < names.states.size(); ++s) {
        const auto& state = names.states[s];
        const bool is_inside = state.superstate < s;
        out["states"].push_back({{"name", std::string(names.name(s))},
                                 {"path", state.path},
                                 {"parent", is_inside ? json(state.superstate) : json()},
                                 {"last", last[s]},
                                 {"kind", state.parallel ? "parallel"
                                          : last[s] > s  ? "machine"
                                                         : "state"},
                                 {"region", is_inside && names.states[state.superstate].parallel},
                                 {"transitions", json::array()}});
    }
    for (std::size_t t = 0; t < names.transitions.size(); ++t) {
        const auto& row = names.transitions[t];
        const auto event = row.event == record::no_number ? json() : json(row.event);
        const auto targets = row.target == record::no_state ? json::array() : json::array({row.target});
        out["transitions"].push_back({{"text", row.text},
                                      {"source", row.source},
                                      {"targets", targets},
                                      {"event", event},
                                      {"timer", nullptr},
                                      {"guards", json::array()},
                                      {"groups", json::array()},
                                      {"same", t}});
        if (row.source < out["states"].size()) out["states"][row.source]["transitions"].push_back(t);
    }
    for (const auto& e : names.events) out["events"].push_back({{"text", e}, {"name", e}, {"by_name", false}});
    for (const auto& c : names.conditions) out["conditions"].push_back({{"text", c}, {"named", true}});
    for (const auto& g : names.guards) out["guards"].push_back({{"text", g}});
    for (const auto& h : names.hooks) out["hooks"].push_back({{"text", h}});
    for (const auto& t : names.timers) out["timers"].push_back({{"label", t}});
    return text_of(out);
}

std::string key_of(const chart_names& names) {
    std::string out;
    for (const auto byte : names.fingerprint) out += fmt::format("{:02x}", byte);
    return out;
}

} // namespace hsm::inspect::detail
