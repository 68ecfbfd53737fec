// Characters in UTF-8.

#include <hsm/text/detail/utf8.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hsm::detail;

TEST_CASE("a decoded character equals the encoded one") {
    for (const char32_t c : {0x0u, 0x7fu, 0x80u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x10ffffu}) {
        std::string text;
        append_utf8(text, c);
        REQUIRE(utf8_length(text, 0) == text.size());
        CHECK(utf8_character(text, 0, text.size()) == c);
    }
}

TEST_CASE("the bytes of an invalid character are visited one by one") {
    const auto visited = [](std::string_view text) {
        std::string list;
        each_character(text, [&](std::string_view bytes, char32_t c) { list += (c == invalid_byte ? "?" : "") + std::to_string(bytes.size()); });
        return list;
    };
    CHECK(visited("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") == "1234");
    CHECK(visited("a\xe2\x82") == "1?1?1");           // cut off
    CHECK(visited("\xc3|") == "?11");                 // no continuation byte follows
    CHECK(visited("\xc0\xaf") == "?1?1");             // an overlong form
    CHECK(visited("\xed\xa0\x80") == "?1?1?1");       // a surrogate
    CHECK(visited("\xf4\x90\x80\x80") == "?1?1?1?1"); // beyond the last character
}

TEST_CASE("is_text rejects characters that XML forbids") {
    CHECK(is_text("a\tb\r\nc \xc3\xa4 \xef\xbf\xbd \xf0\x9f\x98\x80"));
    for (const char* text : {"\x01", "\x1b", "\xc3", "\xed\xa0\x80", "\xef\xbf\xbe", "\xef\xbf\xbf"}) CHECK_FALSE(is_text(text));
}

TEST_CASE("invalid bytes become replacement characters") { CHECK(valid_utf8("a\xff\xc3\xa4\xc3") == "a\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd"); }
