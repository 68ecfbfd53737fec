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
    how_.guards = guards_ == "true" ? guard_setting::yes : guard_setting::no;
    return view_file(how_, here);
}

} // namespace

owned<command> view_command() { return make_owned<view>(); }

} // namespace hsm::detail::tool
