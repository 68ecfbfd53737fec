/// The interface of a subcommand, and its options. Each subcommand has a file <name>_command.cpp, which related subcommands share, and a line in
/// command.cpp.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/message.hpp>
#include <hsm/tool/main.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hsm::detail::tool {

/// What a shell offers for a value.
enum class completion : std::uint8_t { nothing, files, machine_files, choices };

struct option {
    std::string names; ///< "-o,--output"; for a positional argument: "FILE"
    std::string value; ///< "FILE"; empty for a flag
    std::string help;  ///< a sentence
    std::variant<bool*, std::string*, std::vector<std::string>*, std::int64_t*, std::uint64_t*, double*> to;
    std::vector<std::string> choices = {};
    completion offers = completion::nothing;
    bool is_required = false;

    bool is_argument() const { return !names.starts_with('-'); }
    bool is_repeated() const { return std::holds_alternative<std::vector<std::string>*>(to); }

    option& required() { return is_required = true, *this; }
    option& file() { return offers = completion::files, *this; }
    option& machine_file() { return offers = completion::machine_files, *this; }
};

/// The options of a command, in one table for the parser, --help, the man page and the completion of shells.
class option_list {
public:
    /// `names`: "-q,--quiet".
    option& flag(std::string names, bool& to, std::string help) { return add({std::move(names), {}, std::move(help), &to}); }
    /// Declares an option such as `--depth N`. The current value of `to` is the default. An option for a vector can be repeated.
    template <class T> option& value(std::string names, std::string value, T& to, std::string help) {
        return add({std::move(names), std::move(value), std::move(help), &to});
    }
    /// Declares an option with a fixed set of values.
    option& choice(std::string names, std::string value, std::string& to, std::vector<std::string> choices, std::string help);
    /// Declares a positional argument, in the order of the calls. A vector takes all remaining words, at least one if it is required.
    template <class T> option& argument(std::string name, T& to, std::string help) { return add({std::move(name), {}, std::move(help), &to}); }
    /// Declares `--format text|json`.
    option& format(bool& json);

    const std::deque<option>& all() const { return all_; }
    std::deque<option>& all() { return all_; }
    /// Converts the value of `--format` to its flag. Call it after parsing.
    void settle();

private:
    option& add(option o) { return all_.emplace_back(std::move(o)); }

    std::deque<option> all_;
    std::string format_ = "text";
    bool* json_ = nullptr;
};

/// Returns a column of a table as the choices of an option.
template <class Table> std::vector<std::string> words_in(const Table& table, auto column) {
    std::vector<std::string> words;
    for (const auto& row : table) words.emplace_back(row.*column);
    return words;
}

using hsm::tool::known_machine;

/// What a command works with, in addition to its options.
struct environment {
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
    virtual exit_code run(environment& here) = 0;
};

/// Prints messages to stderr.
void print_messages(const std::vector<message>& all, environment& here);
/// Returns the program's machine with this name, or null.
const known_machine* find_machine(std::string_view name, const environment& here);
/// "there are hero, door"
std::string hint_of_machines(const environment& here);

/// Returns all subcommands, in the order in which help lists them.
std::vector<owned<command>> all_commands();
/// Returns the summary of a command group such as "trace", or an empty text if `word` is not a group.
std::string_view summary_of_group(std::string_view word);

// In files <name>_command.cpp.
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
owned<command> view_command();
owned<command> watch_command();

} // namespace hsm::detail::tool
