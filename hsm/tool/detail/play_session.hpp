/// An interactive session: executes typed lines, prints the results and keeps a history for `undo` and `save`.
#pragma once

#include <hsm/tool/detail/play_command.hpp>
#include <hsm/tool/detail/play_text.hpp>

#include <deque>
#include <string>
#include <vector>

namespace hsm::detail::tool {

class play_session final : private player::oracle {
public:
    play_session(const machine_to_play& what, surroundings& here, guard_setting guards);

    void greet(); ///< prints the machine's state and the first steps
    /// Executes a line. Returns false if the session has ended.
    bool handle(std::string_view text, const std::string& file, std::uint32_t line);
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
    void tell_step(const play_command& c);
    void tell_next();
    void tell_why(const std::string& text);
    bool is_at_terminal() const;
    void look(const play_command& c);
    void undo();
    void again(entry& e);
    void save(const std::string& path);
    void load(const std::string& path);
    void help(const std::string& about);
    void history();
    void fail(const std::vector<message>& all);
    void note_thrown(const play_command& c);
    void print(std::string_view text) { here_.terminal.print(text); }
    bool ask(const simulated_name& guard) override;

    const machine_to_play& what_;
    surroundings& here_;
    painter paint_;
    player player_;
    std::vector<entry> done_;
    std::vector<answer> answers_; ///< of the step in progress
    std::deque<answer> known_;    ///< while steps are repeated
    bool is_repeated_ = false;
    exit_code code_ = exit_code::fine;
    bool unexpected_ = false; ///< a hook threw, and no line has expected it yet
};

/// Handles Ctrl-C during its lifetime: at the prompt it discards the line, during ticks it stops them. At most one object can exist.
class interruptions {
public:
    interruptions();
    interruptions(const interruptions&) = delete;
    interruptions& operator=(const interruptions&) = delete;
    ~interruptions();
    static bool none();  ///< no Ctrl-C since the last `taken`
    static bool taken(); ///< whether Ctrl-C was pressed; resets it
};

} // namespace hsm::detail::tool
