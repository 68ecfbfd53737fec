/// Encodes and decodes UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail {

void append_utf8(std::string& to, char32_t character);

/// Returns the number of bytes of the character at `offset`; 0 if it is invalid: stray or missing bytes, an overlong form, a surrogate, or beyond the
/// last character.
std::size_t utf8_length(std::string_view text, std::size_t offset);

/// Returns the character. Requires its length from utf8_length.
char32_t utf8_character(std::string_view text, std::size_t offset, std::size_t length);

/// Returns false for the second and further bytes of a character.
inline bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

inline constexpr char32_t invalid_byte = 0xffffffff;

/// Calls visit(bytes, character) for each character. Each byte of an invalid one is visited alone, as `invalid_byte`.
template <class Visit> void each_character(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const auto length = utf8_length(text, 0);
        const auto bytes = text.substr(0, length == 0 ? 1 : length);
        visit(bytes, length == 0 ? invalid_byte : utf8_character(text, 0, length));
        text.remove_prefix(bytes.size());
    }
}

/// XML 1.0, chapter 2.2.
bool is_xml_character(char32_t character);

/// Returns whether the bytes are UTF-8 and contain only characters that XML allows.
bool is_text(std::string_view bytes);

/// Returns whether the character is a control character, or changes the direction of following text.
bool controls_terminal(char32_t character);

/// Replaces each byte that is not valid UTF-8 by U+FFFD.
std::string valid_utf8(std::string_view text);

} // namespace hsm::detail
