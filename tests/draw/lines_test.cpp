// Conversion of user texts to labels.

#include <hsm/draw/detail/lines.hpp>

#include <doctest/doctest.h>

#include <string>

using hsm::detail::legible;
using hsm::detail::legible_line;
using hsm::detail::wrapped;
using lines = std::vector<std::string>;

TEST_CASE("invisible characters and invalid UTF-8 are printed as their bytes") {
    CHECK(legible("größe 日本 😀") == "größe 日本 😀");
    CHECK(legible(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(legible("a\x1b[1mb\x7f") == "a\\x1b[1mb\\x7f");
    CHECK(legible("tab\there\nand there") == "tab here\nand there");
    CHECK(legible("\xff\xfe") == "\\xff\\xfe");
    CHECK(legible("\xc3") == "\\xc3");                   // cut off
    CHECK(legible("\xc0\xaf") == "\\xc0\\xaf");          // an overlong form
    CHECK(legible("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // half a pair
    CHECK(legible("\xef\xbf\xbf") == "\\xef\\xbf\\xbf"); // no character of XML
    CHECK(legible("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
    CHECK(legible("\xc2\x85") == "\\xc2\\x85"); // a control of two bytes
    CHECK(legible("a\r\nb") == "a\\x0d\nb");
}

TEST_CASE("characters that change the direction of text are printed as their bytes, and other characters are unchanged") {
    for (const auto* each : {"\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9"}) CHECK(legible(each).starts_with("\\xe2\\x8"));
    for (const auto* each : {"\xe2\x80\xa9", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa", "\xc2\xa0"}) CHECK(legible(each) == each);
}

TEST_CASE("legible_line escapes line breaks") { CHECK(legible_line("a\nb\tc\x1b") == "a\\nb c\\x1b"); }

TEST_CASE("lines break at spaces, after punctuation, or anywhere; only the space is removed") {
    CHECK(wrapped("", 10) == lines{""});
    CHECK(wrapped("one two three", 9) == lines{"one two", "three"});
    CHECK(wrapped("one\ntwo", 9) == lines{"one", "two"});
    CHECK(wrapped("exactly ten", 11) == lines{"exactly ten"});
    CHECK(wrapped("path/to/somewhere", 10) == lines{"path/to/", "somewhere"});
    CHECK(wrapped("abcdefghijklmnop", 8) == lines{"abcdefgh", "ijklmnop"});
    CHECK(wrapped("größengrößengrößen", 9) == lines{"größengrö", "ßengrößen"}); // characters, not bytes
    CHECK(wrapped("x", 0) == lines{"x"});
    CHECK(wrapped(std::string(1000, 'x'), 30).size() == 34);
}
