/// Splits a line of a script or of the prompt into words. "#" at the beginning of a word begins a comment. Quoted text is one word.
#pragma once

#include <hsm/define/origin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

struct script_word {
    std::string text;
    std::uint32_t column = 0; ///< in characters, from 1
    bool is_quoted = false;
};

struct script_line {
    std::vector<script_word> words; ///< the first one is the command
    file_position where;            ///< of the first word
    std::string text;               ///< the line without comment and surrounding blanks
};

/// Returns no words for an empty line. Throws command_error with the position if a quote is not closed or the line is not valid text.
script_line split_words(std::string_view text, const std::string& file, std::uint32_t line);

/// Returns the name as one word of a line, quoted if needed.
std::string quoted_if_needed(std::string_view name);

} // namespace hsm::detail::tool
