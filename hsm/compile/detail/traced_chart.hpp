/// A twin of a chart whose programs report records, for observed machines.
#pragma once

#include <hsm/chart/detail/compiled_chart.hpp>

namespace hsm::detail {

/// Returns the twin, which uses the tables of the chart. It is built at the first call, in any thread, and lives as long as the chart.
const chart_core& traced_chart_of(compiled_chart& chart);

} // namespace hsm::detail
