/// Converts a definition to a chart.
///
///     const auto chart = hsm::compile(std::move(root));           // throws definition_error with all errors
///     const auto chart = hsm::compile<attack>();                  // constructs the root of a class first
///     auto result = hsm::try_compile(std::move(root));            // throws only std::bad_alloc
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/compile/check.hpp>
#include <hsm/compile/definition_error.hpp>
#include <hsm/define/fsm.hpp>

namespace hsm {

/// The result of try_compile: a chart with its warnings, or the errors.
template <class Context> struct compile_result {
    hsm::chart<Context> chart;
    std::vector<finding> findings;

    explicit operator bool() const { return static_cast<bool>(chart); }
};

namespace detail {
/// Returns a core with a reference count of 1. If the tree has errors, returns null and stores the errors in `findings`. Takes ownership of the tree
/// only if the function returns a core.
const chart_core* compile_tree(owned<state_base>& root, const compile_options& options, std::vector<finding>& findings);
/// Throws definition_error if the tree has errors.
const chart_core* compile_or_throw(owned<state_base> root, const compile_options& options);
} // namespace detail

template <class Machine> [[nodiscard]] auto try_compile(owned<Machine> root, const compile_options& options = {}) {
    using context = typename Machine::context_type;
    static_assert(std::is_base_of_v<fsm<context>, Machine>, "hsm: a chart is compiled from a machine: derive the root from hsm::fsm");
    owned<state_base> tree(std::move(root));
    std::vector<finding> findings;
    const auto* core = detail::compile_tree(tree, options, findings);
    return compile_result<context>{chart<context>(core), std::move(findings)};
}

template <class Machine> [[nodiscard]] auto compile(owned<Machine> root, const compile_options& options = {}) {
    using context = typename Machine::context_type;
    static_assert(std::is_base_of_v<fsm<context>, Machine>, "hsm: a chart is compiled from a machine: derive the root from hsm::fsm");
    return chart<context>(detail::compile_or_throw(std::move(root), options));
}

template <node_class Machine, class... Args> [[nodiscard]] auto compile(Args&&... args) {
    return compile(make_fsm<Machine>(std::forward<Args>(args)...));
}

} // namespace hsm
