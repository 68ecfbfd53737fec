#include <hsm/tool/detail/command_line.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/command.hpp>

#include <algorithm>
#include <set>

namespace hsm::detail::tool {

namespace {

constexpr std::size_t most_columns = 100;

/// Wraps `text` at `most_columns`. All lines but the first are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string out;
    std::size_t column = indent;
    while (!text.empty()) {
        const auto space = text.find(' ');
        const auto word = text.substr(0, space);
        if (column > indent && column + 1 + word.size() > most_columns) {
            out += fmt::format("\n{:{}}", "", indent);
            column = indent;
        }
        if (column > indent) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        text.remove_prefix(space == text.npos ? text.size() : space + 1);
    }
    return out;
}

struct row {
    std::string name, text;
};

std::string table(const std::vector<row>& rows) {
    std::size_t width = 0;
    for (const auto& r : rows)
        if (r.name.size() <= 28) width = std::max(width, r.name.size());
    std::string out;
    for (const auto& r : rows) {
        const bool own_line = r.name.size() > width; // the text begins on the next line
        out += own_line ? fmt::format("  {}\n{:{}}", r.name, "", width + 4) : fmt::format("  {:{}}  ", r.name, width);
        out += wrapped(r.text, width + 4) + '\n';
    }
    return out;
}

std::string first_word(std::string_view name) { return std::string(name.substr(0, name.find(' '))); }

} // namespace

std::vector<std::string_view> paragraphs_of(std::string_view text) {
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const auto end = text.find("\n\n");
        all.push_back(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 2);
    }
    return all;
}

std::string capital(std::string_view text) {
    std::string out(text);
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

std::string shown_names(const option& o) {
    std::string names;
    for (const char c : o.names) names += c == ',' ? std::string(", ") : std::string(1, c);
    return o.value.empty() ? names : fmt::format("{} {}", names, o.value);
}

std::string shown_values(const option& o) {
    if (o.choices.empty()) return {};
    const auto* const chosen = std::get_if<std::string*>(&o.to);
    const auto list = joined(o.choices, ", ");
    return chosen && !(*chosen)->empty() ? fmt::format(" One of: {} (default: {}).", list, **chosen) : fmt::format(" One of: {}.", list);
}

std::string usage_of(const std::string& program, const declared_command& c) {
    auto text = fmt::format("{} {}", program, c.what->name());
    if (std::ranges::any_of(c.takes.all(), [](const option& o) { return !o.is_argument(); })) text += " [option]...";
    for (const auto& o : c.takes.all()) {
        if (!o.is_argument()) continue;
        const auto name = o.names + (o.is_repeated() ? "..." : "");
        text += o.is_required ? fmt::format(" {}", name) : fmt::format(" [{}]", name);
    }
    return text;
}

std::string help_of(const std::string& program, const declared_command& c) {
    auto text = fmt::format("usage: {}\n\n{}.\n", usage_of(program, c), capital(c.what->summary()));
    for (const auto p : paragraphs_of(c.what->description())) text += '\n' + wrapped(p, 0) + '\n';
    std::vector<row> arguments, options;
    for (const auto& o : c.takes.all()) (o.is_argument() ? arguments : options).push_back({shown_names(o), o.help + shown_values(o)});
    options.push_back({"-h, --help", "Print this text."});
    if (!arguments.empty()) text += "\narguments:\n" + table(arguments);
    text += "\noptions:\n" + table(options);
    const auto examples = c.what->examples();
    if (!examples.empty()) text += "\nexamples:\n";
    for (const auto& e : examples) text += fmt::format("  {} {}\n      {}\n", program, e.arguments, e.purpose);
    return text + "\nexit code: 0 if no problem was found; 1 if a problem was found; 2 if the command could not do its work.\n";
}

std::string help_of_group(const std::string& program, std::string_view word, const std::vector<declared_command>& commands) {
    std::vector<row> rows;
    for (const auto& c : commands)
        if (first_word(c.what->name()) == word) rows.push_back({std::string(c.what->name()), std::string(c.what->summary())});
    return fmt::format("usage: {0} {1} <command> [option]...\n\n{2}.\n\ncommands:\n{3}\n{0} {1} <command> --help describes a command.\n", program,
                       word, capital(summary_of_group(word)), table(rows));
}

std::string help_of_all(const std::string& program, const std::vector<declared_command>& commands) {
    std::vector<row> rows;
    std::set<std::string> seen;
    for (const auto& c : commands) {
        const auto word = first_word(c.what->name());
        if (!seen.insert(word).second) continue;
        const auto group = summary_of_group(word);
        rows.push_back({word, std::string(group.empty() ? c.what->summary() : group)});
    }
    return fmt::format("usage: {0} <command> [option]... [file]...\n\nCheck, draw, play and trace hierarchical state machines.\n\ncommands:\n{1}\n"
                       "options:\n{2}\n{0} <command> --help describes a command.\n",
                       program, table(rows), table({{"-h, --help", "Print this text."}, {"-V, --version", "Print the version of hsm."}}));
}

} // namespace hsm::detail::tool
