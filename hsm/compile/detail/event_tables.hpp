/// The events of a chart: what transitions wait for as numbers, and the columns by which a machine finds what it does.
#pragma once

#include <hsm/compile/detail/outline.hpp>

#include <vector>

namespace hsm::detail {

struct chart_core;

void collect_events(chart_core& core, const outline& o);
/// What a transition that waits for that has a row for: no_index for none, and several where some of its values mean something else
/// to others.
std::vector<std::uint16_t> events_of(const chart_core& core, const event_key& key);
void add_columns(chart_core& core);

} // namespace hsm::detail
