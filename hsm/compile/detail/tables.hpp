/// Converts a definition without errors to the tables of a chart, without its programs.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/outline.hpp>

namespace hsm::detail {

void make_tables(chart_core& core, const outline& o);
/// A part of make_tables: assigns offsets to locals, timers and entry times.
void place_in_block(chart_core& core);

} // namespace hsm::detail
