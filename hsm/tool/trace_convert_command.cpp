#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

namespace {

struct trace_format {
    std::string_view name, extension;
    void (*write)(trace_reader& from, byte_sink& to);
};
constexpr trace_format formats[] = {
    {"chrome", ".json", &write_chrome_trace},
    {"perfetto", ".pftrace", &write_perfetto_trace},
    {"jsonl", ".jsonl", &write_json_lines},
};

class trace_convert final : public command {
public:
    std::string_view name() const override { return "trace convert"; }
    std::string_view summary() const override { return "convert a trace for other programs"; }
    std::string_view description() const override {
        return "ui.perfetto.dev reads the formats perfetto and chrome; chrome://tracing and speedscope read chrome; jsonl contains one JSON object "
               "per line, for scripts.";
    }
    std::vector<example> examples() const override {
        return {{"trace convert run.trace -o run.pftrace", "for ui.perfetto.dev"},
                {"trace convert run.trace -o run.json", "for chrome://tracing and speedscope"},
                {"trace convert run.trace -o - --to jsonl | jq .kind", "for scripts"}};
    }
    void declare(option_list& takes) override {
        takes.value("-o,--output", "FILE", output_, "Output file; \"-\" is stdout.").required().file();
        takes.choice("--to", "FORMAT", to_, words_in(formats, &trace_format::name),
                     "Output format. Default: by the extension of the output: .json, .pftrace, .jsonl.");
        takes.argument("LOG", file_, "A trace file; \"-\" is stdin.").required().file();
    }
    exit_code run(environment& here) override;

private:
    const trace_format& format() const;

    std::string file_, output_, to_;
};

const trace_format& trace_convert::format() const {
    if (const auto* const found = format_of_output(formats, to_, output_)) return *found;
    throw command_error(fmt::format("the extension of \"{}\" selects no format", output_), "pass --to chrome, --to perfetto or --to jsonl");
}

exit_code trace_convert::run(environment& here) {
    const auto& what = format();
    trace_input input = with_file(file_, [&] { return trace_input(file_, "converting", here); });
    output_file output(output_, here);
    try {
        what.write(input.reader(), output);
    } catch (const trace_error& e) {
        if (e.number() == code::unreadable_trace) output.finish(); // throws the write error
        throw current_error(shown_file(file_));
    }
    output.finish();
    input.report_cut(here);
    return exit_code::fine;
}

} // namespace

owned<command> trace_convert_command() { return make_owned<trace_convert>(); }

} // namespace hsm::detail::tool
