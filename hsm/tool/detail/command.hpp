/// The interface of a subcommand. Each subcommand has its own file, <name>_command.cpp, and a line in commands.cpp.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/detail/option_list.hpp>
#include <hsm/tool/main.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

using hsm::tool::known_machine;

/// What a command works with, in addition to its options.
struct surroundings {
    console& terminal;
    std::string program; ///< "hsm": the prefix of messages that do not concern a file
    std::span<const known_machine* const> machines;
};

struct example {
    std::string_view arguments; ///< "check monster.xml": the words after the program's name
    std::string_view purpose;   ///< what the example does, in one line
};

class command {
public:
    command() = default;
    command(const command&) = delete;
    command& operator=(const command&) = delete;
    virtual ~command() = default;

    virtual std::string_view name() const = 0;                  ///< "check", "trace show"
    virtual std::string_view summary() const = 0;               ///< one line without a full stop
    virtual std::string_view description() const { return {}; } ///< paragraphs, separated by empty lines
    virtual std::vector<example> examples() const = 0;
    /// Binds options to members. Called once, before `run`.
    virtual void declare(option_list& takes) = 0;
    /// Runs the command. Findings are printed and determine the result. If the command cannot do its work, throws command_error or an exception of
    /// the library.
    virtual exit_code run(surroundings& here) = 0;
};

/// Prints messages to stderr.
void tell(const std::vector<message>& all, surroundings& here);
/// Returns the program's machine with this name, or null.
const known_machine* find_machine(std::string_view name, const surroundings& here);
/// "there are hero, door"
std::string hint_of_machines(const surroundings& here);

} // namespace hsm::detail::tool
