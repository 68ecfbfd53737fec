// Exact output of `hsm generate` for small files.

#include <hsm/tool/detail/program_text.hpp>

#include <tests/support/open_xml.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hsm::detail::tool;

namespace {

/// The program generated from a file.
struct made {
    explicit made(const std::string& xml, bool lines = false)
        : machine(test::load_open_xml(xml, "dir/door.xml", sim)), names(machine.names, "dir/door.xml", *machine.root) {
        REQUIRE(hsm::describe(machine.problems) == "");
        options.lines = lines;
    }
    program_source source() const { return {*machine.root, names, options}; }
    std::string refused() const {
        hsm::detail::problem_list problems("door.xml");
        check_constant(source(), problems);
        return hsm::describe(problems.take());
    }

    simulation sim;
    test::open_machine machine;
    program_names names;
    program_options options{.file = "dir/door.xml", .space = "door", .hooks = "door_hooks.hpp", .output = "door_chart.hpp"};
};

constexpr auto door = R"(<Project name="Door">
  <event ID="push"/>
  <state ID="shut" enter="click">
    <to ID="open" event="push" action="creak"><condition ID="is free?"/></to>
  </state>
  <state ID="open"><to ID="shut"><not><condition ID="is free?"/></not></to></state>
</Project>
)";

} // namespace

TEST_CASE("the skeleton has a context and a function for each name, with its places") {
    CHECK(hooks_text(made(door).source()) ==
          R"(// The context and functions that door.xml names. `hsm generate` created this file once and does not
// overwrite it: edit it. Functions can have the parameters of hooks in any definition.
#pragma once

namespace door {

namespace events {

/// door.xml:2: declared
/// door.xml:4: event of Door/shut
struct push {};

} // namespace events

struct context {
    // Results of guards, until you write them.
    bool is_free = false;
};

namespace guards {

/// door.xml:4: guard of Door/shut, on push
/// door.xml:6: guard of Door/open
inline bool is_free(const context& c) { return c.is_free; }

} // namespace guards

namespace hooks {

/// door.xml:3: enter of Door/shut
inline void click(context&) {}

/// door.xml:4: action of Door/shut, on push
inline void creak(context&) {}

} // namespace hooks

} // namespace door
)");
}

TEST_CASE("the registry registers each function, with the event if all its transitions wait for this event") {
    CHECK(registry_text(made(door).source(), false) ==
          R"(// Generated from door.xml by `hsm generate registry`. Do not edit: change the source and generate again.
#include "door_hooks.hpp"

#include <hsm/load/registry.hpp>

namespace door {

namespace {

const hsm::registration<context> registered{[](hsm::registrar<context>& names) {
    names.hook("click", hooks::click);
    names.action<events::push>("creak", hooks::creak);
    names.guard("is free?", guards::is_free);
    names.event<events::push>("push");
}};

} // namespace

} // namespace door
)");
}

TEST_CASE("the definition uses the definition calls of C++") {
    CHECK(definition_text(made(door).source()) ==
          R"(// Generated from door.xml by `hsm generate definition`. Do not edit: change the source and generate again.
#pragma once

#include "door_hooks.hpp"

#include <hsm/hsm.hpp>

namespace door {

inline hsm::owned<hsm::fsm<context>> make_definition() {
    auto made = hsm::make_fsm<context>("Door");
    auto& root = *made;
    auto& shut = root.add("shut");
    shut.on_enter(hsm::named("click", hooks::click));
    auto& open = root.add("open");
    shut.to(open).on<events::push>().when(hsm::named("is free?", guards::is_free)).then(hsm::named("creak", hooks::creak));
    open.to(shut).when(hsm::no(hsm::named("is free?", guards::is_free)));
    return made;
}

} // namespace door
)");
}

TEST_CASE("generated names have the line and column of the file") {
    const auto text = definition_text(made(door, true).source());
    CHECK(text.find("\n#line 4 \"dir/door.xml\"\n                                                             is_free)") != text.npos); // column 62
    CHECK(text.find("\n#line 4 \"dir/door.xml\"\n    shut.to(open)") != text.npos);
    CHECK(text.find("\n#line 34 \"door_chart.hpp\"\n    return made;\n") != text.npos);
}

TEST_CASE("a constant chart refers to functions that the compiler can see") {
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(made(door).source(), problems);
    CHECK(problems.empty());
    CHECK(text.find("        shut.to(open).on<events::push>().when(hsm::fixed<guards::is_free>).then(hsm::fixed<hooks::creak>);\n") != text.npos);
    CHECK(text.find("        open.to(shut).when(hsm::no(hsm::fixed<guards::is_free>));\n") != text.npos);
    CHECK(text.find("inline constexpr auto chart = hsm::constant_chart<context>(definition{});\n") != text.npos);
}

TEST_CASE("triggers are written as definition calls") {
    const auto text = definition_text(
        made(R"(<Project name="P"><bit ID="Jump" trigger="true"/><state ID="a"><to ID="a"><bit ID="Jump"/></to></state></Project>)").source());
    CHECK_MESSAGE(text.find("root.condition(\"Jump\").trigger();\n") != text.npos, text);
}

TEST_CASE("labels of transitions are written as definition calls") {
    const auto text = definition_text(made(R"(<Project name="P"><state ID="a"><to ID="a" after="1s" label="x&quot;"/></state></Project>)").source());
    CHECK_MESSAGE(text.find(".label(\"x\\\"\").after(") != text.npos, text);
}

TEST_CASE("choices by score are written as definition calls, and their scores as functions") {
    const made m(
        R"(<Project name="P"><state ID="a" choose="best" rechoose="true" stay_bonus="2"><dispatch ID="b" score="aim" cooldown="1us"/><dispatch ID="c" weight="0.5" Priority="2"/>
        <state ID="b" kind="leaf"/><state ID="c" kind="leaf"/></state></Project>)");
    const auto text = definition_text(m.source());
    CHECK_MESSAGE(text.find("a.choose(hsm::best).rechoose().stay_bonus(2);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("a.dispatch(b).score(hsm::named(\"aim\", scores::aim)).cooldown(hsm::time_span::from_nanoseconds(1000));\n") != text.npos,
                  text);
    CHECK_MESSAGE(text.find("a.dispatch(c).priority(2).weight(0.5);\n") != text.npos, text);
    CHECK(hooks_text(m.source()).find("inline double aim(const context&) { return 1; }\n") != text.npos);
    CHECK(registry_text(m.source(), false).find("names.score(\"aim\", scores::aim);\n") != text.npos);
    CHECK(m.refused() == "");
}

TEST_CASE("a constant chart has the choices of the file") {
    const made m(R"(<Project name="P"><state ID="a"><to ID="c"/></state><state ID="b"/>
<state ID="c" kind="choice" choose="best"><to ID="a" score="aim" rank="2"/><otherwise ID="b"/></state></Project>)");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK(m.refused() == "");
    CHECK_MESSAGE(text.find("add_choice(\"c\")") != text.npos, text);
    CHECK_MESSAGE(text.find("c.choose(hsm::best);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("c.to(a).priority(2).score(hsm::fixed<scores::aim>);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("c.otherwise(b);\n") != text.npos, text);
}

TEST_CASE("a constant chart has the bits of the file") {
    const made m(R"(<Project name="P"><bit ID="Armed"/><state ID="a"><to ID="b"><bit ID="Armed"/><condition ID="near"/></to></state>
<state ID="b"><to ID="a"><bit ID="!Armed"/></to></state></Project>)");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK(m.refused() == "");
    CHECK_MESSAGE(text.find("a.to(b).when(\"Armed\").when(hsm::fixed<guards::near>);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("b.to(a).when(\"!Armed\");\n") != text.npos, text);
    CHECK(text.find("root.condition") == text.npos);
}

TEST_CASE("a constant chart has the timers of the file") {
    const made m(R"(<Project name="P"><state ID="a"><to ID="b" after="300ms"/><on every="2s" action="blink"/></state>
<state ID="b"><to ID="a" after="patience"/></state></Project>)");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK(m.refused() == "");
    CHECK_MESSAGE(text.find("a.to(b).after(hsm::time_span::from_nanoseconds(300000000));\n") != text.npos, text);
    CHECK_MESSAGE(text.find("a.every(hsm::time_span::from_nanoseconds(2000000000)).then(hsm::fixed<hooks::blink>);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("b.to(a).after(hsm::fixed<delays::patience>);\n") != text.npos, text);
}

TEST_CASE("a constant chart tests bit 0 and a function in one group only without regions, and not in a choice") {
    const std::string group = R"(<any><bit index="0"/><condition ID="near"/></any>)";
    const auto file = [&](const std::string& transition, const std::string& regions) {
        return "<Project name=\"P\"><state ID=\"m\">" + transition + "<state ID=\"a\"/><state ID=\"b\" kind=\"final\"/></state>\n" + regions +
               "</Project>";
    };
    const auto dispatch = "<dispatch ID=\"b\">" + group + "</dispatch>", to = "<to ID=\"m\">" + group + "</to>";
    const std::string regions = R"(<state ID="r" kind="parallel"><state ID="r1"/><state ID="r2"/></state>)";
    CHECK(made(file(to, "")).refused() == "");
    CHECK(made(file(R"(<dispatch ID="b"><bit index="0"/><condition ID="near"/></dispatch>)", regions)).refused() == "");
    const made again(R"(<Project name="P" choose="best" rechoose="true"><dispatch ID="a"><bit index="0"/></dispatch><state ID="a"/></Project>)");
    CHECK(again.refused().find("HSM-326 error: a constant chart has no bit 0 in a candidate of a machine that chooses again") != std::string::npos);
    for (const auto& refused : {file(dispatch, ""), file(to, regions)})
        CHECK(made(refused).refused().find("HSM-326 error: a constant chart has no bit 0 and condition in one <any> or <not>") != std::string::npos);
}

TEST_CASE("tags are written as definition calls") {
    const auto text = definition_text(made(R"(<Project name="P"><state ID="a" tags="x y"><to ID="a"/></state></Project>)").source());
    CHECK_MESSAGE(text.find("a.tag(\"x\").tag(\"y\");\n") != text.npos, text);
}

TEST_CASE("all parts that a constant chart cannot have are reported") {
    const made m(R"(<Project name="P"><bit ID="Armed" trigger="true"/>
<state ID="a" remembers="deep" tags="t">
<state ID="b"><to ID="b" event="done.state.P"/></state>
</state>
<state ID="r" kind="parallel" remembers="deep"><state ID="r1"/><state ID="r2"/></state>
<to ID="a" always="true"><bit ID="Armed"/></to>
</Project>)");
    const auto printed = m.refused();
    CHECK_MESSAGE(printed.find("3:15: HSM-326 error: a constant chart has no events that the machine itself raises") != printed.npos, printed);
    CHECK(made(door).refused() == "");
}

TEST_CASE("tags, triggers and bits with an index are written for constant charts") {
    const made m(R"(<Project name="P"><bit ID="Armed" trigger="true"/><bit ID="Near" index="7"/><bit ID="Far"/>
<state ID="a" tags="t"><to ID="b"><bit ID="Armed"/><bit ID="Near"/><bit ID="Far"/></to></state><state ID="b"/></Project>)");
    CHECK(m.refused() == "");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK_MESSAGE(text.find("root.condition(\"Armed\").trigger();\n") != text.npos, text);
    CHECK_MESSAGE(text.find("root.condition(\"Near\", 7);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("a.tag(\"t\");\n") != text.npos, text);
    CHECK(text.find("condition(\"Far\"") == text.npos);
}

TEST_CASE("hooks for unhandled events and for the end of all work are written for constant charts") {
    const made m(R"(<Project name="P"><settled ID="s"/><unhandled ID="u"/><state ID="a"/></Project>)");
    CHECK(m.refused() == "");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK_MESSAGE(text.find(".on_unhandled(hsm::fixed<hooks::u>).on_settled(hsm::fixed<hooks::s>)") != text.npos, text);
}

TEST_CASE("states that hold are written for constant charts") {
    const made m(R"(<Project name="P"><state ID="a" hold="true" min_duration="300ms" hold_until="near"><to ID="b" force="true"/></state>
<state ID="b"/></Project>)");
    CHECK(m.refused() == "");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK_MESSAGE(
        text.find("a.hold().hold_until(hsm::fixed<guards::near>).min_duration(hsm::time_span::from_nanoseconds(300000000));\n") != text.npos, text);
    CHECK_MESSAGE(text.find(".force()") != text.npos, text);
    CHECK(made(R"(<Project name="P"><state ID="p" kind="parallel"><state ID="r" hold="true"/></state></Project>)").refused() == "");
}

TEST_CASE("conditions that finish a state are written for constant charts") {
    const made m(R"(<Project name="P"><state ID="a"><finished><condition ID="near"/><not><bit ID="Far"/></not></finished>
<to ID="b" finished="true"/></state><state ID="b" kind="parallel"><state ID="r"><state ID="x"/></state></state></Project>)");
    CHECK(m.refused() == "");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK_MESSAGE(text.find("hsm::detail::finishes_when(a, hsm::fixed<guards::near>);\n") != text.npos, text);
    CHECK_MESSAGE(text.find("hsm::detail::finishes_when(a, hsm::no(\"Far\"));\n") != text.npos, text);
    CHECK_MESSAGE(text.find(" a;\n") == text.npos, text); // no statement without an effect
    const made over(R"(<Project name="P"><state ID="a" kind="leaf"><finished><bit index="0"/></finished></state>
<state ID="b" kind="parallel"><state ID="r"><state ID="x"/></state></state></Project>)");
    CHECK(over.refused().find("1:55: HSM-326 error: a constant chart has no bit 0 in <finished>, in a machine with a parallel state") !=
          std::string::npos);
}

TEST_CASE("deferred events, changes and locals are written for constant charts") {
    const made m(R"(<Project name="P"><change ID="c"/><state ID="a" kind="leaf" local="l"><defer event="x"/></state>
<state ID="p" kind="parallel"><state ID="r"><state ID="r1"/></state><state ID="s"><state ID="s1"/></state>
<to ID="a"><in ID="r/r1"/></to></state><to ID="p/r/r1"><and ID="p/s/s1"/></to></Project>)");
    CHECK(m.refused() == "");
    hsm::detail::problem_list problems("door.xml");
    const auto text = constant_text(m.source(), problems);
    CHECK(text.find("defer<events::x>()") != std::string::npos);
    CHECK(text.find("local<locals::l>()") != std::string::npos);
    CHECK(text.find("on_change(hsm::fixed<changes::c>)") != std::string::npos);
    CHECK_MESSAGE(text.find("p.to(a).in(") != std::string::npos, text);
    CHECK_MESSAGE(text.find("root.to(r1, s1)") != std::string::npos, text);
}

TEST_CASE("names that are equal in C++ are reported with the place of the first one") {
    const made m(R"(<Project name="P"><state ID="a"><to ID="a"><condition ID="x!"/><condition ID="x?"/></to></state></Project>)");
    REQUIRE(m.names.notes().size() == 1);
    CHECK(m.names.notes().front().text == "names are equal in C++: \"x!\" is guards::x_x21, \"x?\" is guards::x_x3f");
    CHECK(m.names.notes().front().where.to_string() == "dir/door.xml:1:59");
}

TEST_CASE("a part of the context becomes a namespace with its names") {
    const made m(
        R"(<Project name="P"><state ID="gun" kind="machine" context="weapon"><state ID="a"><to ID="a"><condition ID="weapon"/></to></state></state>
<to ID="gun" finished="true"><condition ID="weapon"/></to></Project>)");
    const auto hooks = hooks_text(m.source());
    CHECK(hooks.find("    bool weapon = false;\n    weapon_part::context weapon_of_its_own;\n") != hooks.npos);
    CHECK(hooks.find("inline weapon_part::context& weapon(context& c) { return c.weapon_of_its_own; }\n") != hooks.npos);
    const auto registry = registry_text(m.source(), false);
    CHECK(registry.find("    auto names_1 = names.part<weapon_part::context>(\"weapon\", parts::weapon);\n"
                        "    names_1.guard(\"weapon\", weapon_part::guards::weapon);\n") != registry.npos);
    CHECK(definition_text(m.source()).find("root.add<hsm::fsm<weapon_part::context>>(hsm::named(\"weapon\", parts::weapon), \"gun\");\n") !=
          std::string::npos);
}

TEST_CASE("any_event is written as such, and is no event of the program") {
    const made m(R"(<Project name="P"><on event="any_event" action="a"/><state ID="x"><to ID="x" event="go"/></state></Project>)");
    CHECK(definition_text(m.source()).find("    root.on(hsm::any_event).then(") != std::string::npos);
    CHECK(hooks_text(m.source()).find("any_event") == std::string::npos);
    CHECK(registry_text(m.source(), false).find("any_event") == std::string::npos);
    CHECK(m.refused() == "");
}

TEST_CASE("events are names if the file has event prefixes or events that the machine raises") {
    const made m(R"(<Project name="P"><event ID="stop.now"/><on event="stop.* stop.now" action="a"/><on event="done.state.x" action="a"/>
<state ID="x"><to ID="y" event="stop.now"/></state><state ID="y" kind="final"><done_data ID="d"/></state><settled ID="s"/></Project>)");
    CHECK(hooks_text(m.source()).find("struct") == hooks_text(m.source()).find("struct context"));
    CHECK(hooks_text(m.source()).find("inline hsm::event_data d(const context&) { return {}; }\n") != std::string::npos);
    const auto registry = registry_text(m.source(), false);
    CHECK(registry.find("    names.event(\"stop.now\");\n") != std::string::npos);
    CHECK(registry.find("    names.done_data(\"d\", done_data::d);\n") != std::string::npos);
    const auto definition = definition_text(m.source());
    CHECK(definition.find("    root.on(hsm::any(hsm::event_prefix(\"stop\"), \"stop.now\"))") != std::string::npos);
    CHECK(definition.find("    x.to(y).on(\"stop.now\");\n") != std::string::npos);
    CHECK(definition.find(".on_settled(hsm::named(\"s\", hooks::s))") != std::string::npos);
    CHECK(definition.find("y.done_data(hsm::named(\"d\", done_data::d));\n") != std::string::npos);
    CHECK(m.refused().find("no lists or prefixes of events") != std::string::npos);
}
