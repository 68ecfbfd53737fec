#include <hsm/compile/compile.hpp>

#include <hsm/compile/flatten.hpp>

#include <algorithm>

namespace hsm::detail {

const chart_core* compile_tree(owned<state_base> root, const compile_options& options, std::vector<finding>& findings) {
    if (!root) {
        findings = {{code::no_root, "(nothing)", "there is no root to compile", "make one with make_fsm, and move it into compile once"}};
        return nullptr;
    }
    findings = check(*root, options);
    const auto is_error = [](const finding& f) { return f.severity() == severity::error; };
    if (std::ranges::any_of(findings, is_error)) return nullptr;
    return flatten(std::move(root), options, findings);
}

const chart_core* compile_or_throw(owned<state_base> root, const compile_options& options) {
    std::vector<finding> findings;
    if (const auto* core = compile_tree(std::move(root), options, findings)) return core;
    throw definition_error(std::move(findings));
}

} // namespace hsm::detail
