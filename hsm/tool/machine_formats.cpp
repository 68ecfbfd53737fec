#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/load/xml.hpp>

#include <optional>

namespace hsm::detail::tool {

namespace {

std::vector<load_problem> load_xml(std::string text, const std::string& file, const load_request& request, owned<state_base>& root) {
    const registry<simulated_context> nothing;
    const registry_base& names = request.over ? request.over->names() : nothing;
    std::optional<open_names::listening> listening;
    if (request.open) listening.emplace(*request.open, names);
    auto made = names.context().make(state_kind::machine, history_depth::none, "");
    auto problems = read_xml_text(std::move(text), file, names, {}, *made);
    if (problems.empty()) root = std::move(made);
    return problems;
}

saved_machine save_xml(state_base& root, std::string_view original) {
    auto losses = lower_to_xml(root);
    try {
        return {original.empty() ? hsm::save_xml(root) : hsm::save_xml(root, original), std::move(losses)};
    } catch (const load_error& e) {
        losses.insert(losses.end(), e.problems().begin(), e.problems().end());
        return {{}, std::move(losses)};
    }
}

owned<hsm::tool::session> play_xml(const chart_base& chart, simulation&) {
    add_user(&chart.core());
    return make_owned<hsm::tool::session_over<simulated_context>>(hsm::chart<simulated_context>(&chart.core()));
}

} // namespace

std::span<const machine_format> machine_formats() {
    static const auto all = [] {
        std::vector<machine_format> made{{"xml", ".xml", &load_xml, &save_xml, &play_xml}};
        if (const auto* const scxml = scxml_format()) made.push_back(*scxml);
        return made;
    }();
    return all;
}

} // namespace hsm::detail::tool
