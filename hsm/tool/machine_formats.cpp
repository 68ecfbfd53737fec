#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/load/xml.hpp>
#include <hsm/reload/reloader.hpp>

#include <optional>
#include <string>

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

class watched_content final : public file_watch {
public:
    explicit watched_content(const std::string& path) : file_(path) { watched_content::has_changed(); }
    bool has_changed() override {
        try {
            std::string text;
            return file_.read_changed(text, {});
        } catch (const load_error&) { // unreadable for a moment
            return false;
        }
    }

private:
    watched_file file_;
};

} // namespace

owned<file_watch> watch_file(const std::string& path) { return make_owned<watched_content>(path); }

std::span<const machine_format> machine_formats() {
    static const auto all = [] {
        std::vector<machine_format> made{{"xml", ".xml", &load_xml, &save_xml, &play_xml}};
        if (const auto* const scxml = scxml_format()) made.push_back(*scxml);
        return made;
    }();
    return all;
}

} // namespace hsm::detail::tool
