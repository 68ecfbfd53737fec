/// Prepares texts for labels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// Makes untrusted text printable: bytes that are not UTF-8, and characters that could control a terminal, become "\xff". Line ends stay; tabs
/// become spaces.
std::string legible(std::string_view text);
/// Does the same and writes line ends as "\n", so that a name cannot imitate another line.
std::string legible_line(std::string_view text);

/// Returns whether the character is a control character, or changes the direction of following text. Requires one character in UTF-8.
bool controls_terminal(std::string_view character);

/// Splits the text at line ends, and at spaces so that lines have at most `longest` characters. Breaks a longer word after a punctuation mark,
/// or else anywhere. Returns at least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t longest);

/// Escapes text for XML and similar languages.
std::string markup(std::string_view text);

} // namespace hsm::detail
