/// Characters of ASCII, independent of the locale.
#pragma once

namespace hsm::detail {

constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns whether languages of markup and scripts usually allow the character in names: a letter, a digit, or not ASCII.
constexpr bool is_of_word(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || !is_ascii(c); }

} // namespace hsm::detail
