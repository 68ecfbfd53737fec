#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/record_lines.hpp>

namespace hsm::detail::tool {

namespace {

class trace_show final : public command {
public:
    std::string_view name() const override { return "trace show"; }
    std::string_view summary() const override { return "print a trace, or a log of inputs, line by line"; }
    std::string_view description() const override {
        return "Each line begins with the time of the machine's clock in seconds. Records inside a call are indented.\n\n"
               "For a log of inputs, the command prints the calls and the lengths of ticks. Only a program with the chart can print names "
               "instead of numbers.";
    }
    std::vector<example> examples() const override {
        return {{"trace show run.trace", "all of it"},
                {"trace show run.trace --kind transition --state attack", "the transitions into, out of and inside that state"},
                {"trace show run.trace --from 12s --to 13.5s --format json", "a part, as one JSON object per line"}};
    }
    void declare(option_list& takes) override {
        which_.declare(takes);
        takes.value("-n,--lines", "N", most_, "Only the first N lines.");
        takes.format(json_);
        takes.argument("LOG", file_, "A trace file or a log of inputs. \"-\" reads a trace from stdin.").required().file();
    }
    exit_code run(environment& here) override;

private:
    line_filter which_;
    std::uint64_t most_ = UINT64_MAX;
    bool json_ = false;
    std::string file_;
};

exit_code trace_show::run(environment& here) {
    const auto lines = open_lines(file_, which_, here);
    record_line line;
    std::uint64_t count = 0;
    while (count < most_ && lines->next(line)) {
        here.terminal.print(json_ ? json_of(line) + '\n' : shown_line(line, lines->has_several_machines(), here.terminal));
        if (here.terminal.error() != 0) return exit_code::failed; // the reader has closed the pipe
        ++count;
    }
    const auto remark = count < most_ ? lines->remark() : std::string();
    if (!remark.empty()) print_messages({{.kind = message_kind::note, .text = remark, .where = {file_, 0, 0}}}, here);
    if (count == 0 && !which_.is_empty())
        print_messages({{.kind = message_kind::note, .text = "no record matches the options", .where = {file_, 0, 0}}}, here);
    return exit_code::fine;
}

} // namespace

owned<command> trace_show_command() { return make_owned<trace_show>(); }

} // namespace hsm::detail::tool
