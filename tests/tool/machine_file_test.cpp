#include <tests/support/tool_run.hpp>

#include <hsm/tool/detail/machine_file.hpp>

#include <doctest/doctest.h>

using hsm::detail::tool::looks_like_scxml;
using tool_run::called;
using tool_run::file;

TEST_CASE("an SCXML document is recognized by its root element, after any prolog") {
    CHECK(looks_like_scxml("<scxml/>"));
    CHECK(looks_like_scxml("\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- <Project> -->\n<sc:scxml xmlns:sc=\"x\">"));
    CHECK(looks_like_scxml("<!DOCTYPE scxml>\n<scxml\nversion=\"1.0\">"));
    CHECK_FALSE(looks_like_scxml(""));
    CHECK_FALSE(looks_like_scxml("scxml"));
    CHECK_FALSE(looks_like_scxml("<"));
    CHECK_FALSE(looks_like_scxml("<!-- <scxml/>"));
    CHECK_FALSE(looks_like_scxml("<Project><scxml/></Project>"));
    CHECK_FALSE(looks_like_scxml("<scxmls/>"));
}

TEST_CASE("a program without SCXML reports this, with a hint") {
    const file f("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"/></scxml>", ".scxml");
    const auto done = called({"check", f.path()});
    if (hsm::detail::tool::scxml_format()) {
        CHECK(done.code == 0);
        CHECK(done.out == "");
    } else {
        CHECK(done.code == 2);
        CHECK(done.out == f.path() + ": error: it is an SCXML document, and this program was built without SCXML\n" +
                              "    build hsm with pugixml, and with -Dscxml=enabled\n1 error\n");
    }
}
