// The commands of live pages, view and watch.

#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

namespace {

constexpr std::uint64_t last_port = 65535;

class view final : public command {
public:
    std::string_view name() const override { return "view"; }
    std::string_view summary() const override { return "show a machine or a trace in the browser"; }
    std::string_view description() const override {
        return "Prints the URL of a page for the browser. A machine, from a file or of this program, runs in real time. On the page, you can send it "
               "events, set its conditions, pause it and ask for explanations. Behavior that no program has registered is simulated. Each line of "
               "stdin is an input of the machine, as in run, or sets a guard or a delay: `guard NAME true`. The line `names` lists the guards and "
               "delays. A file of a machine is reloaded when you save it.\n\n"
               "For a trace, the page shows the states at any moment. The program that wrote the trace is not needed. A log of inputs is replayed "
               "first; only a program that has its chart can do this. The page stores the last 10 million records of a machine, and at most "
               "1 GiB.\n\n"
               "The URL contains a token. Other users of this computer cannot read the page without it. Ctrl-C ends the command.";
    }
    std::vector<example> examples() const override {
        return {{"view monster.xml", "runs the machine; open the URL in a browser"},
                {"view run.trace", "shows a trace"},
                {"view run.trace --port 8000", "uses this port"}};
    }
    void declare(option_list& takes) override {
        takes.value("-p,--port", "N", how_.port, "The port of the page. The default is any free port.");
        takes.value("--seconds", "N", seconds_, "End after this time.");
        takes.choice("--guards", "ANSWER", guards_, {"true", "false"}, "Initial result of simulated guards.");
        takes.value("--machine", "NAME", how_.machine, "The machine of a log. Required if several machines have its chart.");
        declare_file_options(takes, how_.loading);
        takes
            .argument("FILE", how_.file,
                      "A file with a machine, the name of a machine of this program, a trace (\"-\" is stdin), or a log of inputs.")
            .required()
            .file();
    }
    exit_code run(environment& here) override;

private:
    static constexpr double forever = -1;
    view_options how_;
    double seconds_ = forever;
    std::string guards_ = "false";
};

exit_code view::run(environment& here) {
    if (how_.port > last_port) throw command_error("--port takes a number up to 65535");
    if (seconds_ != forever) how_.seconds = seconds_;
    how_.guards = guard_setting_of(guards_).value_or(guard_setting::no);
    return view_file(how_, here);
}

class watch_page_of_program final : public command {
public:
    std::string_view name() const override { return "watch"; }
    std::string_view summary() const override { return "print the machines of a running program that has a live page"; }
    std::string_view description() const override {
        return "Without MACHINE, prints the list of machines with their active states, then a line for each change. With MACHINE, prints the records "
               "of this machine, as trace show does. The program records a machine while it is watched. Ctrl-C ends the command.\n\n"
               "The URL contains a token. Other users of this computer can see the command line in the list of processes, and with it the token. To "
               "avoid this, pass - and write the URL to stdin.";
    }
    std::vector<example> examples() const override {
        return {{"watch 'http://127.0.0.1:40213/#0a1b2c3d'", "the list, and its changes"},
                {"watch 'http://127.0.0.1:40213/#0a1b2c3d' hero --kind transition", "the transitions of one machine"},
                {"watch 'http://127.0.0.1:40213/#0a1b2c3d' --once", "the current list"}};
    }
    void declare(option_list& takes) override {
        takes.flag("--once", how_.once, "Print the list, or the records so far, and end.");
        how_.which.declare_for_one(takes);
        takes.argument("URL", how_.url, "The URL that the program printed, in quotes; \"-\" reads it from stdin.").required();
        takes.argument("MACHINE", how_.machine, "The name of a machine in the list, or its number.");
    }
    exit_code run(environment& here) override {
        if (how_.url == "-" && !here.terminal.read_line(how_.url)) throw command_error("stdin contains no URL");
        return watch_page(how_, here);
    }

private:
    watch_options how_;
};

} // namespace

owned<command> view_command() { return make_owned<view>(); }
owned<command> watch_command() { return make_owned<watch_page_of_program>(); }

} // namespace hsm::detail::tool
