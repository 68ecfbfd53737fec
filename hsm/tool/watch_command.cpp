#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

namespace {

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

owned<command> watch_command() { return make_owned<watch_page_of_program>(); }

} // namespace hsm::detail::tool
