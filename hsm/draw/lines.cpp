#include <hsm/draw/detail/lines.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <array>

namespace hsm::detail {

namespace {

bool goes_on(std::string_view text, std::size_t at) { return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; }

/// Returns the number of bytes of the character at `at`; 0 if it is invalid.
std::size_t character(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
    for (std::size_t i = 1; i < size; ++i)
        if (!goes_on(text, at + i)) return 0;
    if (size < 3) return size;
    const auto second = static_cast<unsigned char>(text[at + 1]);
    const bool is_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    const bool is_surrogate = first == 0xed && second >= 0xa0;
    const auto third = static_cast<unsigned char>(text[at + 2]);
    const bool is_none = first == 0xef && second == 0xbf && third >= 0xbe; // U+FFFE and U+FFFF are not allowed in XML
    return is_long || is_surrogate || is_none ? 0 : size;
}

/// Returns the number of bytes of the first characters of a line.
std::size_t bytes_of(std::string_view line, std::size_t characters) {
    std::size_t at = 0;
    for (; at < line.size() && characters > 0; --characters) do
            ++at;
        while (goes_on(line, at));
    return at;
}

/// Returns where to break a line that is too long: the bytes before the break, and those to leave out after it.
std::pair<std::size_t, std::size_t> place_to_break(std::string_view line, std::size_t longest) {
    const auto end = bytes_of(line, longest);
    const auto space = line.substr(0, end + 1).rfind(' ');
    if (space != std::string_view::npos && space > 0) return {space, 1};
    const auto sign = line.substr(0, end).find_last_of("/_.,:;-&|)]}>");
    if (sign != std::string_view::npos && sign >= end / 2) return {sign + 1, 0};
    return {end, 0};
}

} // namespace

bool controls_terminal(std::string_view character) {
    const auto byte = [&](std::size_t i) { return i < character.size() ? static_cast<unsigned char>(character[i]) : 0u; };
    if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
    if (character.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0; // U+0080 to U+009F
    if (character.size() != 3 || byte(0) != 0xe2) return false;
    return (byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae) || // U+202A to U+202E
           (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9);   // U+2066 to U+2069
}

std::string legible(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n'; })) return std::string(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto size = character(text, at);
        if (text[at] == '\n')
            out += '\n';
        else if (text[at] == '\t')
            out += ' ';
        else if (size == 0 || controls_terminal(text.substr(at, size)))
            for (std::size_t i = 0; i < std::max<std::size_t>(size, 1); ++i)
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at + i]));
        else
            out += text.substr(at, size);
        at += std::max<std::size_t>(size, 1);
    }
    return out;
}

std::string legible_line(std::string_view text) {
    std::string out;
    for (const char c : legible(text)) out += c == '\n' ? "\\n" : std::string(1, c);
    return out;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t longest) {
    const auto clean = legible(text);
    longest = std::max<std::size_t>(longest, 8);
    std::vector<std::string> lines;
    for (std::string_view rest = clean;;) {
        const auto end = std::min(rest.find('\n'), rest.size());
        auto line = rest.substr(0, end);
        while (bytes_of(line, longest) < line.size()) {
            const auto [stays, left_out] = place_to_break(line, longest);
            lines.emplace_back(line.substr(0, stays));
            line.remove_prefix(stays + left_out);
        }
        lines.emplace_back(line);
        if (end == rest.size()) return lines;
        rest.remove_prefix(end + 1);
    }
}

std::string markup(std::string_view text) {
    std::string out;
    for (const char c : text) switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    return out;
}

} // namespace hsm::detail
