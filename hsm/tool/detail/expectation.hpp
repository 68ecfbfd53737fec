/// An expectation in a script, about the active states or about the last step.
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
        in,         ///< all of `states` are active
        entered,    ///< `states` were entered in the last step
        exited,     ///< `states` were exited in the last step
        transition, ///< a transition from states[0] to states[1], or without a target; `event`
        bit,        ///< condition `name` is `on`
        ran,        ///< hook or action `name` ran
        asked,      ///< guard `name` was evaluated, with result `on` if it is set
        outcome,    ///< the result of the last step
        possible,   ///< an event would be taken now
        nothing,    ///< no state was exited or entered, no transition was taken
        finished,   ///< the machine has finished
        held,       ///< a transition waits for a holding state
        deferred,   ///< `event` was deferred
        dropped,    ///< `event` was dropped
        refused,    ///< a transition of lower priority was refused
        thrown,     ///< a hook threw
        logged,     ///< an SCXML document logged `name`, a label or a text
        sent,       ///< an event `name` was sent, to `target` if it is set
        error,      ///< an error event was raised, with `name` if it is set
        data,       ///< the data `name` of an SCXML document, with `value` if it is set
    } kind = nothing;
    bool wanted = true; ///< false for "not"
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

/// Parses the words after "expect". Throws command_error with the position of the wrong word.
expectation understand_expectation(const script_line& line, const player& names);
/// Returns an empty text if the expectation is met, otherwise lines with the actual state and the reason.
std::string what_is_unmet(const expectation& e, const player& p);

} // namespace hsm::detail::tool
