// The findings in docs/reference/scxml.md, row by row.

#include <hsm/compile/check.hpp>
#include <hsm/scxml/scxml.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

/// Returns errors and warnings with their positions: "E007@2:5 W101@3:1". A document with errors has no warnings.
std::string found_in(const std::string& inside, const std::string& attributes = "datamodel=\"null\"") {
    std::string found;
    const auto add = [&](char kind, hsm::code code, const hsm::file_position& where) {
        found += (found.empty() ? "" : " ") + (kind + hsm::to_string(code).substr(4)) + '@' + std::to_string(where.line) + ':' +
                 std::to_string(where.column);
    };
    const auto loaded = hsm::try_load_scxml_text(hsm::test::scxml_document('\n' + inside, attributes), "d");
    for (const auto& p : loaded.problems) add('E', p.code, p.where);
    if (!loaded) return found;
    for (const auto& f : hsm::check(*loaded.root)) add(f.severity() == hsm::severity::error ? 'E' : 'W', f.code, f.where);
    return found;
}

} // namespace

TEST_CASE("unreachable states are reported") {
    CHECK(found_in("<state id=\"a\"><parallel id=\"p\"><state id=\"s\"/><state id=\"t\"/></parallel></state>\n<state id=\"b\"/>") == "W101@3:1");
    CHECK(
        found_in("<state id=\"a\"><transition event=\"e\" target=\"b\"/></state>\n<state id=\"b\"><transition event=\"e\" target=\"a\"/></state>") ==
        "");
}

TEST_CASE("states that only lead to each other are reported") {
    CHECK(found_in("<state id=\"a\"/>\n<state id=\"b\"><transition event=\"e\" target=\"c\"/></state>\n<state id=\"c\"><transition event=\"e\" "
                   "target=\"b\"/></state>") == "W101@3:1 W101@4:1");
}

TEST_CASE("misplaced elements are reported") {
    CHECK(found_in("<onentry><cancel sendid=\"x\"/></onentry>\n<state id=\"a\"/>") == "E317@2:1");
    CHECK(found_in("<state id=\"a\"><donedata/></state>") == "E317@2:15");
    CHECK(found_in("<final id=\"a\"><transition event=\"e\"/></final>") == "E317@2:15");
    CHECK(found_in("<parallel id=\"p\"><final id=\"a\"/><state id=\"b\"/></parallel>") == "E317@2:18");
    const auto sends = [](const std::string& data) {
        return found_in("<state id=\"a\"><onentry><send event=\"e\">" + data + "</send></onentry></state>");
    };
    for (const auto* const second : {"<content>two</content>", "<param name=\"n\" expr=\"1\"/>"})
        CHECK(sends("<content expr=\"\"/>" + std::string(second)).find("E317") != std::string::npos);
}

TEST_CASE("unknown elements and attributes are reported") {
    CHECK(found_in("<state id=\"a\"><onentry><nonexistant/></onentry></state>") == "E307@2:24");
    CHECK(found_in("<state id=\"a\" colour=\"red\"/>") == "W111@2:15");
    CHECK(found_in("<state id=\"a\"><onentry><x:y xmlns:x=\"urn:x\"/></onentry></state>") == "W111@2:24");
}

TEST_CASE("a duplicate id is reported") { CHECK(found_in("<state id=\"a\"/>\n<state id=\"a\"/>") == "E396@3:12"); }

TEST_CASE("an invalid id is reported") {
    CHECK(found_in("<state id=\"1st\"/>") == "W115@2:12");
    CHECK(found_in("<state id=\"\"/>") == "E312@2:8");
    CHECK(found_in("<state id=\"a b\"/>") == "E312@2:12");
}

TEST_CASE("a missing or empty target is reported") {
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" target=\"b\"/></state>") == "E007@2:45");
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" target=\"\"/></state>") == "E312@2:37");
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" target=\"a a\"/></state>") == "W115@2:45");
}

TEST_CASE("targets that cannot be active together are reported") {
    CHECK(found_in("<state id=\"a\">\n<transition event=\"e\" target=\"x y\"/><state id=\"x\"/><state id=\"y\"/></state>") == "E024@3:1");
    CHECK(found_in("<state id=\"a\" initial=\"x y\"><state id=\"x\"/><state id=\"y\"/></state>").starts_with("E024@2:15"));
}

TEST_CASE("a duplicate initial, an initial without a target or in a state without substates is reported") {
    CHECK(found_in("<state id=\"a\" initial=\"x\">\n<initial><transition target=\"x\"/></initial><state id=\"x\"/></state>") == "E009@3:1");
    CHECK(found_in("<state id=\"a\" initial=\"a\"/>") == "E317@2:15");
    CHECK(found_in("<state id=\"a\"><initial><transition target=\"a\"/></initial></state>") == "E317@2:15");
    CHECK(found_in("<state id=\"a\"/>", "initial=\"nowhere\"") == "E007@1:71");
}

TEST_CASE("an initial that leads out of its state is reported") {
    CHECK(found_in("<state id=\"a\" initial=\"b\"><state id=\"x\"/></state>\n<final id=\"b\"/>").find("E005@2:15") != std::string::npos);
    CHECK(found_in("<state id=\"a\">\n<initial><transition target=\"b\"/></initial><state id=\"x\"/></state><final id=\"b\"/>").find("E005@3:1") !=
          std::string::npos);
}

TEST_CASE("an <initial> with no transition, several, or one with an event or a condition is reported") {
    CHECK(found_in("<state id=\"a\">\n<initial/><state id=\"x\"/></state>") == "E311@3:1");
    CHECK(found_in("<state id=\"a\">\n<initial><transition target=\"x\"/><transition target=\"x\"/></initial><state id=\"x\"/></state>") ==
          "E317@3:34");
    CHECK(found_in("<state id=\"a\">\n<initial><transition event=\"e\" target=\"x\"/></initial><state id=\"x\"/></state>") == "E317@3:22");
    CHECK(found_in("<state id=\"a\">\n<initial><transition cond=\"true\" target=\"x\"/></initial><state id=\"x\"/></state>") == "E317@3:22");
}

TEST_CASE("a <history> with no transition, or one with an event or a condition or out of its state, is reported") {
    const auto with = [](const std::string& transition, const std::string& type = "shallow") {
        return found_in("<state id=\"a\"><transition event=\"e\" target=\"b\"/><state id=\"x\"><transition event=\"e\" target=\"y\"/></state><state "
                        "id=\"y\"><state id=\"z\"/></state>\n"
                        "<history id=\"h\" type=\"" +
                        type + "\">" + transition + "</history></state>\n<state id=\"b\"><transition event=\"e\" target=\"h\"/></state>");
    };
    CHECK(with("<transition target=\"x\"/>") == "");
    CHECK(with("") == "W115@3:1");
    CHECK(with("<transition/>") == "W115@3:1");
    CHECK(with("<transition target=\"\"/>").starts_with("E311@3:"));
    CHECK(with("<transition event=\"e\" target=\"x\"/>") == "E317@3:44");
    CHECK(with("<transition cond=\"true\" target=\"x\"/>") == "E317@3:44");
    CHECK(with("<transition target=\"b\"/>").find("E0") != std::string::npos);
    CHECK(with("<transition target=\"z\"/>", "deep") == "");
    CHECK(with("<transition target=\"z\"/>") == "W115@3:1"); // the target of a shallow one must be a child of its state
}

TEST_CASE("a useless <history> is reported") {
    CHECK(found_in("<state id=\"a\"><history id=\"h\"><transition target=\"a\"/></history></state>") ==
          "E317@2:15"); // there is nothing to go back to
    CHECK(found_in("<state id=\"a\"><state id=\"x\"/>\n<history><transition target=\"x\"/></history></state>").find("W113@3:1") != std::string::npos);
    CHECK(found_in("<state id=\"a\" initial=\"h\"><state id=\"x\"/>\n<history id=\"h\"><transition target=\"x\"/></history></state>") ==
          "W113@3:1"); // only one state
    CHECK(found_in("<state id=\"a\" initial=\"h\"><state id=\"x\"/>\n<history id=\"h\"><transition target=\"x\"/></history>"
                   "<state id=\"y\"><transition event=\"e\" target=\"x\"/></state></state>")
              .find("W113") == std::string::npos);
    CHECK(found_in("<state id=\"a\" initial=\"h\"><parallel id=\"p\"><state id=\"x\"/><state id=\"y\"/></parallel>\n<history id=\"h\" type=\"deep\">"
                   "<transition target=\"p\"/></history></state>") == "W113@3:1");
}

TEST_CASE("a transition that an earlier one always precedes is reported") {
    CHECK(found_in("<state id=\"a\"><transition target=\"b\"/>\n<transition target=\"b\"/></state><final id=\"b\"/>") == "W102@3:1");
    CHECK(found_in("<state id=\"a\"><transition event=\"error\" target=\"b\"/>\n<transition event=\"error.bar error.foo\" "
                   "target=\"b\"/></state><final id=\"b\"/>") == "W102@3:1");
    CHECK(found_in("<state id=\"a\"><transition event=\"*\" target=\"b\"/>\n<transition event=\"error\" target=\"b\"/></state><final id=\"b\"/>") ==
          "W102@3:1");
    CHECK(
        found_in(
            "<state id=\"a\"><transition event=\"error.bar\" target=\"b\"/>\n<transition event=\"error\" target=\"b\"/></state><final id=\"b\"/>") ==
        "");
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" cond=\"In('b')\" target=\"b\"/>\n<transition event=\"e\" target=\"b\"/></state><final "
                   "id=\"b\"/>") == "");
}

TEST_CASE("a transition of a state that exits before any event is reported") {
    CHECK(found_in("<state id=\"a\"><transition target=\"b\"/>\n<transition event=\"e\" target=\"b\"/></state><final id=\"b\"/>") == "W112@3:1");
    CHECK(found_in("<state id=\"a\"><transition cond=\"In('b')\" target=\"b\"/>\n<transition event=\"e\" target=\"b\"/></state><final id=\"b\"/>") ==
          "");
}

TEST_CASE("an empty condition is ignored") {
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" cond=\" \" target=\"b\"/></state><final id=\"b\"/>") == "W115@2:37");
    CHECK(found_in("<state id=\"a\"><initial><transition cond=\"\" target=\"x\"/></initial><state id=\"x\"/></state>") == "W115@2:36");
    CHECK(found_in("<state id=\"a\"><transition cond=\"\"/></state>") == "E311@2:15");
    CHECK(found_in("<state id=\"a\"><onentry><if cond=\"\"/></onentry></state>") == "E311@2:28");
}

TEST_CASE("a transition in <scxml> is reported") {
    CHECK(found_in("<transition event=\"e\" target=\"b\"/><state id=\"a\"/><state id=\"b\"/>") == "W115@2:1");
    CHECK(found_in("<transition cond=\"In(b)\" target=\"b\"/><state id=\"a\"/><state id=\"b\"/>") == "E317@2:1");
}

TEST_CASE("a condition that never holds is reported") {
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" cond=\"false\" target=\"a\"/></state>") == "W112@2:43");
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" cond=\"In(nowhere)\" target=\"a\"/></state>") == "W112@2:43");
}

TEST_CASE("transitions that never become stable are reported") {
    CHECK(found_in("<state id=\"a\"><transition target=\"b\"/></state>\n<state id=\"b\"><transition target=\"a\"/></state>").find("W103") !=
          std::string::npos);
    CHECK(found_in("<state id=\"a\">\n<transition/></state>") == "E311@3:1");
    CHECK(found_in("<state id=\"a\">\n<transition cond=\"In(a)\"/></state>") == "W103@3:1"); // it does nothing, repeatedly
}

TEST_CASE("<content> with <param> is reported") {
    CHECK(found_in("<state id=\"a\"><onentry><send event=\"e\"><param name=\"n\" expr=\"3\"/>\n<content>x</content></send></onentry></state>") ==
          "E317@3:1");
    CHECK(found_in("<final id=\"a\"><donedata><param name=\"n\" expr=\"3\"/>\n<content>x</content></donedata></final>") == "E317@3:1");
}

TEST_CASE("missing and conflicting attributes are reported") {
    const auto content = [](const std::string& inside) { return found_in("<state id=\"a\"><onentry>\n" + inside + "</onentry></state>"); };
    CHECK(content("<raise/>") == "E311@3:1");
    CHECK(content("<if/>") == "E311@3:1");
    CHECK(content("<if cond=\"true\"><elseif/></if>") == "E311@3:17");
    CHECK(content("<cancel/>") == "E311@3:1");
    CHECK(content("<send/>") == "E311@3:1");
    CHECK(content("<send event=\"e\"><param expr=\"1\"/></send>") == "E311@3:17");
    CHECK(content("<send event=\"e\" eventexpr=\"'e'\"/>") == "E312@3:17");
    CHECK(content("<send event=\"e\" delay=\"1s\" delayexpr=\"'1s'\"/>") == "E312@3:28");
    CHECK(content("<assign/>").starts_with("E311@3:1"));
    CHECK(content("<foreach/>").starts_with("E311@3:1"));
    CHECK(found_in("<datamodel>\n<data/></datamodel><state id=\"a\"/>") == "E311@3:1");
}

TEST_CASE("invalid values are reported") {
    CHECK(found_in("<state id=\"a\"><transition event=\"e\" type=\"inner\"/></state>") == "E312@2:43");
    CHECK(found_in("<state id=\"a\"><transition event=\"\" target=\"a\"/></state>") == "E312@2:27");
    CHECK(found_in("<state id=\"a\"><onentry><send event=\"e\" delay=\"soon\"/></onentry></state>") == "E312@2:47");
    CHECK(found_in("<state id=\"a\"><onentry><send event=\"e\" target=\"#_internal\" delay=\"1s\"/></onentry></state>") == "E312@2:24");
    CHECK(found_in("<state id=\"a\"/>", "binding=\"never\"") == "E312@1:71");
    CHECK(found_in("<state id=\"a\"><transition event=\"a*\" target=\"a\"/></state>") == "W114@2:34");
    CHECK(found_in("<state id=\"a\"><onentry><raise event=\"a.*\"/><send event=\"a..b\"/></onentry></state>") == "W114@2:38 W114@2:57");
}

TEST_CASE("an event for an unknown processor is reported") {
    CHECK(found_in("<state id=\"a\"><onentry><send event=\"e\" type=\"x-mail\"/></onentry></state>") == "W115@2:46");
    CHECK(
        found_in(
            "<state id=\"a\"><onentry><send event=\"e\" type=\"scxml\"/><send event=\"e\" type=\"http://www.w3.org/TR/scxml/#SCXMLEventProcessor\"/>"
            "</onentry></state>") == "");
    hsm::scxml_options known;
    known.send_types = {"x-mail"};
    auto loaded = hsm::try_load_scxml_text(
        "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"><onentry><send event=\"e\" type=\"x-mail\"/></onentry>"
        "</state></scxml>",
        "d", known);
    REQUIRE(loaded);
    CHECK(hsm::check(*loaded.root).empty());
}

TEST_CASE("a misspelt, empty or missing data model is reported") {
    for (const auto* const other : {"lua", "jexl", "python", "cplusplus", "xpath", "promela", "groovy", "native"}) {
        CAPTURE(other);
        CHECK(found_in("<state id=\"a\"><onentry><script>x</script></onentry></state>", "datamodel=\"" + std::string(other) + '"') == "");
    }
    CHECK(found_in("<state id=\"a\"/>", "datamodel=\"ecmscript\"") == "W325@1:73");
    CHECK(found_in("<state id=\"a\"/>", "datamodel=\"\"") == "E312@1:62");
    CHECK(found_in("<state id=\"a\"><onentry><script>x</script></onentry></state>", "datamodel=\"ecmascript\"") == "E392@2:24");
}

TEST_CASE("a transition with type=\"internal\" that exits its state is reported") {
    CHECK(found_in("<state id=\"a\"><state id=\"x\"/>\n<transition event=\"e\" type=\"internal\" target=\"b\"/></state><state id=\"b\"/>") ==
          "W105@3:1");
}

TEST_CASE("a <parallel> without regions, and a document without states, version or namespace, are reported") {
    CHECK(found_in("<parallel id=\"p\"/>") == "W115@2:1");
    CHECK(found_in("") == "E002@1:1");
    std::string codes;
    const auto loaded = hsm::try_load_scxml_text("<scxml><state id=\"a\"/></scxml>");
    REQUIRE(loaded);
    for (const auto& f : hsm::check(*loaded.root)) codes += hsm::to_string(f.code) + ' ';
    CHECK(codes == "HSM-115 HSM-115 ");
}

TEST_CASE("an event that is used once and resembles a more frequent one is reported") {
    const auto door = [](const std::string& once) {
        return found_in("<state id=\"a\"><onentry><send event=\"alarms\"/></onentry><transition event=\"alarms\" target=\"b\"/></state>\n"
                        "<state id=\"b\"><transition event=\"" +
                        once + "\" target=\"a\"/></state>");
    };
    CHECK(door("alxrms") == "W325@3:34");
    CHECK(door("alrms.*") == "W325@3:34");
    CHECK(door("alarms") == "");
    CHECK(door("alarms2") == "");
    CHECK(door("realarms") == "");
    CHECK(found_in("<state id=\"a\"><transition event=\"alarms\" target=\"b\"/></state>\n"
                   "<state id=\"b\"><transition event=\"alxrms\" target=\"a\"/></state>") == ""); // both are used once
}

TEST_CASE("messages use the terms of SCXML") {
    const auto findings_of = [](const std::string& inside) {
        auto loaded = hsm::try_load_scxml_text(hsm::test::scxml_document(inside, "datamodel=\"null\""), "d");
        return loaded ? hsm::describe(hsm::check(*loaded.root)) : hsm::describe(loaded.problems);
    };
    CHECK(findings_of("<state id=\"a\"/>\n<state id=\"b\"/>") ==
          "d:2:1: HSM-101 warning at scxml/b: no transition or initial leads to this state; hint: "
          "add a transition that names it, or let the program enter it\n");
    CHECK(findings_of("<state id=\"a\"><history id=\"h\">\n<transition target=\"b\"/></history><state id=\"c\"/></state><state id=\"b\"><transition "
                      "event=\"e\" target=\"h\"/>"
                      "</state>") ==
          "d:1:93: HSM-005 error at scxml/a/h: the transition of the <history> names \"scxml/b\", which is not below \"scxml/a\"; hint: name a "
          "substate of this machine, at any depth\n");
}
