/// Finds all errors and warnings of a definition, each with the path of its state.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/define/state_base.hpp>

namespace hsm {

/// Returns all errors, in the order of the tree, or all warnings if there are no errors. `compile` rejects definitions with errors. The check does
/// not change the meaning of the definition. It returns no findings for a state that is part of a chart.
[[nodiscard]] std::vector<finding> check(state_base& root, const compile_options& options = {});

/// Returns the error for an empty root.
std::vector<finding> nothing_to_check();

template <class T> [[nodiscard]] std::vector<finding> check(const owned<T>& root, const compile_options& options = {}) {
    return root ? check(*root, options) : nothing_to_check();
}

} // namespace hsm
