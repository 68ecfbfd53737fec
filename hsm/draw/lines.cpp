#include <hsm/draw/detail/lines.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace hsm::detail {

namespace {

/// Returns the number of bytes of the first characters of a line.
std::size_t bytes_of(std::string_view line, std::size_t characters) {
    std::size_t at = 0;
    for (; at < line.size() && characters > 0; --characters) do
            ++at;
        while (at < line.size() && !begins_character(line[at]));
    return at;
}

/// Returns where to break a line that is too long: the bytes before the break, and those to leave out after it.
std::pair<std::size_t, std::size_t> find_break(std::string_view line, std::size_t longest) {
    const auto end = bytes_of(line, longest);
    const auto space = line.substr(0, end + 1).rfind(' ');
    if (space != std::string_view::npos && space > 0) return {space, 1};
    const auto sign = line.substr(0, end).find_last_of("/_.,:;-&|)]}>");
    if (sign != std::string_view::npos && sign >= end / 2) return {sign + 1, 0};
    return {end, 0};
}

} // namespace

std::string legible(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n'; })) return std::string(text);
    std::string out;
    each_character(text, [&](std::string_view bytes, char32_t c) {
        if (c == '\n')
            out += '\n';
        else if (c == '\t')
            out += ' ';
        else if (!is_xml_character(c) || controls_terminal(c))
            for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        else
            out += bytes;
    });
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
            const auto [stays, left_out] = find_break(line, longest);
            lines.emplace_back(line.substr(0, stays));
            line.remove_prefix(stays + left_out);
        }
        lines.emplace_back(line);
        if (end == rest.size()) return lines;
        rest.remove_prefix(end + 1);
    }
}

} // namespace hsm::detail
