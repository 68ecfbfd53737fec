/// The list of all subcommands.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// In the order in which help lists them.
std::vector<owned<command>> all_commands();
/// Returns the summary of a command group such as "trace", or an empty text if `word` is not a group.
std::string_view summary_of_group(std::string_view word);

// Each in its own file.
owned<command> check_command();
owned<command> completion_command();
owned<command> convert_command();
owned<command> draw_command();
owned<command> generate_constant_command();
owned<command> generate_definition_command();
owned<command> generate_registry_command();
owned<command> manual_command();
owned<command> replay_command();
owned<command> trace_convert_command();
owned<command> trace_diff_command();
owned<command> trace_show_command();
owned<command> trace_stats_command();
owned<command> run_command();
owned<command> test_command();

} // namespace hsm::detail::tool
