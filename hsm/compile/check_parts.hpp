/// The two halves of the check, for check.cpp.
#pragma once

#include <hsm/compile/finding.hpp>
#include <hsm/compile/options.hpp>
#include <hsm/compile/outline.hpp>

namespace hsm {

void check_errors(const outline& o, std::vector<finding>& out);

/// Only for outlines without errors.
void check_warnings(const outline& o, const compile_options& options, std::vector<finding>& out);

} // namespace hsm
