#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

using tool_run::called;
using tool_run::file;
using tool_run::replaced;

namespace {

constexpr const char* fine = R"(<Project name="door">
  <event ID="push"/>
  <state ID="closed"><to ID="open" event="push"><condition ID="strong"/></to></state>
  <state ID="open" enter="light"><to ID="closed" after="patience"/></state>
</Project>)";

constexpr const char* bad = R"(<Project name="door">
  <state ID="closed"><to ID="opne"/></state>
  <state ID="open"><to ID="closed" after="5 minutes"/></state>
</Project>)";

constexpr const char* doubtful = R"(<Project name="door">
  <state ID="closed" kind="leaf"/>
  <state ID="open"><to ID="closed"/></state>
</Project>)";

tool_run::outcome checked(const std::string& text, const std::vector<std::string>& more = {}) {
    const file f(text, ".xml");
    std::vector<std::string> words{"check", f.path()};
    words.insert(words.end(), more.begin(), more.end());
    auto done = called(words);
    done.out = replaced(done.out, f.path(), "door.xml");
    return done;
}

struct house {
    bool strong = false;
};

hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push").when(hsm::named("strong", [](const house& h) { return h.strong; }));
    open.to(closed).on("push");
    root->add("cellar");
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("check prints nothing for a correct file, and accepts names that are not registered") {
    const auto done = checked(fine);
    CHECK(done.code == 0);
    CHECK(done.out == "");
    CHECK(done.err == "");
}

TEST_CASE("check prints all errors of a file with their places") {
    const auto done = checked(bad);
    CHECK(done.code == 1);
    CHECK(done.out == R"(door.xml:2:22: error: <to> names "opne", but this state does not exist [HSM-007]
    did you mean "door/open"?
door.xml:3:43: error: after is "5 minutes" [HSM-312]
    write a time like "500ms", "1.5s" or "2min", or the name of a registered delay
2 errors
)");
}

TEST_CASE("check prints warnings of a file without errors") {
    const auto done = checked(doubtful);
    CHECK(done.code == 1);
    CHECK(done.out == R"(door.xml:3:3: warning: door/open: no <to>, <dispatch> or initial leads to this state [HSM-101]
    add a <to> that names it, or let the program enter it
1 warning
)");
}

TEST_CASE("the JSON output is a list of objects") {
    CHECK(checked(fine, {"--format", "json"}).out == "[]\n");
    const auto done = checked(doubtful, {"--format", "json"});
    CHECK(done.code == 1);
    CHECK(done.out == "[\n{\"severity\": \"warning\", \"code\": \"HSM-101\", \"file\": \"door.xml\", \"line\": 3, \"column\": 3, \"state\": "
                      "\"door/open\", \"message\": \"no <to>, <dispatch> or initial leads to this state\", \"hint\": \"add a <to> that names it, "
                      "or let the program enter it\"}\n]\n");
}

TEST_CASE("messages show the codes of control characters in names") {
    const std::string csi = "\xc2\x9b"; // ESC [ as one character, which XML permits
    const auto text = "<Project name='P'><state ID='" + csi + "31m\x7f'><to ID='nowhere'/></state></Project>";
    const auto done = checked(text);
    CHECK(done.out.ends_with("    \"P\" has \"\\xc2\\x9b31m\\x7f\"\n1 error\n"));
    CHECK(checked(text, {"--format", "json"}).out.find(R"(\"P\" has \"\u009b31m\u007f\")") != std::string::npos);
    CHECK(called({"check", "\x1b[31m.xml"}).out == "\\x1b[31m.xml: error: it cannot be read: no such file or directory [HSM-301]\n1 error\n");
    CHECK(called({"\x1b[31m"}).err.starts_with("hsm: error: there is no command \\x1b[31m\n"));
    CHECK(called({"run", "-"}, "<Project name='" + csi + "'><state ID='a' kind='leaf'/></Project>").out.find('\x9b') == std::string::npos);
}

TEST_CASE("stdin can be checked") {
    const auto done = called({"check", "-"}, bad);
    CHECK(done.code == 1);
    CHECK(done.out.starts_with("(stdin):2:22: error: <to> names \"opne\", but this state does not exist [HSM-007]\n"));
}

TEST_CASE("check reports a file that it cannot read, and checks the other files") {
    const file good(doubtful, ".xml");
    const auto done = called({"check", "/no/such.xml", "/tmp", "x.yaml", good.path()});
    CHECK(done.code == 2);
    CHECK(replaced(replaced(done.out, good.path(), "door.xml"), ", .scxml", "") ==
          R"(/no/such.xml: error: it cannot be read: no such file or directory [HSM-301]
/tmp: error: it cannot be read: it is a directory [HSM-301]
x.yaml: error: its extension is not that of a machine file
    known extensions: .xml
door.xml:3:3: warning: door/open: no <to>, <dispatch> or initial leads to this state [HSM-101]
    add a <to> that names it, or let the program enter it
3 errors and 1 warning
)");
}

TEST_CASE("check refuses garbage and empty files") {
    CHECK(checked("").out == "door.xml:1:1: error: the file is empty [HSM-304]\n    begin the file with <Project name=\"...\">\n1 error\n");
    std::string garbage;
    for (int i = 0; i < 3000; ++i) garbage += static_cast<char>(i * 7 % 251);
    const auto done = checked(garbage);
    CHECK(done.code == 1);
    CHECK(done.out.starts_with("door.xml"));
    CHECK(done.out.ends_with("1 error\n"));
}

TEST_CASE("check reports missing permission to read a file") {
    const file secret(fine, ".xml");
    chmod(secret.path().c_str(), 0);
    const bool was_root = geteuid() == 0;
    if (was_root) REQUIRE(seteuid(65534) == 0);
    const auto done = called({"check", secret.path()});
    if (was_root) REQUIRE(seteuid(0) == 0);
    CHECK(done.code == 2);
    CHECK(replaced(done.out, secret.path(), "door.xml") == "door.xml: error: it cannot be read: permission denied [HSM-301]\n1 error\n");
}

TEST_CASE("if a file declares events or bits, others are errors, as for load_xml") {
    const std::string text = "<Project name='door'>\n<event ID='alarm'/><bit ID='Armed'/>\n"
                             "<state ID='a'><to ID='b' event='alrm'/><to ID='b'><bit ID='Armd'/></to></state>\n"
                             "<state ID='b'><to ID='a' event='alarm'><bit ID='!Armed'/></to></state></Project>";
    const auto done = checked(text);
    CHECK(done.code == 1);
    CHECK(done.out == "door.xml:3:33: error: there is no event \"alrm\" [HSM-314]\n    did you mean \"alarm\"?\n"
                      "door.xml:3:60: error: there is no bit \"Armd\" [HSM-315]\n    did you mean \"Armed\"?\n2 errors\n");
    const auto loaded = hsm::try_load_xml_text(text, hsm::registry<house>(), "door.xml");
    REQUIRE(loaded.problems.size() == 2);
    for (const auto& p : loaded.problems) CHECK(done.out.find(p.problem) != std::string::npos);
    CHECK(checked(text, {"--open"}).code == 0);
    CHECK(checked(replaced(text, "<event ID='alarm'/><bit ID='Armed'/>", "")).code == 0); // they can be registered
}

TEST_CASE("check reports a name that is used once and resembles a more frequent one") {
    const auto report_of = [](const std::string& often, const std::string& once) {
        std::string text = "<Project name='door'>\n";
        for (const char* name : {"a", "b"})
            text += std::string("<state ID='") + name + "' enter='" + often + "'><to ID='c'><condition ID='" + often + "'/></to></state>\n";
        return checked(text + "<state ID='c' update='" + once + "' kind='leaf'><to ID='a' event='" + often + "'><condition ID='" + once +
                       "'/></to><to ID='b' event='" + often + "'/>\n<to ID='b' event='" + once + "'/></state></Project>")
            .out;
    };
    CHECK(report_of("hasTarget", "hasTraget") == "door.xml:4:23: warning: door/c: the hook \"hasTraget\" is used once, and \"hasTarget\" is used 2 "
                                                 "times [HSM-325]\n    did you mean \"hasTarget\"?\n"
                                                 "door.xml:4:90: warning: door/c: the guard \"hasTraget\" is used once, and \"hasTarget\" is used 2 "
                                                 "times [HSM-325]\n    did you mean \"hasTarget\"?\n"
                                                 "door.xml:5:19: warning: door/c: the event \"hasTraget\" is used once, and \"hasTarget\" is used 2 "
                                                 "times [HSM-325]\n    did you mean \"hasTarget\"?\n"
                                                 "3 warnings\n");
    CHECK(report_of("alarms", "alxrms").find("3 warnings") != std::string::npos);
    for (const auto& [often, once] : {std::pair("alarm", "alrm"),
                                      {"alarm", "alarms"},
                                      {"alarm", "realarm"},
                                      {"door_1_open", "door_2_open"},
                                      {"axisX", "axisY"},
                                      {"minValue", "maxValue"},
                                      {"turnOnLight", "turnOffLight"},
                                      {"alarms", "axxrms"},
                                      {"alarm", "fire"}})
        CHECK(report_of(often, once) == "");
}

TEST_CASE("a program with machines refuses names that it has not registered, unless an option allows them") {
    const hsm::tool::machine door(make_door());
    const file f(fine, ".xml");
    const auto strict = tool_run::hsm_with({&door}, {"check", f.path()});
    CHECK(strict.code == 1);
    CHECK(strict.out.find("error: no guard is registered as \"strong\" [HSM-313]") != std::string::npos);
    CHECK(strict.out.ends_with("3 errors\n"));
    CHECK(tool_run::hsm_with({&door}, {"check", "--open", f.path()}).code == 0);

    hsm::registry<house> names;
    names.guard("strong", &house::strong).hook("light", [](house&) {}).delay("patience", hsm::time_span::from_nanoseconds(5));
    hsm::tool::machine other(make_door());
    other.loads_with(names);
    CHECK(tool_run::hsm_with({&other}, {"check", f.path()}).code == 0);
}

TEST_CASE("check accepts names of the program's machines instead of files") {
    const hsm::tool::machine door(make_door());
    hsm::tool::machine second(make_door());
    second.named("back");
    const auto done = tool_run::hsm_with({&door, &second}, {"check", "door", "back"});
    CHECK(done.code == 1);
    CHECK(done.out.find("warning: door/cellar: ") != std::string::npos);
    CHECK(done.out.ends_with("2 warnings\n"));

    const file f(fine, ".xml");
    const auto unclear = tool_run::hsm_with({&door, &second}, {"check", f.path()});
    CHECK(unclear.code == 2);
    CHECK(unclear.out == "hsm: error: several machines of this program have a context that fits a file\n    choose one: --over NAME\n1 error\n");
    CHECK(tool_run::hsm_with({&door, &second}, {"check", f.path(), "--over", "back", "--open"}).code == 0);
    const auto unknown = tool_run::hsm_with({&door, &second}, {"check", f.path(), "--over", "side"});
    CHECK(unknown.out == "hsm: error: there is no machine \"side\" in this program\n    known names: door, back\n1 error\n");
}
