/// A subcommand: what it takes, what it does. Each is a file of its own, <name>_command.cpp, and a line of commands.cpp.
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

/// What a command works with, beside its options.
struct surroundings {
    console& terminal;
    std::string program; ///< "hsm": what messages begin with that are of no file
    std::span<const known_machine* const> machines;
};

struct example {
    std::string_view arguments; ///< "check monster.xml": behind the program's name
    std::string_view purpose;   ///< what it does, in a line
};

class command {
public:
    command() = default;
    command(const command&) = delete;
    command& operator=(const command&) = delete;
    virtual ~command() = default;

    virtual std::string_view name() const = 0;                  ///< "check", "trace show"
    virtual std::string_view summary() const = 0;               ///< a line, without a full stop
    virtual std::string_view description() const { return {}; } ///< paragraphs, with an empty line between them
    virtual std::vector<example> examples() const = 0;
    /// Once, before run: binds what is given to members.
    virtual void declare(option_list& takes) = 0;
    /// Throws command_error, and what the library throws, for what cannot be done; what is found is told and returned.
    virtual exit_code run(surroundings& here) = 0;
};

/// Prints messages to stderr.
void tell(const std::vector<message>& all, surroundings& here);
/// The machine of the program by its name. Null: there is none.
const known_machine* find_machine(std::string_view name, const surroundings& here);
/// "there are hero, door"
std::string hint_of_machines(const surroundings& here);

} // namespace hsm::detail::tool
