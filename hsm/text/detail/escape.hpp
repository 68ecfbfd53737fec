/// Writes text into XML, HTML and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hsm::detail {

enum class xml_place : std::uint8_t {
    attribute, ///< in double quotes; control characters become references, so that a parser does not change them
    content,   ///< between tags
    html,      ///< both, also in the languages of drawings
};
void append_xml(std::string& to, std::string_view text, xml_place place);
std::string xml_text(std::string_view text, xml_place place);
/// Appends the attribute with a space before it.
void append_attribute(std::string& to, std::string_view name, std::string_view value);

enum class json_escapes : std::uint8_t {
    numbers,   ///< control characters become \u000a
    names,     ///< the same, but \n, \r and \t
    printable, ///< as numbers; also the other characters that control a terminal, and characters that XML forbids. The text becomes valid UTF-8.
};
/// Appends a JSON string with its quotes.
void append_json(std::string& to, std::string_view text, json_escapes escapes);
std::string json_string(std::string_view text, json_escapes escapes = json_escapes::printable);

} // namespace hsm::detail
