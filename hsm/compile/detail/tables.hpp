/// Converts a definition without errors to the tables of a chart, without its programs.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/rows.hpp>
#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/compile/detail/outline.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hsm::detail {

void make_tables(chart_core& core, const outline& o);
/// A part of make_tables: assigns offsets to locals, timers and entry times.
void place_in_block(chart_core& core);

// The events of a chart: their numbers, and the columns that find their programs.

void collect_events(chart_core& core, const outline& o);
/// Returns the events for which a transition with this key has a row: no_index for no event; several if other transitions distinguish some of its
/// values.
std::vector<std::uint16_t> events_of(const chart_core& core, const event_key& key);
void add_columns(chart_core& core);

/// Converts the keys of one type to events: if transitions wait for several values, values that no transition distinguishes are one event of the
/// chart. All values of an event match the same keys. Sorted by the lowest value.
std::vector<event_key> event_classes(const std::vector<event_key>& waited_for);

/// Returns the values of a key, which can be a single value.
std::vector<event_interval> values_of(const event_key& key);

// The bits of conditions, and the conditions that transitions test. Bits are in words of 64. A group of conditions is a filter (the tested bits) and
// a mask (their required values): all of them hold if ((bits ^ mask) & filter) == 0, at least one if ((bits ^ mask) & filter) != filter.

/// Assigns a bit to each condition: its explicit index, or else the first free bit, in the order of states and of use. Returns their names by bit;
/// none if there are no conditions.
std::vector<std::string_view> number_conditions(const outline& o, finding_list& out);

// These functions append to the table, and return how many entries were added.
std::uint32_t add_groups(chart_core& core, const transition_spec& spec);
/// Adds a mask for each word with conditions that the transition requires to be set, without bit 0.
std::uint32_t add_positives(chart_core& core, const transition_spec& spec);

} // namespace hsm::detail
