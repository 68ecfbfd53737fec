#include <hsm/text/detail/utf8.hpp>

namespace hsm::detail {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_surrogate(char32_t c) { return c >= 0xd800 && c < 0xe000; }

} // namespace

void append_utf8(std::string& to, char32_t c) {
    const auto add = [&](char32_t byte) { to.push_back(static_cast<char>(byte)); };
    if (c < 0x80) return add(c);
    if (c < 0x800) {
        add(0xc0 | c >> 6);
    } else {
        if (c < 0x10000) {
            add(0xe0 | c >> 12);
        } else {
            add(0xf0 | c >> 18);
            add(0x80 | (c >> 12 & 0x3f));
        }
        add(0x80 | (c >> 6 & 0x3f));
    }
    add(0x80 | (c & 0x3f));
}

std::size_t utf8_length(std::string_view text, std::size_t offset) {
    const auto first = byte_at(text, offset);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - offset < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte_at(text, offset + i) & 0xc0) != 0x80) return 0;
    const auto c = utf8_character(text, offset, length);
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return c < least[length] || c > 0x10ffff || is_surrogate(c) ? 0 : length;
}

char32_t utf8_character(std::string_view text, std::size_t offset, std::size_t length) {
    char32_t c = byte_at(text, offset) & (length == 1 ? 0x7fu : 0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) c = c << 6 | (byte_at(text, offset + i) & 0x3f);
    return c;
}

bool is_xml_character(char32_t c) {
    if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
    return !is_surrogate(c) && c != 0xfffe && c != 0xffff && c <= 0x10ffff;
}

bool is_text(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const auto length = utf8_length(bytes, i);
        if (length == 0 || !is_xml_character(utf8_character(bytes, i, length))) return false;
        i += length;
    }
    return true;
}

bool controls_terminal(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); }

std::string valid_utf8(std::string_view text) {
    std::string out;
    each_character(text, [&](std::string_view bytes, char32_t c) { out += c == invalid_byte ? "\xef\xbf\xbd" : bytes; });
    return out;
}

} // namespace hsm::detail
