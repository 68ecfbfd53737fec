#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/tool/detail/machine_file.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using tool_run::called;
using tool_run::conversation;
using tool_run::file;
using tool_run::replaced;

namespace {

const std::string door = R"x(<?xml version="1.0" encoding="UTF-8"?>
<!-- A door that closes by itself. -->
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:ed="urn:editor" version="1.0" name="door" datamodel="null" initial="house">
  <parallel id="house">
    <state id="leaf" initial="closed" ed:x="12">
      <!-- at first -->
      <state id="closed">
        <onentry><log label="shut" expr="'now'"/></onentry>
        <transition event="open" cond="In(lit)" target="opened"/>
      </state>
      <state id="opened">
        <onentry><send event="close" delay="1.5s" id="timer"/></onentry>
        <transition event="close" target="closed"><send event="shut" target="#_parent"/></transition>
      </state>
    </state>
    <state id="lamp" initial="dark">
      <state id="dark"><transition event="switch" target="lit"/></state>
      <state id="lit"><transition event="switch" target="dark"/></state>
    </state>
    <transition event="burn" target="ashes"/>
  </parallel>
  <final id="ashes"/>
</scxml>
)x";

const std::string counter = R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="count" datamodel="ecmascript" initial="a">
<datamodel><data id="n" expr="0"/></datamodel>
<state id="a">
<transition event="hit" cond="_event.data.power &gt; 2" target="b"><assign location="n" expr="n + 1"/><log label="n" expr="n"/></transition>
<transition event="bad"><assign location="nowhere" expr="1"/></transition>
</state>
<state id="b"><onentry><send event="report" target="#_parent"><param name="n" expr="n"/></send></onentry></state>
</scxml>
)x";

std::string scxml(const std::string& inside) {
    return "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" name=\"m\" datamodel=\"null\">" + inside + "</scxml>";
}

std::string done_with(std::vector<std::string> words, const std::string& text, const std::string& in = {}, const std::string& end = ".scxml") {
    const file f(text, end);
    for (auto& w : words) w = replaced(w, "FILE", f.path());
    const auto done = called(words, in);
    return replaced(done.out + done.err, f.path(), "m" + end) + "-> " + std::to_string(done.code) + '\n';
}

/// Returns the output for these lines, after that of the start.
std::string played(const std::string& lines, const std::string& text = door, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "FILE"};
    words.insert(words.end(), more.begin(), more.end());
    const auto all = done_with(words, text, lines);
    const auto start = all.find("\nnow ");
    REQUIRE(start != all.npos);
    return all.substr(all.find('\n', start + 1) + 1);
}

/// Returns the output of a test script over the door, without paths.
std::string tested(const std::string& script, const std::string& text = door) {
    const file s(script, ".hsmtest");
    return replaced(done_with({"test", "FILE", s.path()}, text), s.path(), "s");
}

} // namespace

// --- check ---

TEST_CASE("check prints all errors of a document with file, line and column") {
    CHECK(done_with({"check", "FILE"}, door) == "-> 0\n");
    CHECK(done_with({"check", "FILE"}, scxml("\n<state id=\"a\"><transition event=\"e\" target=\"aa\"/></state>\n<state id=\"b\" initial=\"a\"/>")) ==
          "m.scxml:2:45: error: the target \"aa\" is not a state [HSM-007]\n    did you mean \"a\"?\n"
          "m.scxml:3:15: error: a state without child states has an \"initial\" [HSM-317]\n    remove it\n2 errors\n-> 1\n");
}

TEST_CASE("misspelt attributes are reported with the errors of a document") {
    const auto printed = done_with({"check", "FILE"}, scxml("\n<state id=\"a\"><transition traget=\"b\"/>\n<transition event=\"e\" cnod=\"true\" "
                                                            "target=\"b\"/></state>\n<state id=\"b\" initial=\"a\"/>"));
    CHECK(printed.find(
              "m.scxml:2:27: warning: <transition> cannot have the attribute \"traget\"; hsm ignores it [HSM-111]\n    did you mean \"target\"?\n") !=
          std::string::npos);
    CHECK(printed.find("m.scxml:2:15: error: a <transition> has neither") != std::string::npos);
    CHECK(printed.find("m.scxml:3:23: warning: <transition> cannot have the attribute \"cnod\"") != std::string::npos);
    CHECK(printed.ends_with("2 errors and 2 warnings\n-> 1\n"));
    const auto problems = hsm::try_load_scxml_text(scxml("<state id=\"a\" colour=\"1\"/><state id=\"a\"/>")).problems;
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].is_warning());
    CHECK(problems[0].to_string().find("HSM-111 warning: ") != std::string::npos);
    CHECK(!problems[1].is_warning());
}

TEST_CASE("check prints warnings of a document") {
    CHECK(done_with({"check", "FILE"}, scxml("\n<state id=\"a\"/>\n<state id=\"b\"/>"))
              .starts_with("m.scxml:3:1: warning: m/b: no transition or initial leads to this state [HSM-101]\n"));
    CHECK(done_with({"check", "--format", "json", "FILE"}, scxml("<state id=\"a\" colour=\"red\"/>"))
              .starts_with("[\n{\"severity\": \"warning\", \"code\": \"HSM-111\""));
}

TEST_CASE("a document is recognized by its root element, from stdin and with any file name") {
    CHECK(done_with({"check", "FILE"}, door, "", ".xml") == "-> 0\n");
    CHECK(done_with({"check", "FILE"}, door, "", ".txt").find("known extensions: .xml, .scxml\n") != std::string::npos);
    CHECK(called({"check", "-"}, door).code == 0);
    CHECK(called({"check", "-"}, scxml("<state id=\"a\"><transition/></state>")).out.starts_with("(stdin):1:102: error: a <transition> has neither"));
    CHECK(done_with({"check", "FILE"}, "<Project name=\"p\"><state ID=\"a\"/></Project>") ==
          "m.scxml:1:1: error: the document begins with <Project> [HSM-391]\n"
          "    begin the document with <scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">\n1 error\n-> 1\n");
}

TEST_CASE("run --watch reloads a document that is saved, and keeps its state and its delayed events") {
    const std::string text = scxml("<state id=\"a\"><transition event=\"go\" target=\"b\"/></state><state id=\"b\"><onentry><send event=\"late\" "
                                   "delay=\"1s\"/></onentry><transition event=\"late\" target=\"a\"><log label=\"first\"/></transition></state>");
    const file f(text, ".scxml");
    conversation with({"run", f.path(), "--watch"});
    with.type("event go\n", "now b\n");
    const auto save = [&](const std::string& to) { std::ofstream(f.path(), std::ios::binary) << to; };
    save("<scxml");
    CHECK(replaced(with.type("path\n", "the machine is unchanged\nb\n"), f.path(), "m.scxml").find("\nm.scxml:1:1: error: ") != std::string::npos);
    save(replaced(text, "first", "second"));
    CHECK(replaced(with.type("path\n", "now b\nb\n"), f.path(), "m.scxml") ==
          "m.scxml was reloaded; active states: 2 with the same path, 0 with another path, 0 replaced\nnow b\nb\n");
    CHECK(with.type("tick 1s\n", "now a\n").find("second") != std::string::npos);
    CHECK(with.end() == 1); // the first reload failed
}

TEST_CASE("a document with scripts is refused, with a hint how to run it") {
    const auto printed = done_with({"check", "FILE"}, counter);
    CHECK(printed.starts_with(
        "m.scxml:2:12: error: <data> needs a data model, but none is registered for \"ecmascript\" [HSM-392]\n    pass --scripts\n"));
    CHECK(printed.ends_with("5 errors\n-> 1\n"));
    CHECK(done_with({"check", "FILE"}, scxml("<datamodel><data id=\"n\"/></datamodel><state id=\"a\"/>"))
              .ends_with("    write datamodel=\"ecmascript\"; pass --scripts\n1 error\n-> 1\n"));
    if (hsm::detail::tool::script_model())
        CHECK(done_with({"check", "--scripts", "FILE"}, counter) == "-> 0\n");
    else
        CHECK(done_with({"check", "--scripts", "FILE"}, counter) == "hsm: error: this program was built without scripts\n    build hsm with the "
                                                                    "sources of Duktape, and with -Dscripts=enabled\n1 error\n-> 2\n");
}

TEST_CASE("a document of another data model is checked, drawn and converted, and run refuses it") {
    const auto lua = replaced(counter, "ecmascript", "lua");
    CHECK(done_with({"check", "FILE"}, lua) == "-> 0\n");
    CHECK(done_with({"draw", "FILE"}, lua).find("→ b  hit.* [_event.data.power > 2] / n = n + 1; log n\n") != std::string::npos);
    const auto converted = done_with({"convert", "FILE", "-"}, lua);
    CHECK(converted.find("datamodel=\"lua\"") != std::string::npos);
    CHECK(converted.find("cond=\"_event.data.power > 2\"") != std::string::npos);
    CHECK(converted.ends_with("-> 0\n"));
    const file s("event hit\n", ".hsmtest");
    const std::string refused = "hsm: error: the document cannot run: no data model is registered for \"lua\"\n"
                                "    use check, draw or convert, which accept the document\n";
    CHECK(done_with({"run", "FILE"}, lua).find(refused) != std::string::npos);
    CHECK(done_with({"run", "FILE"}, lua).ends_with("-> 2\n"));
    CHECK(done_with({"test", "FILE", s.path()}, lua).find("the document cannot run: no data model is registered for \"lua\"") != std::string::npos);
}

TEST_CASE("check reports syntax errors of scripts without running them" * doctest::skip(!hsm::detail::tool::script_model())) {
    const auto text = replaced(scxml("<state id=\"a\"><onentry><log expr=\"1 +\"/></onentry></state>"), "null", "ecmascript");
    CHECK(done_with({"check", "--scripts", "FILE"}, text).find("warning: m/a: the expression \"1 +\" cannot be read: SyntaxError") !=
          std::string::npos);
    CHECK(done_with({"check", "--scripts", "FILE"}, text).ends_with("1 warning\n-> 1\n"));
}

TEST_CASE("files are included only from the specified folder") {
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_tool_includes";
    fs::create_directories(folder);
    std::ofstream(folder / "part.xml") << "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"part\"/>";
    const auto text = scxml("<state id=\"a\"><transition event=\"e\" target=\"part\"/></state>"
                            "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"part.xml\"/>");
    CHECK(done_with({"check", "FILE"}, text).find("pass --includes FOLDER to name a folder that hsm can read\n") != std::string::npos);
    CHECK(done_with({"check", "--includes", folder.string(), "FILE"}, text) == "-> 0\n");
    fs::remove_all(folder);
}

// --- draw ---

TEST_CASE("draw shows a document like any machine, without parts that it does not contain") {
    const auto drawn = done_with({"draw", "FILE"}, door);
    CHECK(drawn.starts_with("door\n│  ● → house\n├─ house  (parallel)\n"));
    CHECK(drawn.find("open.* [In(lit)]") != std::string::npos);
    CHECK(drawn.find("enter / send close after 1.5s") != std::string::npos);
    if (hsm::detail::tool::script_model()) {
        CHECK(done_with({"draw", "--scripts", "FILE"}, counter) == R"x(count
│  ● → a
├─ a
│     bad.* / nowhere = 1
│     → b  hit.* [_event.data.power > 2] / n = n + 1; log n
└─ b
      enter / send report to #_parent
-> 0
)x");
    }
    CHECK(done_with({"draw", "FILE"}, scxml("<state id=\"a\"><transition event=\"e\" target=\"x\"/></state>")) ==
          "m.scxml:1:132: error: the target \"x\" is not a state [HSM-007]\n    did you mean \"a\"?\n-> 1\n");
}

// --- run ---

TEST_CASE("run evaluates the In() conditions of a document") {
    CHECK(played("event open\nevent switch\nevent open\n") == R"x(  asked In(lit) = false
nothing happens (guarded)
  door/house/leaf/closed -> door/house/leaf/opened on open.*: its guard "In(lit)" returns false
dark -> lit on switch.*  (event)
  left house/lamp/dark
  entered house/lamp/lit
now house/leaf/closed, house/lamp/lit
  asked In(lit) = true
closed -> opened on open.* [In(lit)]  (event)
  left house/leaf/closed
  entered house/leaf/opened
  runs send close after 1.5s
now house/leaf/opened, house/lamp/lit
  1 delayed event, due in 1500ms
-> 0
)x");
}

TEST_CASE("delayed events arrive when they are due, and run prints logged and sent values") {
    CHECK(played("event switch\nevent open\ntick 1499ms\ntick 1ms\n").ends_with(R"x(  1 delayed event, due in 1500ms
nothing happens
opened -> closed on close.* / send shut to #_parent  (event)
  left house/leaf/opened
  runs send shut to #_parent
  sends shut to #_parent
  entered house/leaf/closed
  runs log shut
  logs shut: now
now house/leaf/closed, house/lamp/lit
-> 0
)x"));
    CHECK(played("event switch\nevent open\ntick 10min\npath\n")
              .ends_with("now house/leaf/closed, house/lamp/lit\nhouse/leaf/closed, house/lamp/lit\n-> 0\n"));
}

TEST_CASE("a finished document can be started again") {
    CHECK(played("event burn\nevent switch\ntick\npossible\nrestart\npath\n")
              .find("now ashes (the machine is finished)\nnothing happens (inactive)\n"
                    "nothing happens (inactive)\nnothing: the machine is finished\n") != std::string::npos);
    CHECK(played("event burn\nrestart\nevent switch\nundo\n").ends_with("undone: event switch\nnow house/leaf/closed, house/lamp/dark\n-> 0\n"));
}

TEST_CASE("run accepts event names that match a descriptor, and reports others") {
    CHECK(played("event open.wide\n").find("its guard \"In(lit)\" returns false") != std::string::npos);
    CHECK(played("event opne\n") == "(stdin):1:7: error: there is no event \"opne\"\n    did you mean \"open\"?\n-> 1\n");
    CHECK(played("event anything\n", scxml("<state id=\"a\"><transition event=\"*\" target=\"b\"/></state><state id=\"b\"/>")).find("now b\n") !=
          std::string::npos);
}

TEST_CASE("an event of a transition in <scxml> can be played") {
    const auto text = scxml("<transition event=\"burn\" target=\"b\"/><state id=\"a\"/><state id=\"b\"/>");
    CHECK(played("event burn\n", text).find("now b\n") != std::string::npos);
    CHECK(played("event bum\n", text).find("there is no event \"bum\"") != std::string::npos);
}

TEST_CASE("a document also completes its macrostep after a request") {
    CHECK(played("force b\n",
                 scxml("<state id=\"a\"/><state id=\"b\"><onentry><raise event=\"go\"/></onentry><transition event=\"go\" target=\"c\"/></state>"
                       "<state id=\"c\"><transition event=\"x\" target=\"b\"/></state>"))
              .find("b -> c on go.*  (event)\n  left b\n  entered c\nnow c\n") != std::string::npos);
}

TEST_CASE("behavior that a document names in hsm's own namespace is simulated") {
    const auto text = scxml("<state id=\"a\"><onentry><hsm:light xmlns:hsm=\"urn:hsm:behaviour\"/></onentry></state>");
    CHECK(done_with({"check", "FILE"}, text) == "-> 0\n");
    CHECK(done_with({"run", "FILE"}, text).ends_with("  entered m, a\n  runs light\nnow a\n-> 0\n"));
    const auto other = scxml("<state id=\"a\"><onentry><x:light xmlns:x=\"urn:x\"/></onentry></state>");
    CHECK(done_with({"check", "FILE"}, other).find("warning: m/a: <x:light> does nothing [HSM-111]") != std::string::npos);
}

TEST_CASE("a document that never becomes stable is stopped, with an error") {
    CHECK(
        played("event go\n", scxml("<state id=\"a\"><transition event=\"go\" target=\"b\"/></state><state id=\"b\"><transition target=\"c\"/></state>"
                                   "<state id=\"c\"><transition target=\"b\"/></state>"))
            .find("thrown") != std::string::npos);
}

TEST_CASE("scripts run in the tool if an option requests them") {
    if (!hsm::detail::tool::script_model()) return;
    const auto printed = played("possible\nevent hit\nevent bad\nevent hit power=3\n", counter, {"--scripts"});
    CHECK(printed.find("event hit.*  (a condition fails") == std::string::npos); // it is aligned
    CHECK(printed.find("if _event.data.power > 2 (fails: TypeError: cannot read property 'data' of undefined)\n") != std::string::npos);
    CHECK(printed.find("error.execution TypeError: cannot read property 'power' of undefined\n") != std::string::npos); // of the condition
    CHECK(printed.find("ReferenceError: identifier 'nowhere' undefined\n") != std::string::npos);                       // of the assignment
    CHECK(printed.ends_with("  logs n: 1\n  entered b\n  runs send report to #_parent\n  sends report to #_parent {\"n\":1}\nnow b\n-> 0\n"));
    CHECK(played("event hit data={\"power\":4}\n", counter, {"--scripts"}).ends_with("now b\n-> 0\n"));
}

// --- test ---

TEST_CASE("an error in a condition is printed, can be expected, and is shown in explanations" * doctest::skip(!hsm::detail::tool::script_model())) {
    const auto text = replaced(
        scxml("<state id=\"a\"><transition event=\"e\" cond=\"nix.y\" target=\"b\"/><transition event=\"e\" cond=\"false &amp;&amp; 1 &lt; 2\" "
              "target=\"b\"/></state><state id=\"b\"/>"),
        "null", "ecmascript");
    const auto printed = played("event e\n", text, {"--scripts"});
    CHECK(printed.find("  error.execution ReferenceError: identifier 'nix' undefined\n") != std::string::npos);
    CHECK(printed.find("  m/a -> m/b on e.*: its guard \"nix.y\" fails: ReferenceError: identifier 'nix' undefined\n") != std::string::npos);
    CHECK(printed.find("  m/a -> m/b on e.*: its guard \"false && 1 < 2\" returns false\n") != std::string::npos);
    const file s("event e\nexpect error\nexpect error error.execution\nexpect in a\n", ".hsmtest");
    CHECK(done_with({"test", "--scripts", "FILE", s.path()}, text).ends_with("1 test, all passed\n-> 0\n"));
}

TEST_CASE("test plays scripts over a document") {
    CHECK(tested(R"x(test opens only in the light
event open
expect not in opened
expect asked In(lit) false
event switch
expect possible open.wide
event open.wide
expect in opened lit
expect transition closed -> opened on open
test closes by itself
event switch
event open
tick 1s
expect nothing
tick 1s
expect in closed
expect sent shut to "#_parent"
expect logged shut
expect logged now
expect not error
test burns
event burn
expect in ashes
expect finished
)x") == "ok    opens only in the light\nok    closes by itself\nok    burns\n3 tests, all passed\n-> 0\n");
}

TEST_CASE("an expectation of a log uses the printed text") {
    const auto text = scxml("<state id=\"a\"><transition event=\"e\"><log label=\"credit\" expr=\"5\"/><log expr=\"'x y'\"/></transition></state>");
    CHECK(played("event e\n", text).find("  logs credit: 5\n  logs x y\n") != std::string::npos);
    CHECK(
        tested("event e\nexpect logged \"credit: 5\"\nexpect logged credit\nexpect logged 5\nexpect logged \"x y\"\nexpect not logged \"credit: \"\n"
               "expect not logged \"credit: 6\"\n",
               text)
            .ends_with("1 test, all passed\n-> 0\n"));
}

TEST_CASE("fields and data of an event can contain quoted blanks") {
    if (!hsm::detail::tool::script_model()) return;
    const auto text = replaced(scxml("<state id=\"a\"><transition event=\"e\"><log expr=\"JSON.stringify(_event.data)\"/></transition></state>"),
                               "null", "ecmascript");
    const auto logged = [&](const std::string& fields) {
        const auto all = played("event e " + fields + '\n', text, {"--scripts"});
        const auto begin = all.find("logs ");
        return begin == all.npos ? all : all.substr(begin + 5, all.find('\n', begin) - begin - 5);
    };
    CHECK(logged(R"(data={"value":"x y"})") == R"({"value":"x y"})");
    CHECK(logged(R"(data={"value":"x \" #y","more":["a b",1]} # a comment)") == R"({"value":"x \" #y","more":["a b",1]})");
    CHECK(logged(R"(name="x y" n=3 text="3")") == R"({"name":"x y","n":3,"text":"3"})");
    CHECK(logged(R"(size=5" n=1)") == R"({"size":"5\"","n":1})");
    CHECK(logged(R"(data={"value":"x y})").find("(stdin):1:23: error: this quote is not closed") != std::string::npos);
}

TEST_CASE("data can be listed and expected, at the prompt and in scripts") {
    if (!hsm::detail::tool::script_model()) return;
    const auto text = replaced(scxml(R"x(<datamodel><data id="n" expr="1"/><data id="who"/><data id="all">{"a": [1, "x y"]}</data></datamodel>
<state id="a"><transition event="e"><assign location="n" expr="n + 1"/><assign location="who" expr="'Ann B'"/></transition></state>)x"),
                               "null", "ecmascript");
    const auto printed = played("data\nevent e\ndata who\ndata n\ndata nn\n", text, {"--scripts"});
    CHECK(printed.starts_with("n = 1\nwho has no value\nall = {\"a\":[1,\"x y\"]}\n"));
    CHECK(printed.find("who = \"Ann B\"\nn = 2\n(stdin):5:6: error: there is no datum \"nn\"\n    did you mean \"n\"?\n") != std::string::npos);
    CHECK(played("data\n", door).starts_with("this machine has no data\n"));
    const auto outcome = [&](const std::string& script) {
        const file s(script, ".hsmtest");
        return replaced(done_with({"test", "--scripts", "FILE", s.path()}, text), s.path(), "s");
    };
    CHECK(outcome("expect data n 1\nexpect not data who\nexpect data all {\"a\":[1,\"x_y\"]}\n").find("s:3:1: error: not as expected") !=
          std::string::npos);
    CHECK(outcome("event e\ndata\nexpect data n\nexpect data n 2\nexpect not data n 1\nexpect data who \"Ann B\"\nexpect not data n \"2\"\n")
              .ends_with("1 test, all passed\n-> 0\n"));
    CHECK(outcome("event e\nexpect data n 3\n").find("not as expected: expect data n 3\n    n = 2\n") != std::string::npos);
    CHECK(outcome("expect data nn\n").find("there is no datum \"nn\"") != std::string::npos);
}

TEST_CASE("run returns 1 if an error was thrown that the next line does not expect") {
    const auto text = scxml("<state id=\"a\"><transition event=\"go\" target=\"b\"/></state><state id=\"b\"><transition target=\"c\"/></state>"
                            "<state id=\"c\"><transition target=\"b\"/></state>");
    CHECK(played("event go\n", text).ends_with("-> 1\n"));
    CHECK(played("event go\nexpect thrown\n", text).ends_with("-> 0\n"));
    CHECK(played("event go\ntick\nexpect thrown\n", text).ends_with("-> 1\n"));
    CHECK(played("tick\n", text).ends_with("-> 0\n"));
    const auto scripted = [&](const std::string& script) {
        const file s(script, ".hsmtest");
        return done_with({"run", "FILE", "--script", s.path()}, text);
    };
    CHECK(scripted("event go\n").ends_with("-> 1\n"));
    CHECK(scripted("event go\nexpect thrown\n").ends_with("-> 0\n"));
    CHECK(scripted("test one\nevent go\ntest two\ntick\n").ends_with("-> 1\n"));
}

TEST_CASE("the sample's tests pass") {
    const std::string folder = HSM_SAMPLE_DATA;
    CHECK(called({"test", folder + "/crossing.scxml", folder + "/crossing.hsmtest"}).out.ends_with("2 tests, all passed\n"));
}

TEST_CASE("test reports unmet and invalid expectations") {
    CHECK(tested("event burn\nexpect in closed\n")
              .find("s:2:1: error: not as expected: expect in closed\n    active: ashes (the machine is finished)\n") != std::string::npos);
    CHECK(tested("event switch\nexpect sent shut\n").find("not as expected: expect sent shut") != std::string::npos);
    CHECK(tested("event switch\nexpect logged\n").find("the logged text is missing") != std::string::npos);
    CHECK(tested("event switch\nexpect sent shut from me\n").find("unexpected text") != std::string::npos);
    CHECK(tested("event unknown\n").find("there is no event \"unknown\"") != std::string::npos);
    CHECK(tested("tick\nexpect not sent shut\nexpect not error\nexpect not transition closed -> opened on open\n")
              .ends_with("1 test, all passed\n-> 0\n"));
    CHECK(tested("test t\n", scxml("<state/><nothing/>")).ends_with("-> 1\n"));
}

// --- convert ---

TEST_CASE("convert rewrites a document in hsm's format, with comments and foreign markup") {
    const file into("", ".scxml");
    CHECK(done_with({"convert", "FILE", into.path()}, door) == "-> 0\n");
    const auto text = tool_run::read(into.path());
    for (const auto* const part : {"<!-- A door that closes by itself. -->", "<!-- at first -->", "ed:x=\"12\"", "xmlns:ed=\"urn:editor\""})
        CHECK_MESSAGE(text.find(part) != std::string::npos, part);
    CHECK(called({"convert", into.path(), into.path()}).code == 0);
    CHECK(tool_run::read(into.path()) == text);
    CHECK(called({"convert", "-", "-"}, door).out == text);
}

TEST_CASE("an XML file becomes a document if SCXML can express all its parts") {
    const std::string lamp = R"x(<Project name="lamp"><event ID="press"/>
<state ID="off"><to ID="on" event="press"/></state>
<state ID="on" kind="machine" enter="shine"><to ID="off" event="press"/>
<state ID="bright"><to ID="dim" after="2s"/></state><state ID="dim"/></state></Project>)x";
    const file from(lamp, ".xml"), into("", ".scxml");
    const auto done = called({"convert", from.path(), into.path()});
    CHECK(done.err == "");
    CHECK(done.code == 0);
    CHECK(tool_run::read(into.path()).find("<hsm:shine/>") != std::string::npos);
    CHECK(called({"check", into.path()}).out == "");
    CHECK(called({"run", into.path()}, "event press\ntick 2s\n").out.ends_with("now on/dim\n"));
}

TEST_CASE("parts that SCXML cannot express are reported, and no file is written unless an option allows it") {
    const std::string guarded = R"x(<Project name="p"><event ID="e"/>
<state ID="a"><to ID="b" event="e"><condition ID="strong"/></to></state>
<state ID="b" hold_until="free"><to ID="a" event="e"/></state></Project>)x";
    const file from(guarded, ".xml"), into("old", ".scxml");
    const auto refused = called({"convert", from.path(), into.path()});
    CHECK(refused.code == 1);
    CHECK(replaced(refused.err, from.path(), "p.xml").starts_with("p.xml:2:51: error: \"p/a\": a guard (\"strong\") [HSM-"));
    CHECK(refused.err.find("hsm: error: nothing is written: scxml cannot express the machine\n    pass --lossy to write the rest") !=
          std::string::npos);
    CHECK(tool_run::read(into.path()) == "old");
    const auto lossy = called({"convert", "--lossy", from.path(), into.path()});
    CHECK(lossy.code == 0);
    CHECK(lossy.err.find("warning: \"p/a\": a guard (\"strong\")") != std::string::npos);
    CHECK(called({"check", into.path()}).code == 0);
}

TEST_CASE("a document becomes an XML file with its behavior by name and its In() conditions") {
    const auto text = scxml(R"x(<parallel id="p"><state id="a"><state id="x"><onentry><hsm:light xmlns:hsm="urn:hsm:behaviour"/></onentry>
<transition event="go" cond="In(z) &amp;&amp; !In(q)" target="y"/></state><state id="y"/></state>
<state id="b"><state id="q"><transition event="on" target="z"/></state><state id="z"/></state></parallel>)x");
    const file from(text, ".scxml"), into("", ".xml");
    const auto done = called({"convert", from.path(), into.path()});
    CHECK(done.err == "");
    CHECK(done.code == 0);
    const auto xml = tool_run::read(into.path());
    CHECK(xml.find("enter=\"light\"") != std::string::npos);
    CHECK(xml.find("<in ID=\"b/z\"/>") != std::string::npos);
    CHECK(xml.find("<unless_in ID=\"b/q\"/>") != std::string::npos);
    CHECK(called({"run", into.path()}, "event go\nevent on\nevent go\n").out.ends_with("now p/a/y, p/b/z\n"));
}

TEST_CASE("each part that XML cannot express is reported with its place") {
    const auto printed = done_with({"convert", "--lossy", "FILE", "-", "--to", "xml"}, door);
    CHECK(printed.find("m.scxml:8:9: warning: \"door/house/leaf/closed\": executable content: log shut [HSM-") != std::string::npos);
    CHECK(printed.find("m.scxml:12:9: warning: \"door/house/leaf/opened\": executable content: send close after 1.5s") != std::string::npos);
    CHECK(printed.find("note: unknown attributes, and elements of other namespaces, are not converted\n") != std::string::npos);
    CHECK(printed.find("note: comments are not converted\n-> 0\n") != std::string::npos);
    CHECK(printed.find("<in ID=\"lamp/lit\"/>") != std::string::npos);
    const auto order =
        done_with({"convert", "FILE", "-", "--to", "xml"},
                  scxml("<state id=\"a\"><transition event=\"e\" target=\"b\"/><state id=\"x\"><transition event=\"e.f\" target=\"y\"/></state>"
                        "<state id=\"y\"/></state><state id=\"b\"/>"));
    CHECK(order.find("\"m/a/x\": in XML, a transition of \"m/a\" for the same event is tried first") != std::string::npos);
    CHECK(order.ends_with("-> 1\n"));
}

TEST_CASE("generate creates C++ only from XML files") {
    CHECK(done_with({"generate", "constant", "FILE"}, door) ==
          "hsm: error: m.scxml is not an XML file with a machine\n    convert it first: hsm convert\n-> 2\n");
}

// --- programs with their own machines ---

namespace {

struct robot : hsm::scxml::context {
    std::string heard;
    void on_log(std::string_view label, std::string_view) override { heard += label; }
};
struct other {};

} // namespace

TEST_CASE("a program loads documents over a context with the SCXML part, and plays them as sessions") {
    const auto chart = hsm::compile(hsm::load_scxml_text<robot>(scxml("<state id=\"a\"><onentry><send event=\"go\" delay=\"1s\"/></onentry>"
                                                                      "<transition event=\"go\" target=\"b\"/></state><state id=\"b\"/>")));
    const auto plain = [] {
        auto root = hsm::make_fsm<other>("plain");
        root->add("only");
        return hsm::compile(std::move(root));
    }();
    const hsm::tool::machine<robot> one(chart);
    const hsm::tool::machine<other> two(plain);
    const file f(door, ".scxml");
    CHECK(tool_run::hsm_with({&one, &two}, {"check", f.path()}).out == ""); // only one of the machines fits
    const auto done = tool_run::hsm_with({&one, &two}, {"run", "m"}, "tick 1s\n");
    CHECK(done.out.ends_with("now b\n"));
    const auto refused = tool_run::hsm_with({&one, &two}, {"draw", "--over", "plain", f.path()});
    CHECK(refused.err == "hsm: error: the context of \"plain\" does not fit SCXML documents\n"
                         "    choose a machine whose context derives from hsm::scxml::context, or omit --over\n");
}
