// Text in XML, HTML and JSON.

#include <hsm/text/detail/escape.hpp>

#include <doctest/doctest.h>

using namespace hsm::detail;

TEST_CASE("XML attributes, XML content and HTML have their own escapes") {
    constexpr auto text = "a<b> & \"c\" 'd'\t\r\n";
    CHECK(xml_text(text, xml_place::attribute) == "a&lt;b> &amp; &quot;c&quot; 'd'&#9;&#13;&#10;");
    CHECK(xml_text(text, xml_place::content) == "a&lt;b&gt; &amp; \"c\" 'd'\t&#13;\n");
    CHECK(xml_text(text, xml_place::html) == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\t\r\n");
}

TEST_CASE("a JSON string escapes quotes, backslashes and control characters") {
    constexpr auto text = "\"\\\n\t\x01\x7f\xe2\x80\xae\xff";
    CHECK(json_string(text, json_escapes::numbers) == "\"\\\"\\\\\\u000a\\u0009\\u0001\x7f\xe2\x80\xae\xff\"");
    CHECK(json_string(text, json_escapes::names) == "\"\\\"\\\\\\n\\t\\u0001\x7f\xe2\x80\xae\xff\"");
}

TEST_CASE("a printable JSON string is valid UTF-8 and cannot control a terminal") {
    CHECK(json_string("gr\xc3\xbcn\n") == "\"gr\xc3\xbcn\\u000a\"");
    CHECK(json_string("\x7f|\xc2\x85|\xe2\x80\xae") == "\"\\u007f|\\u0085|\\u202e\"");
    CHECK(json_string("\xff|\xef\xbf\xbe") == "\"\xef\xbf\xbd|\\ufffe\"");
}
