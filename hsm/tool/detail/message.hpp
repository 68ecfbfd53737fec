/// What commands tell of mistakes: in the form that editors jump to, or as JSON.
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

/// What a program returns.
enum class exit_code : std::uint8_t {
    fine = 0,
    found = 1,  ///< something is wrong in a file, two things differ, a test has failed
    failed = 2, ///< the command could not do its work: it was called in a wrong way, or a file cannot be read or written
};

enum class message_kind : std::uint8_t { error, warning, note };

struct message {
    message_kind kind = message_kind::error;
    std::string text = {};    ///< what is wrong, a sentence
    std::string hint = {};    ///< what to do; may be empty
    file_position where = {}; ///< of the program itself: none
    std::optional<hsm::code> code = {};
    std::string state = {}; ///< its path, if it is about one
};

message message_of(const finding& f);
message message_of(const load_problem& p);

/// "file:12:5: error: …" in `colours`, with a line for the hint; `program` stands in place of a place.
std::string to_string(const message& m, std::string_view program);
std::string to_string(const message& m, std::string_view program, const console& colours, bool to_stderr);
/// An object of JSON in one line.
std::string to_json(const message& m);
/// "2 errors and 1 warning"; empty: none.
std::string count_of(const std::vector<message>& all);
/// What the program returns after these.
exit_code exit_code_for(const std::vector<message>& all);

/// Ends a command. What is thrown by commands for what their user did; everything else that the library throws is understood as well.
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

/// The exception that is being handled, as messages of `file` and the code to return. Called in a catch block; what is not known there is thrown on.
command_error understood(const std::string& file = {});

} // namespace hsm::detail::tool
