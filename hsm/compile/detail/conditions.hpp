/// The bits of conditions, and the conditions that transitions test.
///
/// Bits are in words of 64. A group of conditions is a filter (the tested bits) and a mask (their required values): all of them hold if ((bits ^
/// mask) & filter) == 0, at least one if ((bits ^ mask) & filter) != filter.
#pragma once

#include <hsm/chart/detail/rows.hpp>
#include <hsm/compile/detail/finding_list.hpp>
#include <hsm/compile/detail/outline.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct chart_core;

/// Assigns a bit to each condition: its explicit index, or else the first free bit, in the order of states and of use. Returns their names by bit;
/// none if there are no conditions.
std::vector<std::string_view> number_conditions(const outline& o, finding_list& out);

// Append to the table, and return how many were added.
std::uint32_t add_groups(chart_core& core, const transition_spec& spec);
/// Adds a mask for each word with conditions that the transition requires to be set, without bit 0.
std::uint32_t add_positives(chart_core& core, const transition_spec& spec);

} // namespace hsm::detail
