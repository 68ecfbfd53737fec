/// Text for people, made fit for a label.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// What is no UTF-8, and what cannot be seen, as "\xff". Line ends stay; tabs become spaces.
std::string legible(std::string_view text);

/// Broken at line ends, and at spaces so that no line is longer than that, in characters; a word that is longer is broken where a letter, digit
/// or anything else follows another kind, or else anywhere. At least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t longest);

/// For XML, and what looks like it.
std::string markup(std::string_view text);

} // namespace hsm::detail
