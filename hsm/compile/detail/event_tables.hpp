/// The events of a chart: their numbers, and the columns that find their programs.
#pragma once

#include <hsm/compile/detail/outline.hpp>

#include <vector>

namespace hsm::detail {

struct chart_core;

void collect_events(chart_core& core, const outline& o);
/// Returns the events for which a transition with this key has a row: no_index for no event; several if other transitions distinguish some of its
/// values.
std::vector<std::uint16_t> events_of(const chart_core& core, const event_key& key);
void add_columns(chart_core& core);

} // namespace hsm::detail
