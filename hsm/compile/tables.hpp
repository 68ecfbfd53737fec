/// Turns a definition that has no errors into the tables of a chart, without its programs.
#pragma once

#include <hsm/compile/chart_core.hpp>

namespace hsm {

void make_tables(chart_core& core, const outline& o);

} // namespace hsm
