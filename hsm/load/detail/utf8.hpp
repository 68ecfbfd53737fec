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

/// XML 1.0, chapter 2.2.
bool is_xml_character(char32_t character);

/// Returns whether the bytes are UTF-8 and contain only characters that XML allows.
bool is_text(std::string_view bytes);

/// Converts characters of 2 or 4 bytes. Returns an empty text if a character is incomplete or invalid.
std::string utf8_from_wide(std::string_view bytes, std::size_t width, bool big_endian);
std::string utf8_from_latin1(std::string_view bytes);

} // namespace hsm::detail
