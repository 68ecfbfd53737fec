/// Examines a definition without changing what it means: every error and every warning, each with the path it is about.
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/define/state_base.hpp>

namespace hsm {

/// All errors, in the order of the tree; when there are none, all warnings. `compile` refuses a definition with errors.
/// Nothing is found in what is part of a chart.
[[nodiscard]] std::vector<finding> check(state_base& root, const compile_options& options = {});

/// The finding about an empty root.
std::vector<finding> nothing_to_check();

template <class T> [[nodiscard]] std::vector<finding> check(const owned<T>& root, const compile_options& options = {}) {
    return root ? check(*root, options) : nothing_to_check();
}

} // namespace hsm
