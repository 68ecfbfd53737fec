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

/// Splits the text at line ends, and at spaces so that lines have at most `longest` characters. Breaks a longer word after a punctuation mark,
/// or else anywhere. Returns at least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t longest);
/// Does the same, and joins the escaped lines.
template <class Escape> std::string wrapped(std::string_view text, std::size_t longest, std::string_view between, const Escape& escape) {
    std::string all;
    for (const auto& line : wrapped(text, longest)) {
        if (!all.empty()) all += between;
        all += escape(line);
    }
    return all;
}

} // namespace hsm::detail
