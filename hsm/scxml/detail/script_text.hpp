/// Converts text between UTF-8 and CESU-8, which scripts use: a character beyond U+FFFF is two surrogates of three bytes each.
#pragma once

#include <hsm/text/detail/escape.hpp>

#include <string>
#include <string_view>

namespace hsm::detail::scxml {

/// Invalid bytes become U+FFFD, because they have special meanings in Duktape's strings.
std::string to_script(std::string_view utf8);
/// Unpaired surrogates become U+FFFD.
std::string from_script(std::string_view cesu8);

/// Removes blanks at both ends and replaces other sequences of blanks by a single one.
std::string normalised(std::string_view text);
std::string_view stripped(std::string_view text);

/// Returns whether the text is a valid name of a variable.
bool is_variable_name(std::string_view name);

inline std::string json_string(std::string_view utf8) { return hsm::detail::json_string(utf8, json_escapes::numbers); }

} // namespace hsm::detail::scxml
