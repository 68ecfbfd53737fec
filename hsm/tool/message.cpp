#include <hsm/tool/detail/message.hpp>

#include <hsm/compile/definition_error.hpp>
#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/observe/coverage_error.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>
#include <new>

namespace hsm::detail::tool {

namespace {

std::string_view word(message_kind kind) {
    constexpr std::string_view words[] = {"error", "warning", "note"};
    return words[static_cast<std::size_t>(kind)];
}

style style_of(message_kind kind) {
    constexpr style styles[] = {style::red, style::yellow, style::cyan};
    return styles[static_cast<std::size_t>(kind)];
}

/// Returns whether the error concerns the file itself, which is missing or has another format.
bool is_failure(code c) {
    switch (c) {
    case code::unreadable_file:
    case code::large_file:
    case code::unreadable_trace:
    case code::not_a_trace:
    case code::trace_version:
    case code::not_a_log:
    case code::no_drawing:
    case code::no_graphviz:
    case code::failed_graphviz: return true;
    default: return false;
    }
}

/// Indents continuation lines. Names in the text are untrusted, so only the first line may look like a message.
std::string lines_of_message(std::string_view text) {
    const auto clean = legible(text);
    std::string out;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        out += clean[i];
        if (clean[i] == '\n' && clean.substr(i + 1, 1) != " ") out += "    ";
    }
    return out;
}

template <class Paint> std::string written(const message& m, std::string_view program, Paint paint) {
    const auto place = legible_line(m.where.to_string());
    auto text = fmt::format("{} {} ", paint(style::bold, fmt::format("{}:", place.empty() ? program : place)),
                            paint(style_of(m.kind), fmt::format("{}:", word(m.kind))));
    if (!m.state.empty()) text += fmt::format("{}: ", legible_line(m.state));
    text += lines_of_message(m.text);
    if (m.code) text += fmt::format(" {}", paint(style::faint, fmt::format("[{}]", hsm::to_string(*m.code))));
    text += '\n';
    if (!m.hint.empty()) text += fmt::format("    {}\n", lines_of_message(m.hint));
    return text;
}

} // namespace

message message_of(const finding& f) {
    return {f.severity() == severity::error ? message_kind::error : message_kind::warning, f.problem, f.hint, f.where, f.code, f.path};
}

message message_of(const load_problem& p) {
    return {p.is_warning() ? message_kind::warning : message_kind::error, p.problem, p.hint, p.where, p.code};
}

std::string to_string(const message& m, std::string_view program) {
    return written(m, program, [](style, std::string text) { return text; });
}

std::string to_string(const message& m, std::string_view program, const console& colors, bool to_stderr) {
    return written(m, program, [&](style how, std::string text) { return to_stderr ? colors.painted_err(how, text) : colors.painted(how, text); });
}

std::string to_json(const message& m) {
    auto text = fmt::format("{{\"severity\": \"{}\"", word(m.kind));
    if (m.code) text += fmt::format(", \"code\": \"{}\"", hsm::to_string(*m.code));
    if (!m.where.file.empty()) text += fmt::format(", \"file\": {}", json_string(m.where.file));
    if (m.where.line) text += fmt::format(", \"line\": {}", m.where.line);
    if (m.where.column) text += fmt::format(", \"column\": {}", m.where.column);
    if (!m.state.empty()) text += fmt::format(", \"state\": {}", json_string(m.state));
    text += fmt::format(", \"message\": {}", json_string(m.text));
    if (!m.hint.empty()) text += fmt::format(", \"hint\": {}", json_string(m.hint));
    return text + '}';
}

std::string count_of(const std::vector<message>& all) {
    const auto count = [&](message_kind kind) { return std::ranges::count(all, kind, &message::kind); };
    const auto counted = [](auto n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    const auto errors = count(message_kind::error), warnings = count(message_kind::warning);
    if (errors && warnings) return fmt::format("{} and {}", counted(errors, "error"), counted(warnings, "warning"));
    if (errors) return counted(errors, "error");
    return warnings ? counted(warnings, "warning") : std::string();
}

exit_code exit_code_for(const std::vector<message>& all) {
    const bool failed = std::ranges::any_of(all, [](const message& m) { return m.kind == message_kind::error && m.code && is_failure(*m.code); });
    if (failed) return exit_code::failed;
    return std::ranges::any_of(all, [](const message& m) { return m.kind != message_kind::note; }) ? exit_code::found : exit_code::fine;
}

command_error::command_error(std::string text, std::string hint, exit_code code)
    : command_error(std::vector<message>{{.text = std::move(text), .hint = std::move(hint)}}, code) {}

command_error::command_error(std::vector<message> all, exit_code code)
    : std::runtime_error(all.empty() ? std::string() : all.front().text), messages_(std::move(all)), code_(code) {}

command_error current_error(const std::string& file) {
    std::vector<message> all;
    try {
        throw;
    } catch (const command_error& e) {
        return e;
    } catch (const load_error& e) {
        for (const auto& p : e.problems()) all.push_back(message_of(p));
    } catch (const definition_error& e) {
        for (const auto& f : e.findings()) all.push_back(message_of(f));
    } catch (const trace_error& e) {
        all.push_back({.text = e.problem(), .hint = e.hint(), .where = {file, 0, 0}, .code = e.number()});
    } catch (const draw_error& e) {
        all.push_back({.text = e.problem(), .hint = e.hint(), .where = {file, 0, 0}, .code = e.number()});
    } catch (const coverage_error& e) {
        all.push_back({.text = e.problem(), .hint = e.hint(), .where = {file, static_cast<std::uint32_t>(e.line()), 0}, .code = e.number()});
    } catch (const run_error& e) {
        all.push_back(message_of(e.report()));
        if (all.back().where.file.empty()) all.back().where.file = file;
    } catch (const std::bad_alloc&) {
        return command_error("out of memory");
    } catch (const std::exception& e) {
        all.push_back({.text = e.what(), .where = {file, 0, 0}});
        return {std::move(all), exit_code::failed};
    }
    const auto code = exit_code_for(all);
    return {std::move(all), code};
}

} // namespace hsm::detail::tool
