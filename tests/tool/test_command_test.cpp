#include <tests/support/tool_run.hpp>

#include <doctest/doctest.h>

using tool_run::called;
using tool_run::file;
using tool_run::replaced;

namespace {

constexpr const char* lift = R"(<Project name="lift">
  <event ID="call"/>
  <event ID="block"/>
  <event ID="door"/>
  <bit ID="alarm"/>
  <to ID="stopped" event="block"/>
  <state ID="ready" kind="parallel">
    <unhandled ID="beep"/>
    <state ID="cabin" kind="machine">
      <state ID="still"><to ID="moving" event="call"><condition ID="powered"/></to></state>
      <state ID="moving" enter="hum" hold_until="arrived"><defer event="door"/><to ID="still" after="2s"/></state>
    </state>
    <state ID="lamp" kind="machine">
      <state ID="off"><to ID="on"><bit ID="alarm"/></to></state>
      <state ID="on"><to ID="off"><bit ID="!alarm"/></to><on every="500ms" action="blink"/><on event="door" action="light"/></state>
    </state>
  </state>
  <state ID="stopped" kind="leaf"><to ID="end"><condition ID="shut"/></to></state>
  <state ID="end" kind="final"/>
</Project>)";

/// Returns the output and the errors of a script over the lift.
std::string tested(const std::string& script, const std::vector<std::string>& more = {}) {
    const file machine(lift, ".xml"), lines(script, ".hsmtest");
    std::vector<std::string> words{"test", machine.path(), lines.path()};
    words.insert(words.end(), more.begin(), more.end());
    const auto done = called(words);
    return replaced(replaced(done.out + done.err, lines.path(), "s"), machine.path(), "lift.xml") + "-> " + std::to_string(done.code) + '\n';
}

/// Checks that all expectations are met.
void passes(const std::string& script) {
    const auto done = tested(script);
    CHECK_MESSAGE(done.ends_with("1 test, all passed\n-> 0\n"), done);
}
/// Checks that the last line is not met.
void fails(const std::string& script) {
    const auto done = tested(script);
    CHECK_MESSAGE(done.ends_with("1 test, 1 failed\n-> 1\n"), done);
    const auto last = script.rfind('\n', script.size() - 2) + 1;
    CHECK_MESSAGE(done.find("error: not as expected: " + script.substr(last)) != done.npos, done);
}

} // namespace

TEST_CASE("each expectation can be met and unmet") {
    passes("expect in still, off\nexpect in ready\nexpect not in moving\nexpect not in moving on\n");
    fails("expect in still, on\n");
    fails("expect not in moving, off\n");

    passes("guard powered true\nevent call\nexpect entered moving\nexpect exited still\nexpect not entered cabin\nexpect not exited off\n");
    fails("guard powered true\nevent call\nexpect entered still\n");
    fails("guard powered true\nevent call\ntick 1ms\nexpect entered moving\n");
    fails("guard powered true\nevent call\nexpect exited moving\n");

    passes("guard powered true\nevent call\nexpect transition still -> moving\nexpect transition still -> moving on call\n"
           "expect not transition still -> moving on door\nexpect not transition moving -> still\nexpect not transition still\n");
    fails("guard powered true\nevent call\nexpect transition still\n");
    fails("event call\nexpect transition still -> moving on call\n");
    passes("set alarm\ntick\nevent door\nexpect transition on\nexpect transition on on door\nexpect hook light\nexpect result internal\n");

    passes("guard powered true\nevent call\nexpect hook hum\nexpect not hook beep\nexpect asked powered\nexpect asked powered true\nexpect not asked "
           "powered false\n");
    fails("event call\nexpect hook hum\n");
    fails("event call\nexpect asked powered true\n");
    fails("event block\nexpect asked powered\n");

    passes("expect not bit alarm\nexpect bit alarm false\nset alarm\nexpect bit alarm\nclear alarm\nexpect bit alarm false\npulse alarm\nexpect bit "
           "alarm true\n"
           "tick\nexpect in on\nexpect not bit alarm\n");
    fails("set alarm\nexpect not bit alarm\n");
    fails("expect bit alarm\n");

    passes("expect not possible call\nexpect possible block\nguard powered true\nexpect possible call\n");
    fails("expect possible call\n");
    fails("expect not possible block\n");

    passes("tick 10s x3\nexpect nothing\nevent block\nexpect not nothing\n");
    fails("event block\nexpect nothing\n");
    fails("tick\nexpect not nothing\n");

    passes("event block\nexpect not finished\nguard shut true\ntick\nexpect finished\nexpect in end\nevent call\nexpect result inactive\n");
    fails("expect finished\n");

    passes("guard powered true\nevent call\nevent door\nexpect deferred door\nexpect result deferred\n");
    fails("event door\nexpect deferred door\n");

    passes("guard powered true\nevent call\nevent block\nexpect held\nexpect in moving\nexpect result held\nguard arrived true\ntick\nexpect in "
           "stopped\n");
    fails("event block\nexpect held\n");
    passes("guard powered true\nevent call\nevent block\nforce still\nexpect in still\n");
    passes("guard powered true\nevent call\nevent block\nrelease moving\ntick\nexpect in stopped\n");

    passes("event call\nexpect result guarded\ntick\nexpect result unhandled\nexpect not result taken\nexpect not thrown\nexpect not dropped call\n");
    fails("event call\nexpect result taken\n");
    fails("event call\nexpect thrown\n");
    fails("event call\nexpect dropped call\n");
}

TEST_CASE("time passes as specified, and a step is all ticks of its line") {
    passes("set alarm\ntick 16ms x3\nexpect result taken\nexpect entered on\ntick 16ms x3\nexpect result unhandled\n");
    passes("guard powered true\nguard arrived true\nevent call\ntick 100ms x19\nexpect nothing\ntick 100ms\nexpect in still\n");
    passes("set alarm\ntick\ntick 100ms x9\nexpect hook blink\ntick 50ms\nexpect not hook blink\n");
    passes("guard powered true\nevent call\nforce still\nset alarm\nrestart\nexpect in still\nexpect entered lift\nexpect bit alarm\n");
}

TEST_CASE("a failed test prints its place, the active states, the records and the reason") {
    CHECK(tested("test moves\nguard powered true\nevent call\nexpect in moving\n\ntest stops\nevent call   # without power\nexpect in moving, "
                 "off\nexpect in end\n"
                 "test blocks\nevent block\nexpect transition still -> stopped\n") == R"(ok    moves
FAIL  stops
s:8:1: error: not as expected: expect in moving, off
    active: ready/cabin/still, ready/lamp/off
    why it is not active:
      to lift/ready/cabin/moving: guarded
        lift/ready/cabin/still -> lift/ready/cabin/moving on call: it waits for call; its guard "powered" returns false
FAIL  blocks
s:12:1: error: not as expected: expect transition still -> stopped
    active: stopped
    in the last step:
      lift -> stopped on block  (event)
        left ready/lamp/off, ready/lamp, ready/cabin/still, ready/cabin, ready
        entered stopped
    result: taken
3 tests, 2 failed
-> 1
)");
}

TEST_CASE("each test starts a new machine, with the lines above the first test") {
    CHECK(tested("guard powered true\nset alarm\ntest a\nevent call\nguard powered false\nexpect in moving\ntest b\nexpect in still\nexpect bit "
                 "alarm\nevent call\nexpect in moving\n") == R"(ok    a
ok    b
2 tests, all passed
-> 0
)");
}

TEST_CASE("all errors of a script are reported, and no test is played") {
    CHECK(tested("evnt call\nexpect\nexpect not\nexpect in\nexpect in cabn\nexpect inn cabin\nexpect in still still extra\nexpect transition still "
                 ">\nexpect transition still ->\n"
                 "expect transition still -> moving on\nexpect transition still -> moving at call\nexpect bit alarm maybe\nexpect result "
                 "good\nexpect hook hmu\nexpect nothing more\n"
                 "expect asked powerd\nguard powered ask\nundo\nsave x\ntest\ntest \"\"\ntest a\ntest a\ntick -1s\ntick 1s x0\ntick 1s "
                 "x99999999999\nexpect in \"still\n") == R"(s:1:1: error: there is no command "evnt"
    did you mean "event"?
s:2:1: error: the expectation is missing
    write: expect [not] WORD ...; `help expect` lists the words
s:3:8: error: the expectation is missing
    write: expect [not] WORD ...; `help expect` lists the words
s:4:8: error: the name of a state is missing
    write: expect in STATE...
s:5:11: error: there is no state "cabn"
    did you mean "cabin"?
s:6:8: error: unknown expectation "inn"
    did you mean "in"?
s:7:23: error: there is no state "extra"
    known names: "lift", "ready", "cabin", "still", "moving", "lamp", "off", "on", "stopped", "end"
s:8:25: error: unexpected text
    write: expect transition STATE [-> STATE] [on EVENT]
s:9:25: error: the target is missing
    write: expect transition STATE [-> STATE] [on EVENT]
s:10:35: error: the name of an event is missing
    write: expect transition STATE [-> STATE] [on EVENT]
s:11:35: error: unexpected text
    write: expect transition STATE [-> STATE] [on EVENT]
s:12:18: error: "maybe" is neither true nor false
    write: expect bit NAME [true|false]
s:13:15: error: unknown result "good"
    known names: "taken", "internal", "deferred", "held", "refused", "guarded", "unhandled", "queued", "full", "busy", "inactive"
s:14:13: error: there is no hook or action "hmu"
    did you mean "hum"?
s:15:16: error: unexpected text
    write: expect nothing
s:16:14: error: there is no guard "powerd"
    did you mean "powered"?
s:17:1: error: a script cannot ask for a result
    set the guard to true, false or once
s:18:1: error: "undo" works only at the prompt of `run`, not in scripts
s:19:1: error: "save" works only at the prompt of `run`, not in scripts
s:20:1: error: its name is missing
    write: test NAME
s:21:6: error: a test needs a name
    write: test NAME
s:23:1: error: two tests are named "a"
    rename one; the other test is in line 22
s:24:6: error: the time is negative
s:25:9: error: "x0" is not a number of ticks
    write a count like x10
s:26:9: error: "x99999999999" is not a number of ticks
    write a count like x10
s:27:11: error: this quote is not closed
    add a " at the end of the name
-> 1
)");
}

TEST_CASE("an ambiguous state name is an error") {
    const file machine(R"(<Project name="P"><state ID="a"><state ID="x"/><to ID="b"/></state><state ID="b"><state ID="x"/></state></Project>)",
                       ".xml");
    const file lines("expect in x\nexpect in a/x\n", ".hsmtest");
    const auto done = called({"test", machine.path(), lines.path()});
    CHECK(replaced(done.err, lines.path(), "s").find("s:1:11: error: several states are named \"x\"\n    write one of P/a/x, P/b/x\n") !=
          std::string::npos);
    CHECK(done.err.find(":2:") == std::string::npos);
    CHECK(done.code == 1);
}

TEST_CASE("the JSON output contains the results of all tests") {
    CHECK(tested("test fine\nexpect in still\ntest wrong\nexpect in on\n", {"--format", "json"}) == R"({"tests": [
{"name": "fine", "file": "s", "line": 1, "passed": true},
{"name": "wrong", "file": "s", "line": 3, "passed": false, "messages": [{"severity": "error", "file": "s", "line": 4, "column": 1, "message": "not as expected: expect in on", "hint": "active: ready/cabin/still, ready/lamp/off\u000a    why it is not active:\u000a      to lift/ready/lamp/on: guarded\u000a        lift/ready/lamp/off -> lift/ready/lamp/on: alarm is not set"}]}
], "passed": 1, "failed": 1}
-> 1
)");
}

TEST_CASE("--only selects tests") {
    CHECK(tested("test one\nexpect in on\ntest two\nexpect in off\n", {"--only", "tw"}) == R"(ok    two
1 test, all passed
-> 0
)");
    CHECK(tested("test one\nexpect in on\n", {"--only", "three"}) == R"(hsm: error: no test was found
    no test has "three" in its name
-> 2
)");
}

TEST_CASE("an unreadable script is reported before any test runs") {
    const file machine(lift, ".xml"), good("expect in still\n", ".hsmtest"), empty("", ".hsmtest"), binary(std::string("\0\1\2", 3), ".hsmtest");
    CHECK(called({"test", machine.path()}).code == 2);
    CHECK(called({"test", machine.path(), "/nowhere.hsmtest"}).code == 2);
    CHECK(called({"test", machine.path(), good.path(), "/nowhere.hsmtest"}).out.empty());
    CHECK(called({"test", machine.path(), "/tmp"}).code == 2);
    CHECK(called({"test", machine.path(), empty.path()}).code == 0);
    CHECK(called({"test", machine.path(), binary.path()}).code == 1);
    CHECK(called({"test", machine.path(), good.path(), good.path()}).out.ends_with("2 tests, all passed\n"));
    CHECK(called({"test", machine.path(), "-"}, "expect in still\n").out == "ok    (stdin)\n1 test, all passed\n");
    CHECK(called({"test", "/nowhere.xml", good.path()}).code == 2);
}

TEST_CASE("a script may contain carriage returns, a byte order mark, blanks, comments and an unfinished last line") {
    passes("\xef\xbb\xbf# a comment\r\n\r\n   event   block # another\r\n\texpect in\tstopped");
}

TEST_CASE("the sample scripts pass") {
    for (const std::string name : {"monster", "monster_hierarchy"}) {
        const auto done = called({"test", HSM_SAMPLE_DATA "/" + name + ".xml", HSM_SAMPLE_DATA "/" + name + ".hsmtest"});
        const auto printed = done.out + done.err;
        CHECK_MESSAGE(done.code == 0, printed);
    }
}
