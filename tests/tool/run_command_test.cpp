#include <tests/support/tool_run.hpp>

#include <hsm/hsm.hpp>
#include <hsm/save/serialize.hpp>

#include <chrono>
#include <stdexcept>

#include <doctest/doctest.h>

using tool_run::called;
using tool_run::conversation;
using tool_run::file;
using tool_run::replaced;

namespace {

constexpr const char* door = R"(<Project name="door">
  <event ID="push"/>
  <bit ID="locked"/>
  <state ID="closed"><to ID="open" event="push" action="creak"><bit ID="!locked"/><condition ID="strong"/></to></state>
  <state ID="open" enter="light" exit="dark"><to ID="closed" after="patience"/></state>
</Project>)";

/// Returns the output and the errors for these lines.
std::string played(const std::string& lines, const std::vector<std::string>& more = {}) {
    const file f(door, ".xml");
    std::vector<std::string> words{"run", f.path()};
    words.insert(words.end(), more.begin(), more.end());
    const auto done = called(words, lines);
    return done.out + replaced(done.err, f.path(), "door.xml") + "-> " + std::to_string(done.code) + '\n';
}

constexpr const char* begun = "-> door  (start)\n  entered door, closed\nnow closed\n";

std::string after_start(const std::string& lines, const std::vector<std::string>& more = {}) {
    const auto all = played(lines, more);
    REQUIRE(all.starts_with(begun));
    return all.substr(std::string(begun).size());
}

} // namespace

TEST_CASE("run --watch reloads a file that is saved, keeps the active states and settings, and ignores a broken file") {
    const file f(door, ".xml");
    conversation with({"run", f.path(), "--watch"});
    with.type("guard strong true\nevent push\n", "now open\n");
    const auto save = [&](const std::string& text) { std::ofstream(f.path(), std::ios::binary) << text; };
    save(replaced(door, "\"dark\"", "\"dim\""));
    CHECK(replaced(with.type("path\n", "now open\nopen\n"), f.path(), "door.xml") ==
          "door.xml was reloaded; active states: 2 with the same path, 0 with another path, 0 replaced\nnow open\nopen\n");
    CHECK(with.type("tick 1s\n", "now closed\n").find("runs dim") != std::string::npos);
    save("<Project");
    CHECK(replaced(with.type("path\n", "the machine is unchanged\nclosed\n"), f.path(), "door.xml").starts_with("door.xml:1:"));
    CHECK(with.type("undo\n", "now closed\n") == "undone: tick 1s\nnow closed\n");
    CHECK(with.end() == 1);
}

TEST_CASE("run --watch refuses machines that cannot be reloaded") {
    CHECK(called({"run", "-", "--script", "unused", "--watch"}, door).err.find("only a file can be reloaded") != std::string::npos);
}

TEST_CASE("run prints each step of an event, and reports an event without effect") {
    CHECK(after_start("guard strong true\nevent push\ntick 16ms\n") == R"(  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
nothing happens
  door/open -> door/closed after: due in 984 ms
-> 0
)");
}

TEST_CASE("run prints why an event has no effect") {
    CHECK(after_start("event push\nset locked\nevent push\n") == R"(  asked strong = false
nothing happens (guarded)
  door/closed -> door/open on push: its guard "strong" returns false
  bit locked = true
nothing happens (guarded)
  door/closed -> door/open on push: locked is set; 1 guard not evaluated
-> 0
)");
}

TEST_CASE("time passes in one or many ticks") {
    CHECK(after_start("guard strong true\ndelay patience 20ms\nevent push\ntick 10ms\ntick 1ms x20\n") == R"(  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 20ms
now open
nothing happens
  door/open -> door/closed after: due in 10 ms
open -> closed after patience  (time)
  runs dark
  left open
  entered closed
now closed
-> 0
)");
}

TEST_CASE("states can be forced, finished and released") {
    CHECK(after_start("force open\nfinish\nrelease open\nforce closed\n") == R"(closed -> open  (request)
  left closed
  entered open
  runs light
  delay patience = 1s
now open
  finished open
it applies from the next tick
it applies from the next tick
open -> closed  (request)
  runs dark
  left open
  entered closed
now closed
-> 0
)");
}

TEST_CASE("possible lists the possible transitions and their missing conditions") {
    CHECK(after_start("possible\nset locked\npossible\nforce open\npossible\n") ==
          R"(event push  closed -> open on push [!locked && strong] / creak   if strong
  bit locked = true
event push  closed -> open on push [!locked && strong] / creak   if not locked
closed -> open  (request)
  left closed
  entered open
  runs light
  delay patience = 1s
now open
tick 1s  open -> closed after patience
-> 0
)");
}

TEST_CASE("guards that ask read their answers from the input of the commands") {
    CHECK(after_start("event push\nn\nevent push\nmaybe\ny\nhistory\n", {"--guards", "ask"}) == R"(  asked strong = false
nothing happens (guarded)
  door/closed -> door/open on push: its guard "strong" returns false
  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
  1 event push
      strong was false
  2 event push
      strong was true
  unknown answer: maybe
-> 1
)");
}

TEST_CASE("undo reverts one step at a time, with its answers") {
    CHECK(after_start("event push\ny\ntick 100ms\nundo\nundo\nundo\npath\n", {"--guards", "ask"}) == R"(  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
nothing happens
  door/open -> door/closed after: due in 900 ms
undone: tick 100ms
now open
undone: event push
now closed
closed
(stdin):5:1: error: nothing to undo
-> 1
)");
}

TEST_CASE("why, explain, tree, names, path and history print the state of the session") {
    CHECK(after_start("why open\nwhy closed\nexplain\nexplain push\ntree\nnames\npath\nhistory\n") == R"(to door/open: guarded
  door/closed -> door/open on push: it waits for push; its guard "strong" returns false
door/closed is active
in a tick: unhandled
on push: guarded
  door/closed -> door/open on push: its guard "strong" returns false
○ door
  ● closed
    open
guard  strong = false
delay  patience = 1s
bit    locked = false
event  push
hook   creak
hook   dark
hook   light
closed
no commands so far
-> 0
)");
}

TEST_CASE("trace prints every record") {
    CHECK(after_start("trace on\nforce open\ntrace off\nforce closed\n") == R"(  force_to at 0.000000 s
  transition door/closed -> door/open (request)
closed -> open  (request)
  exited door/closed
  left closed
  entered door/open
  entered open
  runs light
  delay patience = 1s
  armed timer of open -> closed after patience, due at 1.000000 s
  arrived in door/open
  -> taken
now open
open -> closed  (request)
  runs dark
  left open
  entered closed
now closed
-> 0
)");
}

TEST_CASE("the session is saved as a script that can be played") {
    const file saved("", ".hsmtest");
    const file f(door, ".xml");
    const auto done = called({"run", f.path(), "--guards", "ask"}, "event push\ny\ntick 100ms\nsave " + saved.path() + "\n");
    CHECK(done.code == 0);
    CHECK(replaced(tool_run::read(saved.path()), f.path(), "door.xml") == R"(# door.xml
guard strong true
event push
tick 100ms
expect in door/open
)");
    CHECK(called({"test", f.path(), saved.path()}).code == 0);
    CHECK(replaced(called({"run", f.path()}, "load " + saved.path() + "\n").out, saved.path(), "saved") == R"(-> door  (start)
  entered door, closed
now closed
> guard strong true
> event push
  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
> tick 100ms
nothing happens
  door/open -> door/closed after: due in 900 ms
> expect in door/open
)");
}

TEST_CASE("errors are printed with their place, and the session continues") {
    CHECK(after_start("evnt push\nevent psh\npush\nevent\nevent push 3\ntick often\ntick 1s often\nset lokced\nguard strong maybe\nguard weak true\n"
                      "force nowhere\nexplain\xff\nforce \"open\nundo\ntest a\nstart\ndelay patience\nload nothing.hsmtest\nhelp me\nquit "
                      "now\nexpect in open\nquit\nforce open\n") == R"((stdin):1:1: error: there is no command "evnt"
    did you mean "event"?
(stdin):2:7: error: there is no event "psh"
    did you mean "push"?
(stdin):3:1: error: there is no command "push"
    to send the event: event push
(stdin):4:1: error: the name of an event is missing
    write: event NAME [FIELD=VALUE]...
(stdin):5:12: error: this is not a field of an event
    write a field like damage=3
(stdin):6:6: error: "often" is not a time
    write a time like 16ms, 1.5s or 2min
(stdin):7:9: error: "often" is not a number of ticks
    write a count like x10
(stdin):8:5: error: there is no bit "lokced"
    did you mean "locked"?
(stdin):9:14: error: a guard cannot be "maybe"
    write true, false, once or ask
(stdin):10:7: error: there is no guard "weak"
    known names: "strong"
(stdin):11:7: error: there is no state "nowhere"
    known names: "door", "closed", "open"
(stdin):12:1: error: this line is not UTF-8 text
    write scripts as UTF-8 text
(stdin):13:7: error: this quote is not closed
    add a " at the end of the name
(stdin):14:1: error: nothing to undo
(stdin):15:1: error: `test` is only for scripts
    remove it; the session continues
(stdin):16:1: error: the machine is already started
    to start again: restart
(stdin):17:7: error: a time is missing
    write: delay NAME TIME
nothing.hsmtest: error: it cannot be read: no such file or directory [HSM-301]
(stdin):19:1: error: there is no command "me"
    `help` lists the commands
(stdin):20:6: error: unexpected text
    write: quit
(stdin):21:1: error: not as expected: expect in open
    active: closed
    why it is not active:
      to door/open: guarded
        door/closed -> door/open on push: it waits for push; its guard "strong" returns false
-> 1
)");
}

TEST_CASE("help lists all commands and expectations") {
    const auto done = after_start("help tick\nhelp expect\nhelp\n");
    CHECK(done.find("  tick [TIME] [xCOUNT]") == 0);
    CHECK(done.find("expect transition STATE [-> STATE] [on EVENT]") != done.npos);
    CHECK(done.find("  event NAME [FIELD=VALUE]...") != done.npos);
}

TEST_CASE("run reports invalid files and options by its exit code") {
    const file broken("<Project", ".xml"), nothing("", ".hsmtest");
    const file f(door, ".xml");
    CHECK(called({"run"}).code == 2);
    CHECK(called({"run", "/nowhere/door.xml"}).code == 2);
    CHECK(called({"run", "/tmp"}).code == 2);
    CHECK(called({"run", broken.path()}).code == 1);
    CHECK(called({"run", "-"}, door).code == 2);
    CHECK(called({"run", f.path(), "--guards", "perhaps"}).code == 2);
    CHECK(called({"run", f.path(), "--over", "hero"}).code == 2);
    CHECK(called({"run", f.path(), "--script", "/nowhere"}).code == 2);
    CHECK(called({"run", f.path(), "--script", nothing.path()}).code == 0);
}

TEST_CASE("run plays a script, prints each step and reports errors") {
    const file script("guard strong true\nevent push\nexpect in open\nexpect in closed\nevent push\n", ".hsmtest");
    const file f(door, ".xml");
    const auto done = called({"run", f.path(), "--script", script.path()});
    CHECK(done.code == 1);
    CHECK(done.out == R"(> guard strong true
> event push
  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
> expect in open
> expect in closed
)");
    CHECK(replaced(done.err, script.path(), "script") == R"(script:4:1: error: not as expected: expect in closed
    active: open
    why it is not active:
      to door/closed: guarded
        door/open -> door/closed after: due in 1 s
)");
}

TEST_CASE("queries ask no guards and use up no answers") {
    CHECK(after_start("possible\nexplain push\nwhy open\nevent push\ny\n", {"--guards", "ask"}) ==
          R"(event push  closed -> open on push [!locked && strong] / creak   if strong
on push: guarded
  door/closed -> door/open on push: its guard "strong" returns false
(guards with the setting `ask` are treated as false)
to door/open: guarded
  door/closed -> door/open on push: it waits for push; its guard "strong" returns false
(guards with the setting `ask` are treated as false)
  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
-> 0
)");
    CHECK(after_start("guard strong once\npossible\nexplain push\nevent push\nforce closed\nevent push\n") ==
          R"(event push  closed -> open on push [!locked && strong] / creak
on push: taken
  door/closed -> door/open on push: taken
  asked strong = true
closed -> open on push [!locked && strong] / creak  (event)
  left closed
  runs creak
  entered open
  runs light
  delay patience = 1s
now open
open -> closed  (request)
  runs dark
  left open
  entered closed
now closed
  asked strong = false
nothing happens (guarded)
  door/closed -> door/open on push: its guard "strong" returns false
-> 0
)");
}

TEST_CASE("undo keeps a permanent answer") {
    CHECK(after_start("event push\na\ntick 100ms\nundo\nnames\n", {"--guards", "ask"}).find("guard  strong = true\n") != std::string::npos);
    CHECK(after_start("event push\nv\ntick 100ms\nundo\nnames\n", {"--guards", "ask"}).find("guard  strong = false\n") != std::string::npos);
    CHECK(after_start("event push\ny\ntick 100ms\nundo\nnames\n", {"--guards", "ask"}).find("guard  strong = ask\n") != std::string::npos);
}

// A program with its own machine.

namespace cave {

struct hero {
    int life = 10;
    bool angry = false;
};
struct hit {
    int damage = 1;
    bool hard = false;
};
template <class A> void serialize(A& archive, hit& h) {
    archive("damage", h.damage);
    archive("hard", h.hard);
}
enum class key { jump, duck };
enum class button : std::uint8_t { none, attack, jump };
struct press {
    button b = button::none;
    int strength = 0;
};
template <class A> void serialize(A& archive, press& p) { archive("b", p.b)("strength", p.strength); }
button pressed = button::none;
struct unknown_fields {
    float f;
};

hsm::chart<hero> make_hero() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& idle = root->add("idle").on_enter(hsm::named("rests", [](hero&) {}));
    auto& hurt = root->add("hurt");
    auto& air = root->add("air");
    root->on<hit>().then(hsm::named("bleed", [](hero& h, const hit& by) { h.life -= by.hard ? 2 * by.damage : by.damage; }));
    idle.to(hurt).when(hsm::named("is hurt", [](const hero& h) { return h.life < 10; }));
    hurt.to(air).on(key::jump);
    hurt.to(idle).after(std::chrono::milliseconds(100));
    idle.to(air).on(key::jump);
    air.to(idle).on<unknown_fields>();
    air.to(hurt).on("land").then(hsm::named("stumble", [](hero&) { throw std::runtime_error("ouch"); }));
    root->on<press>().then(hsm::named("pushes", [](hero&, const press& p) { pressed = p.b; }));
    hsm::serializes<hit>(*root);
    hsm::serializes<press>(*root);
    return hsm::compile(std::move(root));
}

std::string played_hero(const std::string& lines) {
    const hsm::tool::machine<hero> known(make_hero());
    const auto done = tool_run::hsm_with({&known}, {"run", "hero"}, lines);
    return done.out + done.err + "-> " + std::to_string(done.code) + '\n';
}

} // namespace cave

TEST_CASE("a machine of a program runs with its own behaviour, and events carry their data") {
    CHECK(cave::played_hero("event hit damage=3 hard=true\ntick\nevent jump\nevent unknown_fields\ntick\nevent jump\nevent land\n") ==
          R"(-> hero  (start)
  entered hero, idle
  runs rests
now idle
hero on cave::hit / bleed  (event)
  runs bleed
now idle
  asked is hurt = true
idle -> hurt [is hurt]  (tick)
  left idle
  entered hurt
now hurt
hurt -> air on jump of cave::key  (event)
  left hurt
  entered air
now air
air -> idle on cave::unknown_fields  (event)
  left air
  entered idle
  runs rests
now idle
  asked is hurt = true
idle -> hurt [is hurt]  (tick)
  left idle
  entered hurt
now hurt
hurt -> air on jump of cave::key  (event)
  left hurt
  entered air
now air
air -> hurt on land / stumble  (event)
  left air
  runs stumble
  thrown ouch
now hero
-> 1
)");
}

TEST_CASE("a field of enumeration type accepts the name of an enumerator") {
    const auto pressed = [](const std::string& fields) {
        cave::pressed = cave::button::none;
        const auto all = cave::played_hero("event press " + fields + '\n');
        return std::pair(cave::pressed, all.substr(all.find("now idle\n") + 9));
    };
    CHECK(pressed("b=attack").first == cave::button::attack);
    CHECK(pressed("b=button::jump").first == cave::button::jump);
    CHECK(pressed("b=2").first == cave::button::jump);
    CHECK(pressed("b=atack").second ==
          "(stdin):1:1: error: the event \"press\" cannot be created with b: it is \"atack\", but must be one of none, attack, jump\n-> 1\n");
}

TEST_CASE("invalid data of an event are reported") {
    CHECK(cave::played_hero(
              "event hit weight=3\nevent hit damage=much\nevent unknown_fields f=1\nevent jump x=1\nguard \"is hurt\" true\nexplain hit\n") ==
          R"(-> hero  (start)
  entered hero, idle
  runs rests
now idle
(stdin):1:1: error: the event "hit" has no field "weight"
(stdin):2:1: error: the event "hit" cannot be created with damage: it is a text, but must be an integer
(stdin):3:1: error: the event "unknown_fields" has fields that are not registered
    register its serialization in the definition: hsm::serializes<…>(…)
(stdin):4:1: error: the event "jump" has fields that are not registered
    register its serialization in the definition: hsm::serializes<…>(…)
(stdin):5:7: error: the program has registered the guard "is hurt"
    only unregistered names are simulated, so its result cannot be set
(stdin):6:1: error: an event with data cannot be explained in advance
    process it with `event hit`, then `undo`
-> 1
)");
}

TEST_CASE("a file over a program's context uses the registered names, and simulates the others") {
    hsm::registry<cave::hero> names;
    names.guard("hurt", [](const cave::hero& h) { return h.life < 10; });
    names.hook("wound", [](cave::hero& h) { h.life -= 3; });
    hsm::tool::machine<cave::hero> known(cave::make_hero());
    known.loads_with(names);
    const hsm::tool::machine<cave::hero> other(cave::make_hero());
    const file f(R"(<Project name="P"><event ID="hit"/><on event="hit" action="wound shout"/>
  <state ID="a"><to ID="b"><condition ID="hurt"/><condition ID="alone"/></to></state><state ID="b" enter="rest"/></Project>)",
                 ".xml");
    const auto done =
        tool_run::hsm_with({&known}, {"run", f.path()}, "tick\nguard alone true\ntick\nevent hit\nguard hurt true\ntick\nexpect hook rest\n");
    CHECK(done.out + done.err == R"(-> P  (start)
  entered P, a
now a
  asked hurt = false
nothing happens
  asked hurt = false
nothing happens
P on hit / wound, shout  (event)
  runs wound, shout
now a
  asked hurt = true, alone = true
a -> b [hurt && alone]  (tick)
  left a
  entered b
  runs rest
  finished P
now b (the machine is finished)
(stdin):5:7: error: the program has registered the guard "hurt"
    only unregistered names are simulated, so its result cannot be set
)");

    CHECK(tool_run::hsm_with({&known, &other}, {"run", f.path()}).err ==
          R"(hsm: error: several machines of this program have a context that fits a file
    choose one: --over NAME
)");
    CHECK(tool_run::hsm_with({&known, &other}, {"run", f.path(), "--over", "villain"}).err ==
          R"(hsm: error: there is no machine "villain" in this program
    known names: hero, hero
)");
    CHECK(tool_run::hsm_with({&known, &other}, {"run", f.path(), "--over", "hero"}).code == 0);
}

TEST_CASE("each test over a program's machine begins with a new context") {
    const hsm::tool::machine<cave::hero> known(cave::make_hero());
    const file script("test one\nevent hit\ntick\nexpect in hurt\ntest two\ntick\nexpect in idle\nexpect asked \"is hurt\" false\n", ".hsmtest");
    const auto done = tool_run::hsm_with({&known}, {"test", "hero", script.path()});
    CHECK(done.out + done.err == R"(ok    one
ok    two
2 tests, all passed
)");
}
