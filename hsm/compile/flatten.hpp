/// Turns a definition that has no errors into the tables of a chart.
#pragma once

#include <hsm/compile/chart_core.hpp>

namespace hsm {

/// A core with one user. Takes the tree over.
const chart_core* flatten(owned<state_base> root, const compile_options& options, std::vector<finding> warnings);

} // namespace hsm
