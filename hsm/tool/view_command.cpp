#include <hsm/tool/detail/live_view.hpp>

namespace hsm::detail::tool {

namespace {

constexpr std::uint64_t last_port = 65535;

class view final : public command {
public:
    std::string_view name() const override { return "view"; }
    std::string_view summary() const override { return "show a trace in the browser"; }
    std::string_view description() const override {
        return "Prints the URL of a page that shows the machines of a trace: their states at any time, the records, and the timeline. The program "
               "that wrote the trace is not needed. The page stores the last 10 million records of a machine, and at most 1 GiB in total.\n\n"
               "The URL contains a token. Other users of this computer cannot read the page without it. Ctrl-C ends the command.";
    }
    std::vector<example> examples() const override {
        return {{"view run.trace", "prints a URL; open it in a browser"}, {"view run.trace --port 8000", "uses this port"}};
    }
    void declare(option_list& takes) override {
        takes.value("-p,--port", "N", how_.port, "The port of the page. The default is any free port.");
        takes.value("--seconds", "N", seconds_, "End after this time.");
        takes.argument("TRACE", how_.file, "A trace file; - is stdin.").required().file();
    }
    exit_code run(environment& here) override;

private:
    static constexpr double forever = -1;
    view_options how_;
    double seconds_ = forever;
};

exit_code view::run(environment& here) {
    if (how_.port > last_port) throw command_error("--port takes a number up to 65535");
    if (seconds_ != forever) how_.seconds = seconds_;
    return view_trace(how_, here);
}

} // namespace

owned<command> view_command() { return make_owned<view>(); }

} // namespace hsm::detail::tool
