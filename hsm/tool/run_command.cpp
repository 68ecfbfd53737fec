#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/play_session.hpp>

#include <chrono>
#include <cstdio>
#include <optional>

namespace hsm::detail::tool {

namespace {

class run_machine final : public command {
public:
    std::string_view name() const override { return "run"; }
    std::string_view summary() const override { return "play a machine with events and time"; }
    std::string_view description() const override {
        return "Plays the machine in a file, or a machine of the program, at a prompt. `help` lists the commands. Behavior that the file names, "
               "but that no program has registered, is simulated: guards ask you or use the results that you set; hooks and actions report that they "
               "run.\n\n"
               "From a pipe or a file, the command reads the same lines without a prompt, and guards that you have not set are false.";
    }
    std::vector<example> examples() const override {
        return {{"run monster.xml", "plays the machine at a prompt"},
                {"run monster.xml --script hunts.hsmtest", "plays a script, and shows what happens"},
                {"run monster.xml --watch", "reloads the machine when you save the file"},
                {"run monster.xml --guards false", "guards are false until you set them"}};
    }
    void declare(option_list& takes) override {
        takes.argument("FILE", file_, "A file with a machine, or the name of a machine of this program.").required().machine_file();
        takes.value("-s,--script", "SCRIPT", script_, "Play this script instead of typed commands.").file();
        takes.flag("-w,--watch", watch_, "Reload the file when it changes. The machine keeps its active states; a file with errors changes nothing.");
        takes.choice("--guards", "ANSWER", guards_, {"ask", "true", "false"},
                     "Initial result of simulated guards. At a terminal, \"ask\" is the default.");
        declare_file_options(takes, how_);
    }
    exit_code run(environment& here) override;

private:
    guard_setting guards(const environment& here) const {
        if (const auto chosen = guard_setting_of(guards_)) return *chosen;
        return script_.empty() && here.terminal.in_is_terminal() ? guard_setting::ask : guard_setting::no;
    }
    void converse(play_session& session, environment& here) const;
    void wait_for_line(play_session& session, environment& here) const;

    std::string file_, script_, guards_;
    bool watch_ = false;
    file_options how_;
};

exit_code run_machine::run(environment& here) {
    if (file_ == "-" && script_.empty()) throw command_error("stdin cannot contain both the machine and the commands", "pass a file, or a --script");
    machine_to_play what(file_, how_, here);
    if (watch_) what.watch();
    print_messages(what.warnings(), here);
    std::optional<interruptions> caught;
    if (here.terminal.in_is_terminal()) caught.emplace();
    play_session session(what, here, guards(here));
    if (script_.empty())
        converse(session, here);
    else
        session.play(script_);
    return session.code();
}

/// At a terminal, reloads the file also while no line is typed.
void run_machine::wait_for_line(play_session& session, environment& here) const {
    if (!watch_ || !here.terminal.in_is_terminal()) return;
    while (!here.terminal.waits_for_input(std::chrono::milliseconds(200)))
        if (session.reload()) {
            here.terminal.print('\n' + session.prompt());
            here.terminal.flush();
        }
}

void run_machine::converse(play_session& session, environment& here) const {
    const bool at_terminal = here.terminal.in_is_terminal() && here.terminal.out_is_terminal();
    session.greet();
    std::string line;
    for (std::uint32_t number = 1;; ++number) {
        if (at_terminal) here.terminal.print('\n' + session.prompt());
        if (!here.terminal.flush()) return;
        wait_for_line(session, here);
        const bool read = interruptions::none() && here.terminal.read_line(line);
        if (here.terminal.in_is_terminal() && interruptions::taken()) { // Ctrl-C discards the line
            std::clearerr(here.terminal.in());
            here.terminal.print("\n");
            continue;
        }
        if (read) session.reload();
        if (!read || !session.handle(line, "(stdin)", number)) break;
    }
    if (at_terminal) here.terminal.print("\n");
}

} // namespace

owned<command> run_command() { return make_owned<run_machine>(); }

} // namespace hsm::detail::tool
