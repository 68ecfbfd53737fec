/// Names for states that distinguish states with the same name.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <string>

namespace hsm::detail {

/// Returns the shortest end of its path that is the end of no other state's path. If many states have its name, returns the whole path.
std::string distinct_name(const chart_core& core, index s);

} // namespace hsm::detail
