/// Where transitions wait for several values at once, values that none of them tells apart are one event of the chart.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <vector>

namespace hsm::detail {

/// From what transitions wait for, of one type, to events each of whose values has the same ones waiting for it, by their lowest value.
std::vector<event_key> event_classes(const std::vector<event_key>& waited_for);

/// The values of a key, also of one that is a single value.
std::vector<event_interval> values_of(const event_key& key);

} // namespace hsm::detail
