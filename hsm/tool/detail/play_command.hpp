/// What can be said at the prompt of `run`, and in scripts: one table, and one reader. docs/reference/script_format.md describes it.
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
    // What comes in.
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
    // What simulated behaviour does.
    guard,
    delay,
    // What a test says.
    expect,
    test,
    // What is looked at.
    possible,
    explain,
    why,
    tree,
    path,
    data,
    names,
    history,
    trace,
    // The session itself.
    undo,
    save,
    load,
    help,
    quit,
};

struct play_word {
    std::string_view word;
    verb what;
    std::string_view takes; ///< for people: "NAME [FIELD=VALUE]..."
    std::string_view help;
};
/// In the order of help.
std::span<const play_word> play_words();
bool is_input(verb v); ///< something that comes into the machine; its answers depend on it
bool is_setting(verb v);

/// A line that has been understood: all names in it are known.
struct play_command {
    verb what = verb::nothing;
    script_line line;
    std::uint32_t number = record::no_number; ///< of an event
    std::string name;                         ///< of an event of a document; of a state: its path; of a condition, a guard, a delay, a test, a file
    std::vector<written_field> fields;
    time_span time;
    std::uint32_t times = 1;
    bool on = true;
    guard_setting setting = guard_setting::no;
    expectation expected;
};

/// Throws command_error, with the place of the word that is wrong. `names`: whose chart and simulated names are meant.
play_command understand_line(script_line line, const player& names);

/// Does what comes in, or what is set. Not for the others. Throws what the player throws.
/// `goes_on`, if there is one, is asked before each tick.
void perform(const play_command& c, player& p, bool (*goes_on)() = nullptr);

} // namespace hsm::detail::tool
