/// Executes the commands of viewers as ordinary calls.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/inspect/detail/lane_core.hpp>

namespace hsm::inspect::detail {

/// Errors, and exceptions of hooks, are part of the result.
command_result run_command(lane_core& lane, subject& s, const command& c);
/// The result of a command for a machine that is not listed.
command_result unknown_machine();

} // namespace hsm::inspect::detail
