#include <hsm/observe/detail/output.hpp>

#include <hsm/draw/detail/lines.hpp>

namespace hsm::detail {

namespace {

/// Returns the length of the first character in bytes; 0 if it is invalid.
std::size_t length_of_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const auto second = byte(1);
    const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90); // a shorter encoding exists
    const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return too_long || no_character ? 0 : length;
}

/// Calls put(piece of valid UTF-8) for each character.
template <class Put> void each_character(std::string_view text, Put put) {
    while (!text.empty()) {
        const auto length = length_of_character(text);
        put(length ? text.substr(0, length) : "\xef\xbf\xbd");
        text.remove_prefix(length ? length : 1);
    }
}

/// Requires a character of at most three bytes.
unsigned code_point_of(std::string_view c) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(c[i]) & (c.size() > 1 ? 0x3fu : 0x7fu); };
    if (c.size() == 1) return byte(0);
    return c.size() == 2 ? (byte(0) & 0x1f) << 6 | byte(1) : (byte(0) & 0xf) << 12 | byte(1) << 6 | byte(2);
}

void put_json_character(std::string& out, std::string_view c) {
    constexpr char digits[] = "0123456789abcdef";
    const auto number = [&](unsigned n) {
        out += "\\u";
        for (int shift = 12; shift >= 0; shift -= 4) out += digits[n >> shift & 15];
    };
    if (c == "\"" || c == "\\")
        (out += '\\') += c;
    else if (controls_terminal(c) || c == "\xef\xbf\xbe" || c == "\xef\xbf\xbf") // the last two are noncharacters
        number(code_point_of(c));
    else
        out += c;
}

} // namespace

std::string valid_utf8(std::string_view text) {
    std::string out;
    each_character(text, [&](std::string_view c) { out += c; });
    return out;
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    each_character(text, [&](std::string_view c) { put_json_character(out, c); });
    return out += '"';
}

} // namespace hsm::detail
