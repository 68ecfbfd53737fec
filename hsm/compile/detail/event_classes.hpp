/// Combines values into events: if transitions wait for several values, values that no transition distinguishes are one event of the chart.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <vector>

namespace hsm::detail {

/// Converts the keys of one type to events. All values of an event match the same keys. Sorted by the lowest value.
std::vector<event_key> event_classes(const std::vector<event_key>& waited_for);

/// Returns the values of a key, which can be a single value.
std::vector<event_interval> values_of(const event_key& key);

} // namespace hsm::detail
