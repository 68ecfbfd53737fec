/// The language of scripts and of the prompt of `run`: inputs of a machine, settings, queries and expectations, one per line.
/// docs/reference/script_format.md describes it.
#pragma once

#include <hsm/define/event_data.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/tool/detail/player.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

struct script_word {
    std::string text;
    std::uint32_t column = 0; ///< in characters, from 1
    bool is_quoted = false;
};

struct script_line {
    std::vector<script_word> words; ///< the first one is the command
    file_position where;            ///< of the first word
    std::string text;               ///< the line without comment and surrounding blanks
};

/// Splits a line of a script or of the prompt into words. "#" at the beginning of a word begins a comment. Quoted text is one word. Returns no words
/// for an empty line. Throws command_error with the position if a quote is not closed or the line is not valid text.
script_line split_words(std::string_view text, const std::string& file, std::uint32_t line);

/// Returns the name as one word of a line, quoted if needed.
std::string quoted_if_needed(std::string_view name);

/// An expectation in a script, about the active states or about the last step.
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
expectation parse_expectation(const script_line& line, const player& names);
/// Returns an empty text if the expectation is met, otherwise lines with the actual state and the reason.
std::string what_is_unmet(const expectation& e, const player& p);

/// The commands at the prompt of `run` and in scripts.
enum class verb : std::uint8_t {
    nothing, ///< an empty line
    // Inputs of the machine.
    event,
    tick,
    set,
    clear,
    pulse,
    finish,
    release,
    force,
    start,
    restart,
    // Settings of simulated behavior.
    guard,
    delay,
    // Tests.
    expect,
    test,
    // Queries.
    possible,
    explain,
    why,
    tree,
    path,
    data,
    names,
    history,
    trace,
    // The session.
    undo,
    save,
    load,
    help,
    quit,
};

struct play_word {
    std::string_view word;
    verb what;
    std::string_view takes; ///< for help: "NAME [FIELD=VALUE]..."
    std::string_view help;
};
/// In the order of help.
std::span<const play_word> play_words();
bool is_input(verb v); ///< an input of the machine, whose step can evaluate guards
bool is_setting(verb v);

/// A parsed line. All names in it exist.
struct play_command {
    verb what = verb::nothing;
    script_line line;
    std::uint32_t number = record::no_number; ///< of an event
    std::string name;                         ///< of an event of a document, a condition, a guard, a delay, a test or a file; for a state: its path
    std::vector<written_field> fields;
    time_span time;
    std::uint32_t times = 1;
    bool on = true;
    guard_setting setting = guard_setting::no;
    expectation expected;
};

/// Parses a line. `names` has the chart and the simulated names. Throws command_error with the position of the wrong word.
play_command parse_command(script_line line, const player& names);

/// Executes an input or a setting; no other commands. Throws the exceptions of the player. If `goes_on` is not null, it is called before each tick;
/// false ends the ticks.
void perform(const play_command& c, player& p, bool (*goes_on)() = nullptr);

struct script_test {
    std::string name;
    file_position where;
    std::vector<play_command> commands;
};

/// A script without a line `test` is a single test with the script's name.
struct script {
    std::string file;
    std::vector<play_command> before; ///< the lines above the first test; every test begins with them
    std::vector<script_test> tests;
};

/// Parses a script. All names in the result exist. Throws command_error with all problems and their positions.
script read_script(const std::string& text, const std::string& file, const player& names);

/// Executes a line of a script: an input, a setting or an expectation. Starts the machine before the first line that needs it. Returns an empty list,
/// or the unmet expectation or impossible step.
std::vector<message> play_line(const play_command& c, player& p, bool (*goes_on)() = nullptr);

/// Returns whether the command requires a started machine.
bool needs_start(verb v);

/// Runs a test with a fresh machine. Returns the problems of the first line that fails; the remaining lines are not executed.
std::vector<message> run_test(const script& s, const script_test& test, player& p);

} // namespace hsm::detail::tool
