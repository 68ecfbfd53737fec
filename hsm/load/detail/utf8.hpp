/// Characters from bytes, and back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail {

void append_utf8(std::string& to, char32_t character);

/// How many bytes the character at `offset` takes; 0 if it is none: bytes that are left over, a form that is too long, a
/// surrogate, or beyond the last character.
std::size_t utf8_length(std::string_view text, std::size_t offset);

/// The character that utf8_length measured.
char32_t utf8_character(std::string_view text, std::size_t offset, std::size_t length);

/// XML 1.0, chapter 2.2.
bool is_xml_character(char32_t character);

/// True if it is UTF-8 and contains only characters that XML allows.
bool is_text(std::string_view bytes);

/// From 2 or 4 bytes each. Empty if the text is cut off, or has half a character.
std::string utf8_from_wide(std::string_view bytes, std::size_t width, bool big_endian);
std::string utf8_from_latin1(std::string_view bytes);

} // namespace hsm::detail
