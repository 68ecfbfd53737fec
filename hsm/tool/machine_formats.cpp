#include <hsm/tool/detail/machine_file.hpp>

#include <hsm/load/xml.hpp>

namespace hsm::detail::tool {

namespace {

std::vector<load_problem> load_xml(std::string text, const std::string& file, const registry_base& names, const load_options& options,
                                   owned<state_base>& root) {
    auto made = names.context().make(state_kind::machine, history_depth::none, "");
    auto problems = read_xml_text(std::move(text), file, names, options, *made);
    if (problems.empty()) root = std::move(made);
    return problems;
}

std::string save_xml(const state_base& root, std::string_view original) {
    return original.empty() ? hsm::save_xml(root) : hsm::save_xml(root, original);
}

constexpr machine_format formats[] = {
    {"xml", ".xml", &load_xml, &save_xml},
};

} // namespace

std::span<const machine_format> machine_formats() { return formats; }

} // namespace hsm::detail::tool
