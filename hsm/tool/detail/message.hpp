/// Messages of commands, as text in the form that editors jump to, or as JSON.
///
///     monster.xml:12:5: error: there is no guard "hasTraget" [HSM-313]
///         did you mean "hasTarget"?
#pragma once

#include <hsm/chart/finding.hpp>
#include <hsm/define/code.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/load/load_error.hpp>
#include <hsm/tool/detail/console.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hsm::detail::tool {

/// The exit status of the program.
enum class exit_code : std::uint8_t {
    fine = 0,
    found = 1,  ///< an error in a file, a difference, or a failed test
    failed = 2, ///< the command could not run: invalid options, or a file that cannot be read or written
};

enum class message_kind : std::uint8_t { error, warning, note };

struct message {
    message_kind kind = message_kind::error;
    std::string text = {};    ///< the problem, as a sentence
    std::string hint = {};    ///< advice; may be empty
    file_position where = {}; ///< empty for messages of the program itself
    std::optional<hsm::code> code = {};
    std::string state = {}; ///< the path of the state concerned; may be empty
};

message message_of(const finding& f);
message message_of(const load_problem& p);

/// Formats "file:12:5: error: …" with a line for the hint. `program` replaces a missing position. With `colors`, the text is colored.
std::string to_string(const message& m, std::string_view program);
std::string to_string(const message& m, std::string_view program, const console& colors, bool to_stderr);
/// Formats the message as a JSON object in one line.
std::string to_json(const message& m);
/// Returns a text such as "2 errors and 1 warning", or an empty text if there are none.
std::string count_of(const std::vector<message>& all);
/// Returns the exit code for these messages.
exit_code exit_code_for(const std::vector<message>& all);

/// Ends a command. Commands throw it for mistakes of the user. Exceptions of the library are converted by `current_error`.
class command_error : public std::runtime_error {
public:
    explicit command_error(std::string text, std::string hint = {}, exit_code code = exit_code::failed);
    command_error(std::vector<message> all, exit_code code);

    const std::vector<message>& messages() const { return messages_; }
    exit_code code() const { return code_; }

private:
    std::vector<message> messages_;
    exit_code code_;
};

/// Converts the exception being handled to messages of `file` and an exit code. Call it in a catch block. Unknown exceptions are rethrown.
command_error current_error(const std::string& file = {});

} // namespace hsm::detail::tool
