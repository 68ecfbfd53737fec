/// Prints programs, for chart.dump().
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <string>

namespace hsm::detail {

void dump_programs(const chart_core& core, std::string& out);

} // namespace hsm::detail
