/// Scripts: what comes into a machine, and what is expected of it, in lines. docs/reference/script_format.md describes them.
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

/// A script without a line `test` is one test, which has the script's name.
struct script {
    std::string file;
    std::vector<play_command> before; ///< what stands above the first test: each begins with it
    std::vector<script_test> tests;
};

/// All names in it are known. Throws command_error with everything that is wrong, each with its place.
script read_script(const std::string& text, const std::string& file, const player& names);

/// Does one line of a script: what comes in, what is set, or what is expected. The machine is started before the first that is no setting. Empty, or
/// what is wrong: an expectation is not met, or the step makes no sense.
std::vector<message> play_line(const play_command& c, player& p, bool (*goes_on)() = nullptr);

/// Does a line need a machine that is started?
bool needs_start(verb v);

/// With a fresh machine. What is wrong with the first line that fails: the others are not played.
std::vector<message> run_test(const script& s, const script_test& test, player& p);

} // namespace hsm::detail::tool
