/// An interactive session, and its texts about the played machine.
#pragma once

#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/player.hpp>
#include <hsm/tool/detail/script.hpp>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// Colors text if a console is set.
class painter {
public:
    painter() = default;
    explicit painter(const console& to) : to_(&to) {}
    std::string operator()(style how, std::string_view text) const { return to_ ? to_->painted(how, text) : std::string(text); }

private:
    const console* to_ = nullptr;
};

/// Returns the active leaves without the root's name: "alive/search", "fight/legs/run, fight/arms/swing".
std::string text_of_active(const player& p);
/// Returns the shortest unambiguous name of the state, or the name of the root.
std::string text_of_state(const player& p, std::uint32_t state);
/// Returns a line for each happening of the last step; empty if there were none.
std::string text_of_step(const player& p, const painter& paint = {});
/// Returns all states, one per line. Active states are marked.
std::string text_of_tree(const player& p, const painter& paint = {});
/// Returns the tree with transitions, guards and hooks.
std::string text_of_whole_tree(const player& p, const console& to);
/// Returns the possible transitions, by event, tick and delay, with the guards that would have to be true.
std::string text_of_possible(const player& p, const painter& paint = {});
/// Explains what a tick would do, and which transitions are not possible.
std::string explained(const player& p);
/// Returns a line for each transition whose delay has not passed.
std::string delays_not_due(const player& p);
/// Explains an event, by its number or, for a document, by its name. Empty if the event carries data.
std::string explained(const player& p, std::uint32_t event, const std::string& name);
/// Returns the ways into the state, each with what is missing.
std::string why_not_there(const player& p, state_view s);
std::string text_of_data(const player& p, std::string_view name);      ///< of an SCXML document: all data, or that named `name`
std::string text_of_log(const happening& h);                           ///< "label: text"
std::string text_of_names(const player& p, const painter& paint = {}); ///< simulated guards and delays, bits and events, with their values

/// Returns the effect of a reload on the machine, and what was lost.
std::string text_of_reload(const reload_report& report, const std::string& file);

std::string indented(std::string_view lines, std::size_t by);

/// Executes typed lines, prints the results and keeps a history for `undo` and `save`.
class play_session final : private player::guard_answerer {
public:
    play_session(machine_to_play& what, environment& here, guard_setting guards);

    void greet(); ///< prints the machine's state and the first steps
    /// Executes a line. Returns false if the session has ended.
    bool handle(std::string_view text, const std::string& file, std::uint32_t line);
    /// Reloads a watched file if it has changed, and prints the effect or the errors. The history begins again. Returns whether it has printed.
    bool reload();
    /// Runs a script. Each of its tests begins with a fresh machine.
    void play(const std::string& path);
    std::string prompt() const; ///< "alive/search> "
    exit_code code() const { return unexpected_ ? exit_code::found : code_; }
    player& played() { return player_; }

private:
    struct answer {
        std::string guard;
        bool yes;
        guard_setting after;
    };
    struct entry {
        play_command command;
        std::vector<answer> answers; ///< to the guards that were asked interactively
    };

    bool do_it(play_command c);
    void step(play_command c);
    void shorten(play_command& c) const;
    void print_step(const play_command& c);
    void print_next();
    void print_why(const std::string& text);
    bool is_at_terminal() const;
    void look(const play_command& c);
    void undo();
    void again(entry& e);
    void save(const std::string& path);
    void load(const std::string& path);
    void help(const std::string& about);
    void history();
    void fail(const std::vector<message>& all);
    void update_exit_code(const play_command& c);
    void print(std::string_view text) { here_.terminal.print(text); }
    bool ask(const simulated_name& guard) override;

    machine_to_play& what_;
    environment& here_;
    painter paint_;
    player player_;
    std::vector<entry> done_;
    std::vector<answer> answers_; ///< of the step in progress
    std::deque<answer> known_;    ///< while steps are repeated
    bool is_repeated_ = false;
    exit_code code_ = exit_code::fine;
    bool unexpected_ = false; ///< a hook threw, and no line has expected it yet
};

} // namespace hsm::detail::tool
