// Encodings, and positions in a file.

#include <hsm/load/detail/source_text.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

struct reading {
    explicit reading(std::string bytes) : text(std::move(bytes), problems) {}
    std::string at(std::size_t offset) const {
        const auto o = text.at(offset);
        return std::to_string(o.line) + ":" + std::to_string(o.column);
    }
    std::string message() { return hsm::describe(problems.take()); }

    hsm::detail::problem_list problems{"f"};
    hsm::detail::source_text text;
};

std::string wide(std::u32string_view characters, std::size_t width, bool big_endian) {
    std::string bytes;
    for (const char32_t c : characters)
        for (std::size_t b = 0; b < width; ++b) bytes += static_cast<char>(c >> 8 * (big_endian ? width - 1 - b : b) & 0xff);
    return bytes;
}

} // namespace

TEST_CASE("lines and columns count from one, columns in characters, with every line ending") {
    const reading f("ab\ncd\r\ne\xc3\xa4\xe2\x82\xac|\rx");
    CHECK(f.at(0) == "1:1");
    CHECK(f.at(1) == "1:2");
    CHECK(f.at(3) == "2:1");
    CHECK(f.at(7) == "3:1");
    CHECK(f.at(8) == "3:2");
    CHECK(f.at(10) == "3:3");
    CHECK(f.at(13) == "3:4");
    CHECK(f.at(15) == "4:1");
    CHECK(f.at(16) == "4:2"); // the end
}

TEST_CASE("a byte order mark selects the encoding, and is not part of the text") {
    CHECK(reading("\xef\xbb\xbf<a/>").text.text() == "<a/>");
    for (const bool big_endian : {false, true}) {
        CHECK(reading(wide(U"\xfeff<\x20ac>", 2, big_endian)).text.text() == "<\xe2\x82\xac>");
        CHECK(reading(wide(U"\xfeff<\x1f600>", 4, big_endian)).text.text() == "<\xf0\x9f\x98\x80>");
        CHECK(reading(wide(U"\xfeff\xd83d\xde00", 2, big_endian)).text.text() == "\xf0\x9f\x98\x80"); // two halves
    }
}

TEST_CASE("a declared encoding is used") {
    CHECK(reading("<?xml version='1.0' encoding='ISO-8859-1'?><\xe4/>").text.text() == "<?xml version='1.0' encoding='ISO-8859-1'?><\xc3\xa4/>");
    CHECK(reading("<?xml version='1.0' encoding='utf-8'?><\xc3\xa4/>").text.text().size() == 43);
    CHECK(reading("<?xml version='1.0' encoding=\"EBCDIC-DE\"?><a/>").message() ==
          "f:1:1: HSM-303 error: the file declares the encoding \"ebcdic-de\", which is not supported; hint: save the file as UTF-8\n");
}

TEST_CASE("invalid bytes are refused, with their place") {
    const auto place = [](const std::string& bytes) {
        reading f(bytes);
        CHECK(f.text.text().empty());
        const auto message = f.message();
        return message.substr(0, message.find(' '));
    };
    CHECK(place("a\n\xff") == "f:2:1:");
    CHECK(place("a\xc3") == "f:1:2:");                 // cut off
    CHECK(place("a\xc3\x28") == "f:1:2:");             // no continuation byte follows
    CHECK(place("\xc0\xaf") == "f:1:1:");              // an overlong form
    CHECK(place("\xe0\x80\xaf") == "f:1:1:");          // another
    CHECK(place("\xed\xa0\x80") == "f:1:1:");          // half a pair
    CHECK(place("\xf4\x90\x80\x80") == "f:1:1:");      // beyond the last
    CHECK(place(std::string("ab\0c", 4)) == "f:1:3:"); // not allowed in XML
    CHECK(place("\x1b[0m") == "f:1:1:");
    CHECK(place("\xff\xfe\x41") == "f:1:1:");                  // half a character of UTF-16
    CHECK(place(wide(U"\xfeff\xd83d", 2, false)) == "f:1:1:"); // half a pair of it
    CHECK(place(wide(U"\xfeff\xd83d"
                     U"a",
                     2, false)) == "f:1:1:"); // another
}
