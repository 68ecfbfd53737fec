/// The part of chart.dump() that shows programs.
#pragma once

#include <hsm/compile/chart_core.hpp>

#include <string>

namespace hsm {

void dump_programs(const chart_core& core, std::string& out);

} // namespace hsm
