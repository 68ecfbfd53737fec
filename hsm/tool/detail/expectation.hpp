/// What a script expects of a machine: of what is active now, or of what has happened in the last step.
#pragma once

#include <hsm/define/event_data.hpp>
#include <hsm/tool/detail/player.hpp>
#include <hsm/tool/detail/script_words.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

struct expectation {
    enum kind_of : std::uint8_t {
        in,         ///< states: all of them are active
        entered,    ///< states, in the last step
        exited,     ///< states
        transition, ///< states[0] to states[1], or without a target; event
        bit,        ///< name, on
        ran,        ///< name: a hook or an action
        asked,      ///< name: a guard; on, if it is said
        outcome,    ///< of the last step
        possible,   ///< an event would be taken now
        nothing,    ///< nothing was left, entered or taken
        finished,   ///< the machine is over
        held,       ///< something waits
        deferred,   ///< an event
        dropped,    ///< an event
        refused,    ///< something of lower priority
        thrown,     ///< a hook has thrown
        logged,     ///< name: a label or a text
        sent,       ///< name: an event; target, if it is said
        error,      ///< name: an event, if it is said
        data,       ///< name: of an SCXML document; value, if one is specified
    } kind = nothing;
    bool wanted = true; ///< false: "not"
    std::vector<std::uint32_t> states = {};
    std::uint32_t event = record::no_number;
    std::optional<bool> on = {};
    result outcome_wanted = result::taken;
    std::string name = {};
    std::string target = {};
    event_data value = {};
};

struct expect_word {
    std::string_view word;
    expectation::kind_of what;
    std::string_view takes, help;
};
std::span<const expect_word> expect_words();

/// From the words behind "expect". Throws command_error with the place of the one that is wrong.
expectation understand_expectation(const script_line& line, const player& names);
/// Empty: it is met. Else what is the case instead, and why, in lines.
std::string what_is_unmet(const expectation& e, const player& p);

} // namespace hsm::detail::tool
