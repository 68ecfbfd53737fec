#include <hsm/tool/detail/command_line.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/version.hpp>

namespace hsm::detail::tool {

namespace {

/// Escapes text for roff: control characters at the beginning of lines, and dashes, which would otherwise become hyphens.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (auto& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::string chapter_of(const std::string& program, const declared_command& c) {
    auto text = fmt::format(".SS {}\n.B {}\n.PP\n", escaped(c.what->name()), escaped(usage_of(program, c)));
    text += fmt::format("{}.\n", escaped(capital(c.what->summary())));
    for (const auto p : paragraphs_of(c.what->description())) text += fmt::format(".PP\n{}\n", escaped(p));
    for (const auto& o : c.takes.all()) text += fmt::format(".TP\n.B {}\n{}\n", escaped(shown_names(o)), escaped(o.help + shown_values(o)));
    for (const auto& e : c.what->examples())
        text += fmt::format(".PP\nExample: {}\n.RS\n.nf\n{} {}\n.fi\n.RE\n", escaped(e.purpose), escaped(program), escaped(e.arguments));
    return text;
}

std::string manual_of(const std::string& program, const std::vector<declared_command>& commands) {
    auto text = fmt::format(".TH {} 1 \"\" \"hsm {}.{}.{}\"\n.SH NAME\n{} \\- check, draw, play and trace hierarchical state machines\n",
                            upper(program), HSM_VERSION / 10000, HSM_VERSION / 100 % 100, HSM_VERSION % 100, escaped(program));
    text +=
        fmt::format(".SH SYNOPSIS\n.B {0}\n.I command\n[option]... [file]...\n.br\n.B {0} \\-\\-help\n.br\n.B {0} \\-\\-version\n", escaped(program));
    text += ".SH COMMANDS\n";
    for (const auto& c : commands) text += chapter_of(program, c);
    text += ".SH EXIT STATUS\n0 if no problem was found; 1 if a file has an error, if two inputs differ, or if a test failed; 2 if the command "
            "could not do its work: the command line is invalid, or a file cannot be read or written.\n";
    text += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set and not empty, the output has no colors. Only output to a terminal has colors.\n";
    return text;
}

class manual final : public command {
public:
    std::string_view name() const override { return "manual"; }
    std::string_view summary() const override { return "print the man page"; }
    std::vector<example> examples() const override { return {{"manual | man -l -", "shows the man page even if it is not installed"}}; }
    void declare(option_list&) override {}
    exit_code run(environment& here) override {
        here.terminal.print(manual_of(here.program, tool::declare(all_commands())));
        return exit_code::fine;
    }
};

} // namespace

owned<command> manual_command() { return make_owned<manual>(); }

} // namespace hsm::detail::tool
