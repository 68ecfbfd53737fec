/// A line of a script, or one that was typed, as words. "#" at the beginning of a word begins a comment; what stands in quotes is one word.
#pragma once

#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

struct script_word {
    std::string text;
    std::uint32_t column = 0; ///< of characters, from 1
    bool is_quoted = false;
};

struct script_line {
    std::vector<script_word> words; ///< the first says what is to be done
    file_position where;            ///< of the first word
    std::string text;               ///< as it was written, without comment and blanks around it
};

/// Without words: an empty one. Throws command_error, with the place, if quotes are not closed, or for what is no text.
script_line split_words(std::string_view text, const std::string& file, std::uint32_t line);

/// As a word of a line.
std::string quoted_if_needed(std::string_view name);

} // namespace hsm::detail::tool
