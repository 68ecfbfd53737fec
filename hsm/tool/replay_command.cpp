#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/console.hpp>
#include <hsm/tool/detail/input_replay.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/observe/trace_writer.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

#include <optional>

namespace hsm::detail::tool {

namespace {

class replay_log final : public command {
public:
    std::string_view name() const override { return "replay"; }
    std::string_view summary() const override { return "replay a log of inputs, and report differences"; }
    std::string_view description() const override {
        return "This command is for programs with their own machines. It selects the machine that has the chart of the log. It compares the machine "
               "with the log after each keyframe, and after each call for which the log contains states. The exit code is 1 if they differ.";
    }
    std::vector<example> examples() const override {
        return {{"replay run.hsmlog", "compares the replay with the log"},
                {"replay run.hsmlog --frame 1200", "prints the machine before this frame"},
                {"replay run.hsmlog --trace run.trace", "writes a trace, for trace show and trace convert"}};
    }
    void declare(option_list& takes) override {
        takes.value("--machine", "NAME", machine_, "The machine of the log. Required if several machines have its chart.");
        takes.value("--frame", "N", frame_, "Stop before this frame, and print the state of the machine.");
        takes.value("--call", "N", call_, "Stop before this call, and print the state of the machine.");
        takes.value("--trace", "FILE", trace_, "Write a trace of the replay; \"-\" is stdout.").file();
        takes.format(json_);
        takes.argument("LOG", file_, "A log of inputs; \"-\" is stdin.").required().file();
    }
    exit_code run(environment& here) override;

private:
    std::optional<log_difference> play(input_replay& inputs, environment& here) const;
    void print_position(const replay& log, hsm::tool::session& session, environment& here) const;
    exit_code print_result(const replay& log, hsm::tool::session& session, const std::optional<log_difference>& found, environment& here) const;
    bool goes_somewhere() const { return frame_ != nowhere || call_ != nowhere; }

    static constexpr std::uint64_t nowhere = UINT64_MAX;
    std::string file_, machine_, trace_;
    std::uint64_t frame_ = nowhere, call_ = nowhere;
    bool json_ = false;
};

/// Prints the path of each active leaf, "character/move/ground/idle".
void replay_log::print_position(const replay& log, hsm::tool::session& session, environment& here) const {
    std::vector<std::string> leaves;
    for (const auto leaf : session.machine().leaves()) leaves.push_back(leaf.path());
    const auto context = session.describe();
    std::string text;
    if (json_) {
        for (const auto& l : leaves) text += fmt::format("{}{}", text.empty() ? "" : ", ", json_string(l));
        text = fmt::format("{{\"call\": {}, \"frame\": {}, \"active\": [{}]", log.call(), log.frame(), text);
        if (!context.empty()) text += fmt::format(", \"context\": {}", json_string(context));
        text += "}\n";
    } else {
        text = fmt::format("before call {} of {}, frame {} of {}\n", log.call(), log.calls(), log.frame(), log.frames());
        for (const auto& l : leaves) text += fmt::format("  {}\n", here.terminal.painted(style::green, l));
        if (leaves.empty()) text += "  not active\n";
        if (!context.empty()) text += fmt::format("  {}\n", context);
    }
    here.terminal.print(text);
}

exit_code replay_log::print_result(const replay& log, hsm::tool::session& session, const std::optional<log_difference>& found,
                                   environment& here) const {
    if (!found) {
        if (json_)
            here.terminal.print(fmt::format("{{\"equal\": true, \"calls\": {}, \"frames\": {}}}\n", log.calls(), log.frames()));
        else
            here.terminal.print(fmt::format("{} calls, {} frames: the replay equals the log\n", log.calls(), log.frames()));
        return exit_code::fine;
    }
    if (json_) {
        std::string fields;
        for (const auto& d : found->differences)
            fields += fmt::format("{}{{\"field\": {}, \"recorded\": {}, \"now\": {}}}", fields.empty() ? "" : ", ", json_string(d.path),
                                  json_string(d.first), json_string(d.second));
        here.terminal.print(fmt::format("{{\"equal\": false, \"call\": {}, \"frame\": {}, \"keyframe\": {}, \"differences\": [{}]}}\n", found->call,
                                        found->frame, found->keyframe, fields));
    } else {
        here.terminal.print(here.terminal.painted(style::red, found->to_string()) + "\n");
        print_position(log, session, here);
    }
    return exit_code::found;
}

std::optional<log_difference> replay_log::play(input_replay& inputs, environment& here) const {
    if (frame_ != nowhere) return inputs.log().seek_frame(frame_), std::nullopt;
    if (call_ != nowhere) return inputs.log().seek(call_), std::nullopt;
    return inputs.run(here);
}

exit_code replay_log::run(environment& here) {
    return with_file(file_, [&] {
        input_replay inputs(file_, machine_, here);
        auto& session = inputs.session();
        std::optional<output_file> output;
        std::optional<trace_writer> writer;
        attachment traced;
        if (!trace_.empty()) {
            output.emplace(trace_, here);
            writer.emplace(*output, trace_options{.describe_events = true, .name = inputs.known().name()});
            traced = session.machine().attach(*writer);
        }
        const auto found = play(inputs, here);
        traced.detach();
        if (writer && !writer->close()) output->finish(); // throws the write error
        if (output) output->finish();
        if (!goes_somewhere()) return print_result(inputs.log(), session, found, here);
        print_position(inputs.log(), session, here);
        return exit_code::fine;
    });
}

} // namespace

owned<command> replay_command() { return make_owned<replay_log>(); }

} // namespace hsm::detail::tool
