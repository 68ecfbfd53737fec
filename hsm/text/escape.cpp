#include <hsm/text/detail/escape.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>

namespace hsm::detail {

void append_xml(std::string& to, std::string_view text, xml_place place) {
    for (const char c : text) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20;
        if (c == '&')
            to += "&amp;";
        else if (c == '<')
            to += "&lt;";
        else if (c == '>' && place != xml_place::attribute)
            to += "&gt;";
        else if (c == '"' && place != xml_place::content)
            to += "&quot;";
        else if (c == '\'' && place == xml_place::html)
            to += "&#39;";
        else if ((is_control && place == xml_place::attribute) || (c == '\r' && place == xml_place::content))
            append_format(to, "&#{};", static_cast<unsigned>(c));
        else
            to += c;
    }
}

std::string xml_text(std::string_view text, xml_place place) {
    std::string out;
    append_xml(out, text, place);
    return out;
}

void append_attribute(std::string& to, std::string_view name, std::string_view value) {
    append_format(to, " {}=\"", name);
    append_xml(to, value, xml_place::attribute);
    to += '"';
}

void append_json(std::string& to, std::string_view text, json_escapes escapes) {
    const bool printable = escapes == json_escapes::printable;
    to += '"';
    each_character(text, [&](std::string_view bytes, char32_t c) {
        if (c == '"' || c == '\\')
            (to += '\\') += bytes;
        else if ((c == '\n' || c == '\r' || c == '\t') && escapes == json_escapes::names)
            to += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
        else if (printable && c == invalid_byte)
            to += "\xef\xbf\xbd";
        else if (c < 0x20 || (printable && (controls_terminal(c) || !is_xml_character(c))))
            append_format(to, "\\u{:04x}", static_cast<std::uint32_t>(c));
        else
            to += bytes;
    });
    to += '"';
}

std::string json_string(std::string_view text, json_escapes escapes) {
    std::string out;
    append_json(out, text, escapes);
    return out;
}

} // namespace hsm::detail
