/// How states are named where there may be several of one name.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <string>

namespace hsm::detail {

/// The shortest end of its path that is the end of no other state's; if there are many states of its name, all of it.
std::string distinct_name(const chart_core& core, index s);

} // namespace hsm::detail
