/// Text between UTF-8 and what scripts see: CESU-8, in which a character beyond U+FFFF is two surrogates of three bytes.
#pragma once

#include <string>
#include <string_view>

namespace hsm::detail::scxml {

/// What is no character becomes U+FFFD: in Duktape's strings other bytes have meanings of their own.
std::string to_script(std::string_view utf8);
/// Half a character becomes U+FFFD.
std::string from_script(std::string_view cesu8);

/// Without blanks at both ends, and with a single one in place of several.
std::string normalised(std::string_view text);
std::string_view stripped(std::string_view text);

/// May a variable be called that?
bool is_variable_name(std::string_view name);

std::string quoted_json(std::string_view utf8);
/// False if it is no string of JSON.
bool unquoted_json(std::string_view json, std::string& utf8);

} // namespace hsm::detail::scxml
