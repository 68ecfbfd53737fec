// Syntax checks of expressions when a document is loaded.

#include <hsm/compile/check.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace {

/// Returns the result of the check for the syntax of expressions. `change` can modify the load options.
template <class Change> std::string syntax_of(const std::string& inside, Change change, hsm::scxml::script_options how = {}) {
    const hsm::scxml::ecmascript scripts(how);
    auto options = hsm::test::options_with(scripts);
    options.check_scripts = true;
    change(options);
    const auto loaded = hsm::try_load_scxml_text(hsm::test::ecmascript_document('\n' + inside), "d", options);
    REQUIRE_MESSAGE(loaded, hsm::describe(loaded.problems));
    std::string findings;
    for (const auto& f : hsm::check(*loaded.root))
        if (f.code == hsm::code::unreadable_script || f.code == hsm::code::more_warnings) findings += hsm::describe({f});
    return findings;
}
std::string syntax_of(const std::string& inside, hsm::scxml::script_options how = {}) {
    return syntax_of(
        inside, [](auto&) {}, how);
}
std::string in_state(const std::string& content) { return "<state id=\"s\"><onentry>" + content + "</onentry></state>"; }
bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("each <data> has one id, and an expression, content or a file") {
    const hsm::scxml::ecmascript scripts;
    auto options = hsm::test::options_with(scripts);
    const auto errors_of = [&](const std::string& inside) {
        return hsm::describe(hsm::try_load_scxml_text(hsm::test::ecmascript_document('\n' + inside), "d", options).problems);
    };
    CHECK(errors_of("<datamodel><data id=\"a\" expr=\"1\"/><data id=\"b\">2</data></datamodel><state id=\"s\"/>") == "");
    CHECK(errors_of("<datamodel><data id=\"a\" expr=\"1\"/>\n<data id=\"a\"/></datamodel><state id=\"s\"/>") ==
          "d:3:11: HSM-396 error: the id \"a\" already belongs to the <data> in line 2; hint: choose another id\n");
    CHECK(has(
        errors_of("<state id=\"s\"><datamodel><data id=\"a\"/></datamodel></state><state id=\"t\"><datamodel><data id=\"a\"/></datamodel></state>"),
        "HSM-396"));
    CHECK(has(errors_of("<datamodel><data id=\"a\" expr=\"1\">2</data></datamodel><state id=\"s\"/>"),
              "HSM-312 error: <data> has \"expr\" and content; hint: keep one of them"));
    CHECK(has(errors_of("<datamodel><data id=\"a\" src=\"x.json\">2</data></datamodel><state id=\"s\"/>"), "<data> has \"src\" and content"));
}

TEST_CASE("syntax errors in expressions are warnings on request") {
    const auto wrong = R"x(<state id="s"><transition event="e" cond="n &gt;" target="s"/></state>)x";
    CHECK(syntax_of(wrong) == "d:2:43: HSM-116 warning at scxml/s: the expression \"n >\" cannot be read: SyntaxError: parse error (line 2, end of "
                              "input); hint: correct it; the document runs, but raises error.execution each time\n");
    CHECK(syntax_of(wrong, [](auto& o) { o.check_scripts = false; }) == "");
    CHECK(syntax_of(wrong, {.untrusted = true}) == ""); // untrusted scripts are not compiled in this process
    CHECK(syntax_of(wrong, {.memory = 1000}) == "");    // too little memory for an engine
    CHECK(has(syntax_of(in_state(R"x(<assign location="a." expr="2"/>)x")), "the location \"a.\" cannot be read"));
    CHECK(has(syntax_of("<datamodel><data id=\"d\" expr=\"1 +\"/></datamodel><script>)</script><state id=\"s\"/>"), " at scxml: the expression"));
    for (const auto* bad :
         {R"x(<log expr="'a"/>)x", R"x(<send eventexpr="a b"/>)x", R"x(<foreach array="[1" item="i"/>)x", R"x(<log expr="/(/"/>)x",
          R"x(<send event="e" namelist="a-"/>)x", R"x(<send event="e"><param name="p" expr="{"/></send>)x",
          R"x(<send event="e"><content expr="}"/></send>)x", R"x(<script>return 1</script>)x", R"x(<send event="e" delayexpr="+"/>)x",
          R"x(<if cond="true"><elseif cond="("/></if>)x", R"x(<foreach array="[]" item="1x"/>)x", R"x(<foreach array="[]" item="i" index="b c"/>)x",
          R"x(<send event="e" idlocation="["/>)x", R"x(<cancel sendidexpr="?"/>)x"}) {
        CAPTURE(bad);
        CHECK(has(syntax_of(in_state(bad)), "HSM-116"));
    }
    for (const auto* bad : {R"x(<state id="s"><invoke typeexpr="'"/></state>)x",
                            R"x(<state id="s"><invoke type="t"><finalize><script>(</script></finalize></invoke></state>)x",
                            R"x(<final id="f"><donedata><param name="p" expr="*"/></donedata></final>)x",
                            R"x(<state id="s"><datamodel><data id="var"/></datamodel></state>)x"}) {
        CAPTURE(bad);
        CHECK(has(syntax_of(bad), "HSM-116"));
    }
    // Errors that only occur at run time, and valid scripts.
    CHECK(syntax_of(in_state(R"x(<log expr="unknown.name"/><log expr="{}"/><log expr="{a: 1};"/><log expr="var x = 1;"/><assign location="a.b[1]"
        expr="2"/><script>function f() { return 1 }</script><log expr="1 // one"/><send event="e" namelist="a b.c"/>)x")) == "");
}

TEST_CASE("a syntax check runs no script, and has no lasting effect") {
    CHECK(syntax_of(in_state(R"x(<assign location="});for(;;);(function($hsm){x" expr="1"/><log expr="1"/>)x")) == "");
    CHECK(
        syntax_of(
            in_state(R"x(<assign location="});Error.prototype.toString = function() { return 'me' };(function($hsm){x" expr="1"/><log expr="("/>)x"))
            .find("cannot be read: SyntaxError") != std::string::npos);
}

TEST_CASE("syntax errors are reported with their lines and files") {
    CHECK(has(syntax_of(in_state("<script>\nvar a = 1;\nvar b = ;</script>")),
              "d:3:1: HSM-116 warning at scxml/s: the script cannot be read: SyntaxError: "
              "empty expression not allowed (line 4, "));
    CHECK(has(syntax_of(in_state("<script>var a = 1;\n<!-- a comment\nof two lines -->\nvar b = ;</script>")), "(line 5, "));
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_syntax_in_files";
    fs::create_directories(folder);
    std::ofstream(folder / "part.js") << "\n\nvar a = ;\n";
    std::ofstream(folder / "part.scxml")
        << "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"p\"><onentry>\n<log expr=\"(\"/></onentry></state>";
    const auto findings =
        syntax_of("<script src=\"part.js\"/><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"part.scxml\"/><state id=\"s\">"
                  "<invoke type=\"scxml\"><content><scxml version=\"1.0\" datamodel=\"ecmascript\"><state id=\"t\"><transition cond=\"[\" "
                  "target=\"t\"/></state></scxml></content></invoke></state>",
                  [&](auto& o) { o.include_folder = folder.string(); });
    CHECK(has(findings, "part.js:1:1: HSM-116 warning at scxml: the script cannot be read: SyntaxError: empty expression not allowed (line 3"));
    CHECK(has(findings, "the expression \"[\" cannot be read"));
    CHECK(has(findings, "part.scxml:2:12: HSM-116 warning at scxml/p: the expression"));
    fs::remove_all(folder);
}

TEST_CASE("syntax errors beyond the limit are counted") {
    std::string all;
    for (int i = 0; i < 12; ++i) all += "<log expr=\"(\"/>\n";
    const auto findings = syntax_of(in_state(all), [](auto& o) { o.max_problems = 10; });
    CHECK(std::count(findings.begin(), findings.end(), '\n') == 11);
    CHECK(has(findings, "HSM-108 warning at scxml: there are 2 more warnings; hint: "));
}
