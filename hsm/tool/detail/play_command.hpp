/// The commands at the prompt of `run` and in scripts: one table and one parser. docs/reference/script_format.md describes them.
#pragma once

#include <hsm/tool/detail/expectation.hpp>
#include <hsm/tool/detail/player.hpp>
#include <hsm/tool/detail/script_words.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

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
play_command understand_line(script_line line, const player& names);

/// Executes an input or a setting; no other commands. Throws the exceptions of the player. If `goes_on` is not null, it is called before each tick;
/// false ends the ticks.
void perform(const play_command& c, player& p, bool (*goes_on)() = nullptr);

} // namespace hsm::detail::tool
