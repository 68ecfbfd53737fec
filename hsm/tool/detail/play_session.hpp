/// A machine that is played at a prompt: does what is said, tells what came of it, and remembers it.
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

    void greet(); ///< what there is to be seen at first
    /// False: the session is over.
    bool handle(std::string_view text, const std::string& file, std::uint32_t line);
    /// Plays a script; each of its tests begins with a fresh machine.
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
        std::vector<answer> answers; ///< to questions that came up
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
    std::vector<answer> answers_; ///< in the step in progress
    std::deque<answer> known_;    ///< when steps are done again
    bool is_repeated_ = false;
    exit_code code_ = exit_code::fine;
    bool unexpected_ = false; ///< something was thrown, and no line has expected it yet
};

/// Ctrl-C: at the prompt it gives up the line, and while ticks go by it stops them. As long as there is one of these.
class interruptions {
public:
    interruptions();
    interruptions(const interruptions&) = delete;
    interruptions& operator=(const interruptions&) = delete;
    ~interruptions();
    static bool none();  ///< none has come since it was taken
    static bool taken(); ///< one has come; it is over then
};

} // namespace hsm::detail::tool
