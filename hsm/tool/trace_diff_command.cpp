#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/op/detail/format.hpp>

#include <deque>

namespace hsm::detail::tool {

namespace {

class trace_diff final : public command {
public:
    std::string_view name() const override { return "trace diff"; }
    std::string_view summary() const override { return "find the first difference between two traces or logs of inputs"; }
    std::string_view description() const override {
        return "The command compares the lines that \"trace show\" prints, one by one. Lines contain names, so you can compare traces of two "
               "versions of a chart. Machines are matched by number. The command prints the first difference and the lines around it. Options "
               "that select lines apply to both inputs.";
    }
    std::vector<example> examples() const override {
        return {{"trace diff before.trace after.trace", "the first difference"},
                {"trace diff --kind entered --ignore-times before.trace after.trace", "the first entered state that differs"}};
    }
    void declare(option_list& takes) override {
        which_.declare(takes);
        takes.flag("--ignore-times", ignore_times_, "Ignore differences in times.");
        takes.value("-C,--context", "N", context_, "Number of lines before and after the difference.");
        takes.format(json_);
        takes.argument("FIRST", first_, "A trace file, or a log of inputs.").required().file();
        takes.argument("SECOND", second_, "The other trace file or log.").required().file();
    }
    exit_code run(environment& here) override;

private:
    struct side {
        std::unique_ptr<record_lines> lines;
        record_line line = {};
        bool there = false;
        void step() { there = lines->next(line); }
    };
    bool equal(const record_line& a, const record_line& b) const {
        return a.number == b.number && a.kind == b.kind && (ignore_times_ && is_timed(a.kind) ? true : a.text == b.text) &&
               (ignore_times_ || a.time == b.time);
    }
    /// Returns whether the texts of this kind contain a time.
    static bool is_timed(const std::string& kind) { return kind == "call" || kind == "armed" || kind == "tick" || kind == "update"; }
    static std::string shown(char mark, const record_line& line) {
        return fmt::format("{} {}  {:<10}  {}\n", mark, shown_time(line.time), legible_line(line.machine), legible_line(line.text));
    }
    void print_text(side& a, side& b, const std::deque<std::string>& before, std::uint64_t number, console& terminal) const;
    void print_side(char mark, style look, side& s, console& terminal) const;
    static void print_json(const side& a, const side& b, std::uint64_t number, console& terminal);

    line_filter which_;
    bool ignore_times_ = false, json_ = false;
    std::uint64_t context_ = 3;
    std::string first_, second_;
};

void trace_diff::print_side(char mark, style look, side& s, console& terminal) const {
    for (std::uint64_t i = 0; i <= context_ && s.there; ++i, s.step()) terminal.print(terminal.painted(look, shown(mark, s.line)));
    if (!s.there) terminal.print(terminal.painted(style::faint, fmt::format("{} (its end)\n", mark)));
}

void trace_diff::print_text(side& a, side& b, const std::deque<std::string>& before, std::uint64_t number, console& terminal) const {
    terminal.print(fmt::format("--- {}\n+++ {}\nfirst difference in line {}:\n", legible_line(first_), legible_line(second_), number));
    for (const auto& line : before) terminal.print(line);
    print_side('-', style::red, a, terminal);
    print_side('+', style::green, b, terminal);
}

void trace_diff::print_json(const side& a, const side& b, std::uint64_t number, console& terminal) {
    const auto object = [](const side& s) { return s.there ? json_of(s.line) : "null"; };
    terminal.print(fmt::format("{{\"equal\": false, \"line\": {}, \"first\": {}, \"second\": {}}}\n", number, object(a), object(b)));
}

exit_code trace_diff::run(environment& here) {
    side a{open_lines(first_, which_, here)}, b{open_lines(second_, which_, here)};
    std::deque<std::string> before;
    std::uint64_t number = 0;
    for (;;) {
        a.step();
        b.step();
        ++number;
        if (a.there != b.there || (a.there && !equal(a.line, b.line))) break;
        if (!a.there) {
            here.terminal.print(json_ ? fmt::format("{{\"equal\": true, \"lines\": {}}}\n", number - 1)
                                      : fmt::format("equal: {} lines\n", number - 1));
            return exit_code::fine;
        }
        if (context_ > 0) before.push_back(shown(' ', a.line));
        if (before.size() > context_) before.pop_front();
    }
    if (json_)
        print_json(a, b, number, here.terminal);
    else
        print_text(a, b, before, number, here.terminal);
    return exit_code::found;
}

} // namespace

owned<command> trace_diff_command() { return make_owned<trace_diff>(); }

} // namespace hsm::detail::tool
