#include <hsm/load/detail/source_text.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace hsm::detail {

namespace {

constexpr auto save_as_utf8 = "save the file as UTF-8";

/// Positions have 32 bits.
std::size_t with_positions(std::size_t most) { return std::min<std::size_t>(most, UINT32_MAX - 1); }

void report_size(std::string_view what, std::size_t most, problem_list& problems) {
    problems.add(code::large_file, {}, fmt::format("the {} is larger than {} bytes", what, most),
                 "split the machine, or raise load_options::max_bytes");
}

/// Returns "iso-8859-1" for `<?xml version="1.0" encoding="ISO-8859-1"?>`; empty if no encoding is declared.
std::string declared_encoding(std::string_view text) {
    if (!text.starts_with("<?xml")) return {};
    const auto declaration = text.substr(0, std::min(text.find("?>"), std::size_t(200)));
    const auto word = declaration.find("encoding");
    if (word == text.npos) return {};
    const auto begin = declaration.find_first_of("\"'", word);
    if (begin == text.npos) return {};
    const auto end = declaration.find(declaration[begin], begin + 1);
    if (end == text.npos) return {};
    std::string name(declaration.substr(begin + 1, end - begin - 1));
    for (auto& c : name) c = ascii_lower(c);
    return name;
}

struct byte_order_mark {
    std::string_view bytes;
    std::size_t width;
    bool big_endian;
};

using namespace std::string_view_literals;
constexpr byte_order_mark marks[] = {
    {"\xef\xbb\xbf"sv, 1, false}, {"\xff\xfe\0\0"sv, 4, false}, {"\0\0\xfe\xff"sv, 4, true}, {"\xff\xfe"sv, 2, false}, {"\xfe\xff"sv, 2, true},
};

/// Converts characters of 2 or 4 bytes. Returns an empty text if a character is incomplete or invalid.
std::string utf8_from_wide(std::string_view bytes, std::size_t width, bool big_endian) {
    std::string text;
    if (bytes.size() % width != 0) return text;
    const auto unit = [&](std::size_t i) {
        char32_t c = 0;
        for (std::size_t b = 0; b < width; ++b)
            c |= static_cast<char32_t>(static_cast<unsigned char>(bytes[i + b])) << 8 * (big_endian ? width - 1 - b : b);
        return c;
    };
    for (std::size_t i = 0; i < bytes.size(); i += width) {
        auto c = unit(i);
        if (width == 2 && c >= 0xd800 && c < 0xdc00 && i + width < bytes.size()) {
            const auto low = unit(i + width);
            if (low < 0xdc00 || low >= 0xe000) return {};
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            i += width;
        }
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return {};
        append_utf8(text, c);
    }
    return text;
}

std::string utf8_from_latin1(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
    return text;
}

/// Removes the byte order mark and converts to UTF-8. Returns false and adds a problem if that is not possible.
bool to_utf8(std::string& bytes, problem_list& problems) {
    for (const auto& mark : marks) {
        if (!std::string_view(bytes).starts_with(mark.bytes)) continue;
        bytes.erase(0, mark.bytes.size());
        if (mark.width == 1 || bytes.empty()) return true;
        bytes = utf8_from_wide(bytes, mark.width, mark.big_endian);
        if (bytes.empty())
            problems.add(code::bad_encoding, {1, 1},
                         fmt::format("the file has the byte order mark of UTF-{}, but its bytes are not valid", 8 * mark.width), save_as_utf8);
        return !bytes.empty();
    }
    const auto encoding = declared_encoding(bytes);
    if (encoding == "iso-8859-1" || encoding == "latin1") {
        bytes = utf8_from_latin1(bytes);
    } else if (!encoding.empty() && encoding != "utf-8" && encoding != "utf8" && encoding != "us-ascii" && encoding != "ascii") {
        problems.add(code::bad_encoding, {1, 1}, fmt::format("the file declares the encoding {}, which is not supported", in_quotes(encoding)),
                     save_as_utf8);
        return false;
    }
    return true;
}

} // namespace

source_text::source_text(std::string bytes, problem_list& problems) : text_(std::move(bytes)), lines_{0} {
    if (!to_utf8(text_, problems) || !check(problems)) text_.clear();
}

bool source_text::check(problem_list& problems) {
    for (std::size_t i = 0; i < text_.size();) {
        const char c = text_[i];
        if (c >= 0x20 && static_cast<unsigned char>(c) < 0x80) { // the most frequent case
            ++i;
            continue;
        }
        const auto length = utf8_length(text_, i);
        const auto byte = static_cast<unsigned>(static_cast<unsigned char>(c));
        if (length == 0) {
            problems.add(code::bad_encoding, at(i), fmt::format("the byte {:#04x} is not part of a character in UTF-8", byte), save_as_utf8);
            return false;
        }
        if (const auto character = utf8_character(text_, i, length); !is_xml_character(character)) {
            problems.add(code::bad_encoding, at(i),
                         fmt::format("the character U+{:04X} is not allowed in XML", static_cast<std::uint32_t>(character)), "remove it");
            return false;
        }
        for (std::size_t k = 1; k < length; ++k) followers_.push_back(static_cast<std::uint32_t>(i + k));
        i += length;
        if (c == '\n' || (c == '\r' && (i == text_.size() || text_[i] != '\n'))) lines_.push_back(static_cast<std::uint32_t>(i));
    }
    return true;
}

origin source_text::at(std::size_t offset) const {
    return at(offset, static_cast<std::size_t>(std::ranges::upper_bound(lines_, offset) - 1 - lines_.begin()));
}

origin source_text::at_next(std::size_t offset, std::size_t& line) const {
    while (line + 1 < lines_.size() && lines_[line + 1] <= offset) ++line;
    return lines_[line] <= offset ? at(offset, line) : at(offset);
}

origin source_text::at(std::size_t offset, std::size_t line) const {
    const auto follower = [&](std::size_t o) { return std::ranges::lower_bound(followers_, o) - followers_.begin(); };
    const auto bytes = offset - lines_[line];
    const auto extra = followers_.empty() ? 0 : static_cast<std::size_t>(follower(offset) - follower(lines_[line]));
    return {static_cast<std::uint32_t>(line + 1), static_cast<std::uint32_t>(bytes - extra + 1)};
}

std::string read_file(const std::string& path, std::size_t most, problem_list& problems) {
    most = with_positions(most);
    const auto unreadable = [&](std::string_view why) {
        problems.add(code::unreadable_file, {}, fmt::format("the file cannot be read: {}", why),
                     "check the path; a relative path begins at the current directory");
        return std::string();
    };
    std::error_code status;
    if (std::filesystem::is_directory(path, status)) return unreadable("it is a directory");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return unreadable(std::strerror(errno));
    std::string bytes;
    char part[1 << 16];
    while (const auto count = std::fread(part, 1, sizeof part, file.get())) {
        bytes.append(part, count);
        if (bytes.size() > most) return report_size("file", most, problems), std::string();
    }
    if (std::ferror(file.get())) return unreadable(std::strerror(errno));
    return bytes;
}

bool is_within(std::string_view text, std::size_t most, problem_list& problems) {
    most = with_positions(most);
    if (text.size() > most) report_size("text", most, problems);
    return text.size() <= most;
}

} // namespace hsm::detail
