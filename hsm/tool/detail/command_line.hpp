/// Parses a command line, and writes the texts of --help.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// A command with its options.
struct declared_command {
    owned<command> what;
    option_list takes;
};

std::vector<declared_command> declare(std::vector<owned<command>> commands);

struct parsed_line {
    declared_command* run = nullptr; ///< null: print `print` instead
    std::string print;               ///< help, or the version
    bool incomplete = false;         ///< no command was named: `print` goes to stderr
};

/// Finds the named command and fills in its options. Throws command_error if the command line is invalid.
parsed_line parse(std::vector<std::string> words, const std::string& program, std::vector<declared_command>& commands);

// help.cpp
std::string help_of_all(const std::string& program, const std::vector<declared_command>& commands);
std::string help_of_group(const std::string& program, std::string_view word, const std::vector<declared_command>& commands);
std::string help_of(const std::string& program, const declared_command& c);
/// Returns the paragraphs of a description, which are separated by empty lines.
std::vector<std::string_view> paragraphs_of(std::string_view text);
std::string capital(std::string_view text); ///< the text with a capital first letter
/// "hsm draw [option]... FILE"
std::string usage_of(const std::string& program, const declared_command& c);
/// "-o, --output FILE"
std::string shown_names(const option& o);
/// Returns the text after an option's help: its choices and its default. Requires that the option was not parsed yet, since parsing changes the
/// value.
std::string shown_values(const option& o);

/// The program, independent of the process's streams and arguments.
/// Runs a command and returns the exit status. Does not throw for mistakes of the user.
int run_tool(const std::vector<std::string>& words, environment& here);

} // namespace hsm::detail::tool
