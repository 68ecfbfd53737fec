/// From the words of a command line to a command that is to be run; and what is printed for --help.
#pragma once

#include <hsm/tool/detail/command.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// A command with what it takes.
struct declared_command {
    owned<command> what;
    option_list takes;
};

std::vector<declared_command> declare(std::vector<owned<command>> commands);

struct parsed_line {
    declared_command* run = nullptr; ///< null: print instead
    std::string print;               ///< help, or the version
    bool incomplete = false;         ///< no command was named: print it as a complaint
};

/// Fills in the options of the command that is meant. Throws command_error: the words say nothing that can be done.
parsed_line parse(std::vector<std::string> words, const std::string& program, std::vector<declared_command>& commands);

// help.cpp
std::string help_of_all(const std::string& program, const std::vector<declared_command>& commands);
std::string help_of_group(const std::string& program, std::string_view word, const std::vector<declared_command>& commands);
std::string help_of(const std::string& program, const declared_command& c);
/// "hsm draw [option]... FILE"
std::string usage_of(const std::string& program, const declared_command& c);
/// "-o, --output FILE"
std::string shown_names(const option& o);
/// What stands behind an option's help: its choices, its default. Of before it is parsed.
std::string shown_values(const option& o);

} // namespace hsm::detail::tool
