// Every error of a file: tests/data/xml_errors has an example for each code, with the exact message next to it.
//
//     HSM_WRITE_MESSAGES=1      writes the messages instead of comparing them

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

// Not in an anonymous namespace, because compilers spell such names differently.
struct weapon {
    int charge = 0;
};
struct monster {
    weapon held;
    bool target = false;
};
struct hit {
    int force;
};
enum class pose { idle };
struct strike {
    int blows = 0;
};
class circle : public hsm::fsm<monster> {
public:
    circle() : fsm("circle") { add("left").to(add("right")); }
};

namespace {

namespace fs = std::filesystem;

struct monster_names : hsm::registry<monster> {
    monster_names() {
        for (const char* name : {"hasTarget", "noTarget", "agentDead"}) guard(name, &monster::target);
        guard<hit>("strong", [](const monster&, const hit& h) { return h.force > 5; });
        guard<hsm::state_ref>("leavesTo", [](const monster&, hsm::state_ref) { return true; });
        for (const char* name : {"roar", "rot"}) hook(name, [](monster&) {});
        action<hit>("flinch", [](monster&, const hit&) {});
        delay("patience", std::chrono::seconds(2));
        local<strike>("strike");
        state<circle>("circle");
        part<weapon>("weapon", &monster::held).hook("load", [](weapon&) {});
        identifier("idle", pose::idle);
        event<hit>("hit");
    }
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the errors of a file. Some codes need more than a file.
std::string message_of(const fs::path& path) {
    const auto name = path.filename().string();
    monster_names names;
    hsm::load_options options;
    if (name.starts_with("302")) options.max_bytes = 100;
    if (name.starts_with("306")) options.max_depth = 4;
    if (name.starts_with("321")) options.max_states = 4;
    if (name.starts_with("322")) options.max_name = 10;
    if (name.starts_with("323")) options.max_parts = 5;
    if (name.starts_with("324")) options.max_problems = 2;
    if (name.starts_with("319")) names.guard("hasTarget", &monster::target);
    auto loaded = hsm::try_load_xml_text(contents(path), names, name, options);
    if (!loaded) return hsm::describe(loaded.problems);
    if (name.starts_with("320")) {
        loaded.root->on_enter([](monster&) {}).to("a").when([](const monster&) { return false; }).after([](const monster&) { return 1.0; });
        loaded.root->local<strike>();
        try {
            return hsm::save_xml(loaded.root);
        } catch (const hsm::load_error& e) {
            return e.what();
        }
    }
    return hsm::describe(hsm::check(loaded.root));
}

} // namespace

TEST_CASE("each error has its code, place and hint") {
    const bool write = std::getenv("HSM_WRITE_MESSAGES") != nullptr;
    std::set<std::string> seen;
    for (const auto& entry : fs::directory_iterator(fs::path(HSM_TEST_DATA) / "xml_errors")) {
        if (entry.path().extension() != ".xml") continue;
        const auto message = message_of(entry.path());
        auto expected = entry.path();
        expected.replace_extension(".txt");
        if (write) std::ofstream(expected, std::ios::binary) << message;
        CAPTURE(entry.path().filename().string());
        CHECK(message == contents(expected));
        const auto code = entry.path().filename().string().substr(0, 3);
        if (code.starts_with('3')) CHECK(message.find("HSM-" + code) != message.npos);
        seen.insert(code);
        for (const char* cpp : {"()", "(...)", "<T>", "root->", "change_to", "otherwise names"})
            CHECK(message.find(cpp) == message.npos); // terms of XML
    }
    for (const auto code : hsm::all_codes())
        if (code > hsm::code::unreadable_file && code < hsm::code::unreadable_trace && code != hsm::code::misspelt_name &&
            code != hsm::code::not_constant) // the tool reports these two
            CHECK_MESSAGE(seen.contains(std::to_string(static_cast<int>(code))), hsm::to_string(code), " has no example");
}

TEST_CASE("HSM-010: if a guard or action was registered without its event, the hint shows how to register it") {
    hsm::registry<monster> names;
    names.event<hit>("hit").guard("hard", [](const monster&, const hit&) { return true; }).action("flinch", [](monster&, const hit&) {});
    const auto message = [&](const std::string& transition) {
        auto loaded =
            hsm::try_load_xml_text("<Project name=\"P\"><state ID=\"a\">" + transition + "</state><state ID=\"b\"/></Project>", names, "p.xml");
        REQUIRE(loaded);
        return hsm::describe(hsm::check(loaded.root));
    };
    const auto has = [&](const std::string& transition, const char* hint) { return message(transition).find(hint) != std::string::npos; };
    CHECK(
        has("<to ID=\"b\" event=\"hit\"><condition ID=\"hard\"/></to>",
            "hint: the event of this transition is \"hit\"; if the guard takes it, register the guard as guard<Event>; otherwise add a local to the "
            "state with local=\"...\""));
    CHECK(has("<to ID=\"b\"><condition ID=\"hard\"/></to>",
              "hint: if it is the event, register the guard as guard<Event>, and name the event with event=\"...\"; otherwise add a local"));
    CHECK(
        has("<to ID=\"b\" event=\"hit\" action=\"flinch\"/>", "if the action takes it, register the action as action<Event>; an action takes only"));
}

TEST_CASE("a missing or unreadable file is reported with its path") {
    const monster_names names;
    const auto message = [&](const std::string& path) { return hsm::describe(hsm::try_load_xml(path, names).problems); };
    CHECK(message("no/such/file.xml") == "no/such/file.xml: HSM-301 error: the file cannot be read: No such file or directory; "
                                         "hint: check the path; a relative path begins at the current directory\n");
    CHECK(message(HSM_TEST_DATA) == HSM_TEST_DATA ": HSM-301 error: the file cannot be read: it is a directory; "
                                                  "hint: check the path; a relative path begins at the current directory\n");
    hsm::load_options options;
    options.max_bytes = 100;
    CHECK(hsm::describe(hsm::try_load_xml(HSM_SAMPLE_DATA "/monster.xml", names, options).problems) == HSM_SAMPLE_DATA
          "/monster.xml: HSM-302 error: the file is larger than 100 bytes; "
          "hint: split the machine, or raise load_options::max_bytes\n");
}

TEST_CASE("a markup error is reported at its place, at least as close as xmllint reports it") {
    struct malformed {
        const char* what;
        std::uint32_t line;     // of the mistake
        const char* text;       // instead of that line
        hsm::file_position own; // by hsm; it has no file
        std::uint32_t xmllint;  // the first line that xmllint reports (libxml2 2.9.14)
        const char* problem;
    };
    const malformed all[] = {
        {"a start tag without its end", 2, "<state ID=\"a\" kind=\"leaf\"", {"", 2, 1}, 3, "the tag <state has no '>' at its end"},
        {"an end tag without its end", 4, "</state", {"", 4, 1}, 5, "the tag </state has no '>' at its end"},
        {"an element that is not closed", 4, "", {"", 2, 1}, 8, "<state> is not closed before </Project> in line 8"},
        {"an element that is not empty", 3, "  <to ID=\"b\">", {"", 3, 3}, 4, "<to> is not closed before </state> in line 4"},
        {"an end tag of another name", 4, "</stat>", {"", 4, 1}, 4, "</stat> does not match <state> in line 2"},
        {"an end tag too many", 4, "</state></state>", {"", 4, 9}, 4, "</state> does not match <Project> in line 1"},
        {"the last element is not closed", 8, "", {"", 1, 1}, 9, "<Project> is not closed"},
        {"a value without its last quote", 2, "<state kind=\"leaf\" ID=\"a>", {"", 2, 23}, 3, "this value has no quotation mark at its end"},
        {"a value in the middle without its last quote",
         2,
         "<state ID=\"a kind=\"leaf\">",
         {"", 2, 11},
         2,
         "this value has no quotation mark at its end"},
        {"a value without its first quote", 2, "<state ID=a\" kind=\"leaf\">", {"", 2, 11}, 2, "the value of \"ID\" is not in quotes"},
        {"an attribute without '='", 2, "<state ID \"a\" kind=\"leaf\">", {"", 2, 8}, 2, "the attribute \"ID\" has no value"},
        {"attributes without a space", 2, "<state ID=\"a\"kind=\"leaf\">", {"", 2, 14}, 2, "this attribute has no space before it"},
        {"a value without an attribute", 2, "<state =\"a\" kind=\"leaf\">", {"", 2, 8}, 2, "no attribute can begin here"},
        {"a '<' that begins nothing", 3, "< to ID=\"b\"/>", {"", 3, 1}, 3, "this '<' does not begin an element"},
        {"a comment that is not closed", 3, "<!-- <to ID=\"b\"/>", {"", 3, 1}, 9, "this comment is not closed"},
        {"a comment that ends with the next one", 3, "<!-- b\n<!-- c -->", {"", 3, 1}, 4, "this comment is not closed before the next one begins"},
        {"a CDATA section that is not closed", 3, "<![CDATA[ <to ID=\"b\"/>", {"", 3, 1}, 9, "this CDATA section is not closed"},
        {"an end tag with an attribute", 4, "</state ID=\"a\">", {"", 4, 1}, 4, "the end tag </state> contains more than its name"},
    };
    const char* const fine[] = {"<Project name=\"P\">",
                                "<state ID=\"a\" kind=\"leaf\">",
                                "  <to ID=\"b\"/>",
                                "</state>",
                                "<state ID=\"b\" kind=\"leaf\">",
                                "  <to ID=\"a\"/>",
                                "</state>",
                                "</Project>"};
    const auto far = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
    for (const auto& m : all) {
        std::string text;
        for (std::uint32_t i = 0; i < std::size(fine); ++i) text.append(i + 1 == m.line ? m.text : fine[i]) += '\n';
        const auto problems = hsm::try_load_xml_text(text, hsm::registry<monster>()).problems;
        CAPTURE(m.what);
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].code == hsm::code::not_xml);
        CHECK(problems[0].problem == m.problem);
        CHECK(problems[0].where.line == m.own.line);
        CHECK(problems[0].where.column == m.own.column);
        // An element without an end tag is reported where it begins: the place of the missing tag is not known.
        const auto line = problems[0].problem.starts_with('<') ? m.own.line : m.line;
        CHECK(far(problems[0].where.line, line) <= far(m.xmllint, line));
    }
}

TEST_CASE("indentation determines which of several elements is not closed") {
    const auto loaded = hsm::try_load_xml_text("<Project name='P'>\n"
                                               "  <state ID='a'>\n"
                                               "    <state ID='b'>\n"
                                               "      <to ID='c'/>\n"
                                               "    <state ID='c'>\n"
                                               "    </state>\n"
                                               "  </state>\n"
                                               "</Project>\n",
                                               hsm::registry<monster>());
    CHECK(hsm::describe(loaded.problems) == "(text):3:5: HSM-304 error: <state> is not closed before </Project> in line 8; hint: close each <name> "
                                            "with </name>, the innermost element first; <name/> needs no end tag\n");
}

TEST_CASE("a load_error lists and stores all errors") {
    const monster_names names;
    try {
        static_cast<void>(hsm::load_xml_text("<Project name='P'>\n<state/>\n<state ID='a' enter='rore'/></Project>", names, "two.xml"));
        FAIL("it was loaded");
    } catch (const hsm::load_error& e) {
        REQUIRE(e.problems().size() == 2);
        CHECK(e.problems()[0].to_string() == "two.xml:2:1: HSM-311 error: <state> has no \"ID\"; hint: write ID=\"...\"");
        CHECK(e.problems()[1].to_string() == "two.xml:3:22: HSM-313 error: no hook is registered as \"rore\"; hint: did you mean \"roar\"?");
        CHECK(std::string(e.what()) == hsm::describe(e.problems()));
    }
}

TEST_CASE("a compile finding in a loaded definition has its place in the file") {
    const monster_names names;
    auto root = hsm::load_xml_text("<Project name='P'>\n  <state ID='a' kind='machine'/>\n</Project>", names, "m.xml");
    try {
        static_cast<void>(hsm::compile(std::move(root)));
        FAIL("it was compiled");
    } catch (const hsm::definition_error& e) {
        CHECK(std::string(e.what()) == "the definition has errors:\nm.xml:2:3: HSM-002 error at P/a: the machine has no substates; "
                                       "hint: add a substate, or use a plain state instead\n");
    }
}

TEST_CASE("a thousand errors are reported, and the others are counted") {
    const monster_names names;
    std::string text = "<Project name='P'>";
    for (int i = 0; i < 1500; ++i) text += "<banana/>";
    text += "<state ID='a'/>";
    const auto loaded = hsm::try_load_xml_text(text + "</Project>", names);
    REQUIRE(loaded.problems.size() == 1001);
    CHECK(loaded.problems[999].to_string() == "(text):1:9010: HSM-307 error: <banana> is unknown here; hint: see docs/reference/xml_format.md");
    CHECK(loaded.problems.back().to_string() == "(text): HSM-324 error: there are 500 more errors in this file; hint: fix the listed errors first");
}

namespace {
/// Returns the codes of a file's errors, each with its line.
std::string wrong_in(const std::string& text) {
    static const monster_names names;
    const auto loaded = hsm::try_load_xml_text("<Project name='P'>\n" + text + "</Project>", names);
    std::string all;
    for (const auto& p : loaded.problems) {
        if (!all.empty()) all += ' ';
        all.append(std::to_string(p.where.line)).append(":").append(std::to_string(static_cast<int>(p.code)));
    }
    return all;
}
const std::string banana = "<banana/>\n"; // in line 2: an error of its own
} // namespace

TEST_CASE("findings of the check are reported with the errors of a file") {
    const auto beside = [](const std::string& text) { return wrong_in(banana + text); };
    CHECK(beside("") == "1:2 2:307");
    CHECK(beside("<state ID='b'/>\n<state ID='a' initial='b'>\n<dispatch ID='b'/><state ID='c'/></state>\n") == "2:307 4:5 5:6");
    CHECK(beside("<bit ID='a' index='1'/>\n<bit ID='a' index='2'/>\n<bit ID='b' index='1'/>\n<state ID='a'/>\n") == "2:307 4:25 5:26");
    CHECK(beside("<state ID='a'/>\n<state ID='a'/>\n") == "2:307 4:4");
    CHECK(beside("<state ID='a/b'/>\n") == "2:307 3:3");
    CHECK(beside("<state ID='a' kind='machine'/>\n") == "2:307 3:2");
    CHECK(beside("<state ID='a' kind='parallel'>\n<state ID='b' kind='choice'><to ID='a'/></state></state>\n") == "2:307 4:23");
    CHECK(beside("<state ID='a' initial='b'><initial ID='b'/><state ID='b'/></state>\n") == "2:307 3:9");
    CHECK(beside("<state ID='a' kind='leaf' local='strike strike strike'/>\n") == "2:307 3:11");
    CHECK(beside("<state ID='a' kind='leaf'><on every='1s' finished='true' action='roar'/></state>\n") == "2:307 3:18 3:21");
    CHECK(beside("<state ID='a' kind='final' update='roar'>\n<to ID='a'/></state>\n") == "2:307 3:14 4:13");
    CHECK(beside("<state ID='a'>\n<to ID='a' event='hit' finished='true'/></state>\n") == "2:307 4:15");
    CHECK(beside("<state ID='a' kind='choice'><to ID='a'><condition ID='hasTarget'/></to></state>\n") == "2:307 3:19");
    CHECK(beside("<state ID='a' min_duration='-1s'>\n<to ID='a' after='-1s'/></state>\n") == "2:307 3:20 4:20");
    CHECK(beside("<state ID='a'>\n<to ID='a' event='hit' always='true'/></state>\n") == "2:307 4:21");
    CHECK(beside("<state ID='a'>\n<to ID='nowhere'/></state>\n") == "2:307 4:7");
}

TEST_CASE("a file without errors loads, and the check reports its findings") {
    CHECK(wrong_in("<state ID='a'/>\n<state ID='a'/>\n") == "");
    CHECK(wrong_in("<state ID='a' kind='machine'/>\n") == "");
}

TEST_CASE("an error causes no further errors") {
    const std::string a = "<state ID='a' kind='leaf'/>\n";
    CHECK(wrong_in("<state ID='a' kind='leaf'><on every='1s' action='rore'/></state>\n") == "2:313");
    CHECK(wrong_in("<state ID='a' kind='choice'><to ID='a'><condition ID='hazTarget'/></to><otherwise ID='a'/></state>\n") == "2:313");
    CHECK(wrong_in("<state ID='a' kind='choice'><to/></state>\n") == "2:311");
    CHECK(wrong_in("<state ID='a' kind='machine'><state/></state>\n") == "2:311");
    CHECK(wrong_in("<state ID='a'><to ID='a' after='patiance'/></state>\n") == "2:313");
    CHECK(wrong_in("<state ID='a' min_duration='5 parsecs' kind='leaf'/>\n") == "2:312");
    CHECK(wrong_in("<state/>\n<state/>\n" + a) == "2:311 3:311");
    CHECK(wrong_in("<state><to ID='a'/></state>\n<state><to ID='a'/></state>\n" + a) == "2:311 3:311");
    CHECK(wrong_in("<state ID='b' kind='histroy'><otherwise ID='a'/></state>\n" + a) == "2:312");
    CHECK(wrong_in("<state ID='b' kind='machin'><state ID='c'/></state>\n" + a) == "2:312");
}

TEST_CASE("in a state whose class or context is unknown all errors that do not depend on it are reported") {
    const std::string a = "<state ID='a' kind='leaf'><to ID='b'/><to ID='b/inside/it'/></state>\n";
    CHECK(wrong_in("<state ID='b' class='spiral'/>\n" + a) == "2:313");
    CHECK(wrong_in("<state ID='b' class='spiral' enter='itsOwn'><to ID='inside'/><state ID='c'><to ID='inside'/></state></state>\n" + a) == "2:313");
    CHECK(wrong_in("<state ID='b' class='spiral'>\n<state ID='c' after='1s'/></state>\n" + a) == "2:313 3:309");
    CHECK(wrong_in("<state ID='b' class='spiral'>\n<state ID='c'/>\n<state ID='c'/></state>\n" + a) == "2:313");
    CHECK(wrong_in("<state ID='b' class='spiral'/>\n<state ID='a'>\n<to ID='b/inside'/>\n<to ID='nowhere'/></state>\n") == "2:313 5:7");
    CHECK(wrong_in("<state ID='b' context='shield'><state ID='c' enter='itsOwn'/></state>\n<state ID='d' enter='rore' kind='leaf'/>\n") ==
          "2:313 3:313");
}

TEST_CASE("a reaction without an event and an action is reported") {
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on/></state>\n") == "3:311");
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on every='1s'/></state>\n") == "3:311");
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on event='hit'/>\n<on every='1s' action='roar'/></state>\n") == "");
}

TEST_CASE("an asterisk at the end of an event without a dot is an unknown event") {
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on event='hit*' action='roar'/></state>\n") == "3:314");
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on event='hit hit*' action='roar'/></state>\n") == "3:314");
    CHECK(wrong_in("<state ID='a' kind='leaf'>\n<on event='hit.*' action='roar'/></state>\n") == "");
}

TEST_CASE("a definition that no file can express is not saved") {
    const auto outcome_of = [](std::string name) -> std::string {
        auto root = hsm::make_fsm<monster>("P");
        root->add(std::move(name)).to(root->add("\xc3\xa4\t\r\n"));
        try {
            const auto again = hsm::load_xml_text(hsm::save_xml(root), hsm::registry<monster>());
            return again->substates()[1]->name() == root->substates()[1]->name() ? "the same" : "another";
        } catch (const hsm::load_error& e) {
            return e.what();
        }
    };
    CHECK(outcome_of("a") == "the same");
    CHECK(outcome_of("a\xff") == "HSM-303 error: the attribute ID of <state>, \"a\xff\", contains a character that is not allowed in XML; "
                                 "hint: use UTF-8 without control characters\n");
    CHECK(outcome_of("\xef\xbf\xbd") == "the same"); // U+FFFD
    for (const char* name : {"\x01", "\x1b", "\x1f", "\xc3", "\xed\xa0\x80", "\xef\xbf\xbe", "\xef\xbf\xbf"})
        CHECK(outcome_of(name).find("HSM-303") == 0);
    CHECK(outcome_of(std::string("a\0b", 3)).find("HSM-303") == 0);
}

TEST_CASE("a guard without a name is reported once, also if it tests conditions") {
    auto root = hsm::make_fsm<monster>("P");
    auto& a = root->add("a");
    a.to(root->add("b")).when(hsm::any("Near", [](const monster&) { return false; }));
    std::string said;
    try {
        static_cast<void>(hsm::save_xml(root));
    } catch (const hsm::load_error& e) {
        said = e.what();
    }
    CHECK(said.substr(said.find("HSM-")) ==
          "HSM-320 error: a guard of \"P/a\" has no name in a registry; hint: register it and name it in the file; parts that "
          "code adds cannot be saved\n");
}
