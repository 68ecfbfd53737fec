/// Which bit of an instance each condition is, and what transitions ask of them.
///
/// Bits stand in words of 64. A group of conditions is a filter, the bits that it looks at, and a mask, what they are to be:
/// all of them hold if ((bits ^ mask) & filter) == 0, at least one if ((bits ^ mask) & filter) != filter.
#pragma once

#include <hsm/chart/detail/rows.hpp>
#include <hsm/compile/detail/finding_list.hpp>
#include <hsm/compile/detail/outline.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct chart_core;

/// Gives each condition its bit: those that were given an index that one, the others the first that are free, in the order of
/// states and of use. Returns their names by bit; none if there are no conditions.
std::vector<std::string_view> number_conditions(const outline& o, finding_list& out);

/// Where it was written, if a file says so.

// Behind those that are there already; returns how many.
std::uint32_t add_groups(chart_core& core, const transition_spec& spec);
/// A mask for each word with conditions that it wants to hold, but for bit 0.
std::uint32_t add_positives(chart_core& core, const transition_spec& spec);

} // namespace hsm::detail
