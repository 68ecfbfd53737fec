/// Scripts: inputs of a machine and expectations, one per line. docs/reference/script_format.md describes them.
#pragma once

#include <hsm/tool/detail/play_command.hpp>

#include <string>
#include <vector>

namespace hsm::detail::tool {

struct script_test {
    std::string name;
    file_position where;
    std::vector<play_command> commands;
};

/// A script without a line `test` is a single test with the script's name.
struct script {
    std::string file;
    std::vector<play_command> before; ///< the lines above the first test; every test begins with them
    std::vector<script_test> tests;
};

/// Parses a script. All names in the result exist. Throws command_error with all problems and their positions.
script read_script(const std::string& text, const std::string& file, const player& names);

/// Executes a line of a script: an input, a setting or an expectation. Starts the machine before the first line that needs it. Returns an empty list,
/// or the unmet expectation or impossible step.
std::vector<message> play_line(const play_command& c, player& p, bool (*goes_on)() = nullptr);

/// Returns whether the command requires a started machine.
bool needs_start(verb v);

/// Runs a test with a fresh machine. Returns the problems of the first line that fails; the remaining lines are not executed.
std::vector<message> run_test(const script& s, const script_test& test, player& p);

} // namespace hsm::detail::tool
