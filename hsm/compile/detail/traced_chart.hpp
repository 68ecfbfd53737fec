/// The same chart with programs that tell what they do, for machines that are observed.
#pragma once

#include <hsm/chart/detail/compiled_chart.hpp>

namespace hsm::detail {

/// Made when it is first asked for, in whatever thread, and then there as long as the chart. It sees the chart's tables.
const chart_core& traced_chart_of(compiled_chart& chart);

} // namespace hsm::detail
