#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>
#include <hsm/tool/detail/output_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>

namespace hsm::detail::tool {

namespace {

std::uint64_t size_of(const std::string& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return path == "-" || failed ? 0 : size;
}

std::FILE* opened(const std::string& path, environment& here) {
    if (path == "-") return here.terminal.in();
    require_file(path);
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) refuse_file(path, errno);
    return file;
}

std::int64_t time_of_option(const std::string& text, std::string_view option, std::int64_t otherwise) {
    if (text.empty()) return otherwise;
    const auto time = time_from_text(text);
    if (!time) throw command_error(fmt::format("{} takes a time, but \"{}\" is not a time", option, text), "write a time like 500ms, 1.5s or 2min");
    return time->nanoseconds();
}

} // namespace

trace_input::trace_input(const std::string& path, std::string what, environment& here)
    : path_(path), file_(opened(path, here)), is_ours_(path != "-") {
    shown_.emplace(here.terminal, std::move(what), size_of(path));
    reader_.emplace(*this);
}

trace_input::~trace_input() {
    if (is_ours_) std::fclose(file_);
}

void trace_input::report_cut(environment& here) const {
    if (!reader_->complete()) print_messages({{.kind = message_kind::note, .text = std::string(cut_trace), .where = {path_, 0, 0}}}, here);
}

std::size_t trace_input::read(void* to, std::size_t most) {
    const auto count = std::fread(to, 1, most, file_);
    shown_->reach(done_ += count);
    return count;
}

recording recording_in(const std::string& path) {
    if (path == "-") return recording::none;
    require_file(path);
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) refuse_file(path, errno);
    char bytes[trace_magic.size()] = {};
    const std::string_view front(bytes, std::fread(bytes, 1, sizeof bytes, file));
    std::fclose(file);
    return front == trace_magic ? recording::trace : front.starts_with("hsml") ? recording::log : recording::none;
}

void line_filter::declare(option_list& takes) {
    takes.value("-m,--machine", "NAME", machines, "Only records of this machine, by its name or its number. Repeatable.");
    declare_for_one(takes);
}

void line_filter::declare_for_one(option_list& takes) {
    takes.value("-k,--kind", "KIND", kinds, "Only records of this kind, such as entered, transition or event. Repeatable.");
    takes.value("-s,--state", "PATH", states, "Only records of this state or its descendants. Repeatable.");
    takes.value("--from", "TIME", from, "Only records at or after this time of the machine's clock: 500ms, 1.5s, 2min.");
    takes.value("--to", "TIME", to, "Only records up to and including this time.");
}

line_filter::range line_filter::times() const {
    return {time_of_option(from, "--from", std::numeric_limits<std::int64_t>::min()),
            time_of_option(to, "--to", std::numeric_limits<std::int64_t>::max())};
}

bool line_filter::selects_machine(std::string_view name, std::size_t number) const {
    const auto is_it = [&](const std::string& wanted) { return wanted == name || wanted == std::to_string(number); };
    return machines.empty() || std::ranges::any_of(machines, is_it);
}

bool line_filter::selects_kind(std::string_view kind) const { return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end(); }

std::unique_ptr<record_lines> open_lines(const std::string& path, const line_filter& which, environment& here) {
    return recording_in(path) == recording::log ? input_lines(path, which, here) : trace_lines(path, which, here);
}

std::string shown_time(std::int64_t nanoseconds) { return fmt::format("{:12.6f}", static_cast<double>(nanoseconds) / 1e9); }

std::string json_of(const record_line& line) {
    return fmt::format("{{\"machine\": {}, \"time\": {}, \"kind\": \"{}\", \"text\": {}}}", json_string(line.machine), line.time, line.kind,
                       json_string(line.text));
}

std::string shown_line(const record_line& line, bool with_machine, const console& terminal) {
    const auto machine = with_machine ? fmt::format("  {:<10}", legible_line(line.machine)) : std::string();
    return fmt::format("{}{}  {:{}}{}\n", terminal.painted(style::faint, shown_time(line.time)), machine, "", 2 * line.depth,
                       terminal.painted(line.look, legible_line(line.text)));
}

} // namespace hsm::detail::tool
