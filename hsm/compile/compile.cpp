#include <hsm/compile/compile.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/compile/definition_error.hpp>
#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/compile/detail/programs.hpp>
#include <hsm/compile/detail/tables.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm {

definition_error::definition_error(std::vector<finding> findings)
    : findings_(std::move(findings)), text_("the definition has errors:\n" + describe(findings_)) {}

} // namespace hsm

namespace hsm::detail {

const chart_core* compile_tree(owned<state_base>& root, const compile_options& given, std::vector<finding>& findings) {
    if (!root) {
        findings = nothing_to_check();
        return nullptr;
    }
    const auto options = rules_for(*root, given);
    findings = check(*root, given);
    const auto is_error = [](const finding& f) { return f.severity() == severity::error; };
    if (std::ranges::any_of(findings, is_error)) return nullptr;
    auto core = make_owned<compiled_chart>();
    core->root = root.get();
    core->options = options;
    core->warnings = findings;
    make_tables(*core, make_outline(*root));
    if (core->layout.size > most_memory) {
        findings = {{code::too_large, root->path(),
                     fmt::format("an instance needs {} bytes without its queues, more than {}", core->layout.size, most_memory),
                     "let locals and events refer to large data instead of containing it"}};
        return nullptr;
    }
    make_programs(*core);
    for (const auto& s : core->states) core->frozen.freeze(const_cast<state_base&>(*s.node));
    core->tree = std::move(root);
    return core.release();
}

const chart_core* compile_or_throw(owned<state_base> root, const compile_options& options) {
    std::vector<finding> findings;
    if (const auto* core = compile_tree(root, options, findings)) return core;
    throw definition_error(std::move(findings));
}

} // namespace hsm::detail
