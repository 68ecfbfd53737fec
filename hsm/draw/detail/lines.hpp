/// Text for people, made fit for a label.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// Text that comes from elsewhere, so that it can be printed: bytes that are not UTF-8, and characters that could control a terminal, become
/// "\xff". Line ends stay; tabs become spaces.
std::string legible(std::string_view text);
/// The same in one line, with "\n" for line ends: for names, which cannot imitate another line then.
std::string legible_line(std::string_view text);

/// Is it a control character, or one that changes the direction of the text that follows? `character` is one character in UTF-8.
bool controls_terminal(std::string_view character);

/// Broken at line ends, and at spaces so that no line is longer than that, in characters; a word that is longer is broken where a letter, digit
/// or anything else follows another kind, or else anywhere. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t longest);

/// For XML, and what looks like it.
std::string markup(std::string_view text);

} // namespace hsm::detail
