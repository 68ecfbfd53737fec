#include <samples/character/fm2.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace fm2 {

namespace {

constexpr std::size_t pad_width = button_letters.size();
constexpr unsigned all_commands = 31;

std::optional<unsigned> number(std::string_view digits) {
    unsigned value = 0;
    const auto* end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, value);
    if (problem != std::errc() || stop != end) return {};
    return value;
}

/// Shortens a line for a message, and removes characters that would affect a terminal.
std::string excerpt(std::string_view line) {
    constexpr std::size_t most = 32;
    std::string text(line.substr(0, most));
    std::ranges::replace_if(
        text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return '\'' + text + (line.size() > most ? "...'" : "'");
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f; }

bool is_key_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string count_of(std::size_t n, std::string_view what) {
    return std::to_string(n) + ' ' + std::string(what) + (n == 1 ? "" : "s");
}

class reader {
public:
    reader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

    movie read() {
        if (rest_.empty()) fail("the file is empty", "a movie begins with 'version 3'");
        while (!rest_.empty()) {
            const auto line = next_line();
            if (line.empty()) continue;
            check_text(line);
            line.front() == '|' ? read_frame(line) : read_header(line);
        }
        if (movie_.frames.empty()) fail("the movie has no frames", "write a frame as '|0|........|........||'");
        return std::move(movie_);
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& hint) const {
        throw error(std::string(name_) + ':' + std::to_string(std::max<std::size_t>(line_, 1)) + ": " + problem +
                    "; hint: " + hint);
    }

    std::string_view next_line() {
        ++line_;
        const auto end = std::min(rest_.find('\n'), rest_.size());
        auto line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }

    void check_text(std::string_view line) const {
        const auto bad = std::ranges::find_if(line, is_control);
        if (bad == line.end()) return;
        fail("byte " + std::to_string(static_cast<unsigned char>(*bad)) + " in column " +
                 std::to_string(bad - line.begin() + 1) + " is not text",
             "only movies in text form can be read, not binary ones");
    }

    void read_header(std::string_view line) {
        if (!movie_.frames.empty())
            fail(excerpt(line) + " is between frames", "a frame begins with '|'; the header ends before the first");
        const auto space = std::min(line.find(' '), line.size());
        const auto key = line.substr(0, space);
        if (space == line.size() || space == 0 || !std::ranges::all_of(key, is_key_letter))
            fail(excerpt(line) + " is neither a header line nor a frame", "write a header line as 'key value'");
        movie_.header.push_back({std::string(key), std::string(line.substr(space + 1))});
        check_field(movie_.header.back());
    }

    void check_field(const header_field& field) {
        const auto demand = [&](std::string_view key, std::string_view wanted, const char* hint) {
            if (field.key == key && number(field.value) != number(wanted))
                fail(std::string(key) + " is " + excerpt(field.value) + ", not " + std::string(wanted), hint);
        };
        demand("version", "3", "save the movie with FCEUX 2.0 or newer");
        demand("binary", "0", "save the movie as text: the frames of this file are binary");
        demand("fourscore", "0", "this program cannot play movies with four pads");
        demand("port0", "1", "the first port must have a game pad");
        has_version_ |= field.key == "version";
    }

    void read_frame(std::string_view line) {
        if (!has_version_) fail("the header does not contain the version", "add the line 'version 3'");
        const auto columns = split(line);
        frame f;
        f.commands = read_commands(columns[0]);
        f.pads[0] = read_pad(columns[1], "the first pad");
        if (!columns[2].empty() && !second_is_no_pad()) f.pads[1] = read_pad(columns[2], "the second pad");
        movie_.frames.push_back(f);
    }

    /// Returns the columns of "|0|R.......|........||".
    std::vector<std::string_view> split(std::string_view line) {
        std::vector<std::string_view> columns;
        if (!line.ends_with('|')) fail("the frame does not end with '|'", "check whether the file is cut off");
        for (std::size_t at = 1; at < line.size();) {
            const auto bar = line.find('|', at);
            columns.push_back(line.substr(at, bar - at));
            at = bar + 1;
        }
        if (columns.size() != 3 && columns.size() != 4)
            fail("the frame has " + count_of(columns.size(), "column") + ", not 4",
                 "the columns are commands, first pad, second pad, expansion port");
        if (!movie_.frames.empty() && columns.size() != width_)
            fail("the frame has " + count_of(columns.size(), "column") + ", but the frames before it have " +
                     std::to_string(width_),
                 "check whether the file is cut off, or joined from two files");
        width_ = columns.size();
        return columns;
    }

    std::uint8_t read_commands(std::string_view column) const {
        const auto commands = number(column);
        if (!commands || *commands > all_commands)
            fail("the commands are " + excerpt(column) + ", not a number from 0 to " + std::to_string(all_commands),
                 "use 0 for none, 1 for a reset, 2 for power");
        return static_cast<std::uint8_t>(*commands);
    }

    pad read_pad(std::string_view column, const std::string& which) const {
        if (column.size() != pad_width)
            fail(which + " has " + count_of(column.size(), "letter") + ", not 8",
                 "write RLDUTSBA, with '.' for each released button");
        pad p;
        for (std::size_t i = 0; i < pad_width; ++i)
            if (column[i] != '.' && column[i] != ' ') p.press(static_cast<button>(i));
        return p;
    }

    /// Light guns and paddles use other formats for their column.
    bool second_is_no_pad() const { return number(movie_.field("port1")) > 1u; }

    std::string_view rest_;
    std::string_view name_;
    std::size_t line_ = 0;  ///< the line read last, from 1
    std::size_t width_ = 0; ///< columns of the frames so far
    bool has_version_ = false;
    movie movie_;
};

} // namespace

std::string_view movie::field(std::string_view key) const {
    const auto found = std::ranges::find(header, key, &header_field::key);
    return found == header.end() ? std::string_view() : found->value;
}

std::int64_t movie::frame_nanoseconds() const { return number(field("palFlag")) == 1u ? 19'997'200 : 16'639'267; }

movie parse(std::string_view text, std::string_view name) { return reader(text, name).read(); }

movie load(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) throw error(path + ": there is no such file; hint: check the path");
    if (!std::filesystem::is_regular_file(path, ignored))
        throw error(path + ": this is not a file; hint: name a file that ends in .fm2");
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) throw error(path + ": the file cannot be read; hint: check its permissions");
    return parse(text, path);
}

} // namespace fm2
