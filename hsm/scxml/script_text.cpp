#include <hsm/scxml/detail/script_text.hpp>

#include <hsm/text/detail/ascii.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace hsm::detail::scxml {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";
constexpr std::string_view not_a_character = "\xef\xbf\xbd";

unsigned byte_at(std::string_view text, std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; }

/// Returns the surrogate (D800 to DFFF) in three bytes, or 0 if there is none.
unsigned surrogate_at(std::string_view text, std::size_t i) {
    if (byte_at(text, i) != 0xed || byte_at(text, i + 1) < 0xa0 || i + 2 >= text.size()) return 0;
    return 0xd000 | (byte_at(text, i + 1) & 0x3f) << 6 | (byte_at(text, i + 2) & 0x3f);
}
bool is_high(unsigned surrogate) { return surrogate >= 0xd800 && surrogate < 0xdc00; }

bool is_all_ascii(std::string_view text) { return std::all_of(text.begin(), text.end(), is_ascii); }

// ECMAScript 5.1, 7.6.1, including those of strict mode.
constexpr std::string_view reserved[] = {
    "break",  "case",    "catch", "class",   "const",   "continue",  "debugger", "default",    "delete", "do",    "else",       "enum",
    "export", "extends", "false", "finally", "for",     "function",  "if",       "implements", "import", "in",    "instanceof", "interface",
    "let",    "new",     "null",  "package", "private", "protected", "public",   "return",     "static", "super", "switch",     "this",
    "throw",  "true",    "try",   "typeof",  "var",     "void",      "while",    "with",       "yield",
};

} // namespace

std::string to_script(std::string_view utf8) {
    if (is_all_ascii(utf8)) return std::string(utf8);
    std::string text;
    text.reserve(utf8.size());
    each_character(utf8, [&](std::string_view bytes, char32_t c) {
        if (c == invalid_byte) {
            text += not_a_character;
        } else if (c > 0xffff) {
            append_utf8(text, 0xd800 | (c - 0x10000) >> 10);
            append_utf8(text, 0xdc00 | (c & 0x3ff));
        } else {
            text += bytes;
        }
    });
    return text;
}

std::string from_script(std::string_view cesu8) {
    if (is_all_ascii(cesu8)) return std::string(cesu8);
    std::string text;
    text.reserve(cesu8.size());
    for (std::size_t i = 0; i < cesu8.size();) {
        const auto first = surrogate_at(cesu8, i), second = first ? surrogate_at(cesu8, i + 3) : 0;
        if (is_high(first) && second && !is_high(second)) {
            append_utf8(text, 0x10000 + ((first & 0x3ff) << 10 | (second & 0x3ff)));
            i += 6;
        } else {
            const auto length = utf8_length(cesu8, i);
            text += length ? cesu8.substr(i, length) : not_a_character;
            i += first ? 3 : std::max<std::size_t>(length, 1);
        }
    }
    return text;
}

std::string_view stripped(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string normalised(std::string_view text) {
    std::string result;
    for (const char c : stripped(text)) {
        if (blanks.find(c) == blanks.npos)
            result += c;
        else if (result.back() != ' ')
            result += ' ';
    }
    return result;
}

bool is_variable_name(std::string_view name) {
    const auto fits = [](char c) { return is_of_word(c) || c == '_' || c == '$'; };
    if (name.empty() || is_ascii_digit(name[0]) || !std::all_of(name.begin(), name.end(), fits)) return false;
    return std::find(std::begin(reserved), std::end(reserved), name) == std::end(reserved);
}

} // namespace hsm::detail::scxml
