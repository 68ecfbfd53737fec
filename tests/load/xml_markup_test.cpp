#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

struct nothing {};

std::string saved(const std::string& text) {
    const hsm::registry<nothing> names;
    return hsm::save_xml(*hsm::load_xml_text(text, names), text);
}

const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

} // namespace

TEST_CASE("comments stay before the same element") {
    const auto text = head + R"(<!-- made by hand,
     with care -->
<Project name="door">
  <!-- how it begins -->
  <event ID="push"/>
  <!-- first -->
  <!-- second -->
  <state ID="closed">
    <!-- inside -->
    <to ID="open" event="push"/>
  </state>
  <state ID="open">
    <to ID="closed" event="push"/>
    <!-- the end of open -->
  </state>
  <!-- the end -->
</Project>
<!-- behind it -->
)";
    CHECK(saved(text) == text);
}

TEST_CASE("a comment on the line of an element stays behind it") {
    const auto text = head + R"(<Project name="door">
  <event ID="push"/> <!-- by a hand --> <!-- or a foot -->
  <state ID="closed">
    <to ID="open" event="push"/>
  </state> <!-- of closed -->
  <state ID="open">
    <to ID="closed" event="push"/>
  </state>
</Project>
)";
    CHECK(saved(text) == text);
}

TEST_CASE("ignored processing instructions and attributes are kept") {
    const auto text = head + R"(<?editor zoom="3"?>
<Project name="door" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="a &amp; &quot;b&quot;">
  <event ID="push"/>
  <?place 3 4?>
  <state ID="closed" xml:space="preserve">
    <to ID="open" event="push" xml:lang="en"/>
  </state>
  <state ID="open">
    <to ID="closed" event="push"/>
  </state>
</Project>
)";
    CHECK(saved(text) == text);
}

TEST_CASE("an empty element is written with an end tag if it gets a comment") {
    CHECK(
        saved(
            R"(<Project name="p"><state ID="a"><to ID="b"><!-- a > b, "quoted" --></to></state><state ID="b" kind="leaf"><!-- b --></state></Project>)") ==
        head + R"(<Project name="p">
  <state ID="a">
    <to ID="b">
      <!-- a > b, "quoted" -->
    </to>
  </state>
  <state ID="b" kind="leaf">
    <!-- b -->
  </state>
</Project>
)");
}

TEST_CASE("a comment in an element that is written in another form moves to the next element") {
    CHECK(
        saved(
            R"(<Project name="p"><bit ID="x"/><state ID="a"><initial ID="c"><!-- why c --></initial><state ID="b" kind="leaf"/><state ID="c" kind="leaf"/></state></Project>)") ==
        head + R"(<Project name="p">
  <bit ID="x"/>
  <state ID="a" initial="c">
    <!-- why c -->
    <state ID="b" kind="leaf"/>
    <state ID="c" kind="leaf"/>
  </state>
</Project>
)");
}

TEST_CASE("states of the same name in different places keep their own comments") {
    const auto text = head + R"(<Project name="p">
  <state ID="a">
    <!-- of a -->
    <state ID="x" kind="leaf">
      <!-- x in a -->
    </state>
  </state>
  <state ID="b" kind="machine">
    <!-- of b -->
    <state ID="x" kind="leaf">
      <!-- x in b -->
    </state>
  </state>
</Project>
)";
    CHECK(saved(saved(text)) == saved(text));
    CHECK(saved(text).find("<!-- x in a -->") < saved(text).find("<!-- of b -->"));
    CHECK(saved(text).find("<!-- x in b -->") > saved(text).find("<!-- of b -->"));
}

TEST_CASE("an old text without comments, or without XML, changes nothing") {
    const hsm::registry<nothing> names;
    const auto root = hsm::load_xml_text(R"(<Project name="p"><state ID="a" kind="leaf"/></Project>)", names);
    CHECK(hsm::save_xml(*root, "") == hsm::save_xml(*root));
    CHECK(hsm::save_xml(*root, "no XML") == hsm::save_xml(*root));
    CHECK(hsm::save_xml(*root, "<Project><state ID=\"b\"><!-- gone --></state></Project>").find("<!-- gone -->") != std::string::npos);
}
