#include <hsm/tool/detail/open_names.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/open_xml.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hsm;
using namespace hsm::detail::tool;
using hsm::detail::behavior_kind;

namespace {

constexpr const char* every_kind = R"(<Project name="P">
  <event ID="declared"/>
  <bit ID="known" index="7"/>
  <state ID="a" enter="greet" update="move" exit="leave" local="wound" identifier="a_id" hold_until="ready" min_duration="least">
    <to ID="b" event="hit" action="bleed"><condition ID="strong"/><bit ID="!armed"/><bit ID="known"/></to>
    <to ID="b" after="patience"><any><condition ID="bored"/><not><condition ID="strong"/></not></any></to>
    <to ID="b" event="declared"/>
    <finished><condition ID="spent"/></finished>
    <init ID="begin"/>
  </state>
  <state ID="b" class="brain"><to ID="c" finished="true"/></state>
  <state ID="c" class="brain"><state ID="d" kind="leaf"/><to ID="w" finished="true"/></state>
  <state ID="w" context="weapon" kind="machine">
    <change ID="moved"/>
    <unhandled ID="moan"/>
    <state ID="x" enter="greet"><to ID="y"><condition ID="strong"/></to></state>
    <state ID="y" context="sight" kind="machine"><state ID="z" kind="leaf" enter="focus"/></state>
  </state>
</Project>)";

std::string line(const used_name& n) {
    std::string text(to_string(n.kind));
    text += ' ' + n.name + (n.declared ? " declared" : "") + (n.registered ? " registered" : "");
    for (const auto& p : n.parts) text += " in " + p;
    if (n.contains_states) text += " contains states";
    if (n.index) text += " index " + std::to_string(n.index);
    for (const auto& p : n.sites) {
        text += "; " + std::to_string(p.at.line) + ':' + std::to_string(p.at.column) + ' ' + p.state + ' ' + p.role;
        if (!p.event.empty()) text += " on " + p.event;
    }
    return text;
}

std::string lines(const std::vector<used_name>& names) {
    std::string all;
    for (const auto& n : names) all += line(n) + '\n';
    return all;
}

test::open_machine open_text(std::string text, simulation& sim) { return test::load_open_xml(std::move(text), "p.xml", sim); }

class heard_by_a_test final : public simulation_listener {
public:
    bool ask(const simulated_name& guard) override { return log.push_back("ask " + guard.name), yes; }
    void answered(const simulated_name& guard, bool answer) override { log.push_back(guard.name + (answer ? ": yes" : ": no")); }
    void ran(const simulated_name& hook) override { log.push_back(hook.name); }
    void measured(const simulated_name& delay) override { log.push_back("how long is " + delay.name); }

    std::string taken() {
        std::string text;
        for (const auto& entry : std::exchange(log, {})) text += text.empty() ? entry : ", " + entry;
        return text;
    }
    std::vector<std::string> log;
    bool yes = true;
};

} // namespace

TEST_CASE("every name in a file is listed with its kind and all its places") {
    simulation sim;
    const auto m = open_text(every_kind, sim);
    REQUIRE(describe(m.problems) == "");
    CHECK(lines(m.names) == "event declared declared; 2:14  event; 7:23 P/a event\n"
                            "bit known declared index 7; 3:12  bit; 5:94 P/a bit\n"
                            "hook greet; 4:24 P/a enter\n"
                            "update move; 4:39 P/a update\n"
                            "hook leave; 4:51 P/a exit\n"
                            "local wound; 4:65 P/a local\n"
                            "identifier a_id; 4:84 P/a identifier\n"
                            "guard ready; 4:102 P/a hold_until\n"
                            "delay least; 4:123 P/a delay\n"
                            "event hit; 5:23 P/a event\n"
                            "action bleed; 5:36 P/a action on hit\n"
                            "guard strong; 5:58 P/a guard on hit; 6:81 P/a guard\n"
                            "bit armed; 5:76 P/a bit\n"
                            "delay patience; 6:23 P/a delay\n"
                            "guard bored; 6:53 P/a guard\n"
                            "guard spent; 8:30 P/a finished\n"
                            "hook begin; 9:15 P/a on_init\n"
                            "state class brain contains states; 11:24 P class; 12:24 P class\n"
                            "part weapon; 13:26 P context\n"
                            "on_change moved in weapon; 14:17 P/w on_change\n"
                            "hook moan in weapon; 15:20 P/w on_unhandled\n"
                            "hook greet in weapon; 16:26 P/w/x enter\n"
                            "guard strong in weapon; 16:59 P/w/x guard\n"
                            "part sight in weapon; 17:28 P/w context\n"
                            "hook focus in weapon in sight; 17:83 P/w/y/z enter\n");
}

TEST_CASE("a machine without registered behavior runs with simulated behavior") {
    simulation sim;
    heard_by_a_test heard;
    sim.listen(&heard);
    auto m = open_text(every_kind, sim);
    REQUIRE(describe(m.problems) == "");
    const auto chart = hsm::compile(std::move(m.root));
    simulated_context context;
    hsm::instance agent{chart, context};
    agent.start();
    CHECK(heard.taken() == "begin, greet, how long is least, how long is patience");
    sim.find(behavior_kind::guard, "strong")->setting = guard_setting::yes;
    agent.set("known");
    CHECK(agent.process("hit") == result::held);
    CHECK(heard.taken() == "strong: yes");
    sim.find(behavior_kind::guard, "ready")->setting = guard_setting::ask;
    agent.tick(time_span::from_nanoseconds(999'999'999));
    CHECK(heard.taken() == "move, spent: no"); // it holds for a second, the default
    sim.find(behavior_kind::guard, "strong")->setting = guard_setting::once;
    agent.tick(time_span::from_nanoseconds(1));
    CHECK(heard.taken() == "ask ready, ready: yes, strong: yes, leave, bleed");
    CHECK(sim.find(behavior_kind::guard, "strong")->setting == guard_setting::no);
    CHECK(agent.current().path() == "P/b");
    agent.finish("b");
    agent.tick();
    CHECK(agent.current().path() == "P/c/d");
    agent.finish("c");
    agent.tick();
    CHECK(agent.current().path() == "P/w/x");
    CHECK(heard.taken() == "greet, moved, strong: no");
    sim.find(behavior_kind::guard, "strong")->setting = guard_setting::yes;
    agent.tick();
    CHECK(agent.current().path() == "P/w/y/z");
    CHECK(heard.taken() == "strong: yes, focus, moved");
}

TEST_CASE("a delay has the length that is set when the state is entered") {
    simulation sim;
    auto m = open_text(R"(<Project name="P"><state ID="a"><to ID="b" after="patience"/></state><state ID="b"/></Project>)", sim);
    REQUIRE(describe(m.problems) == "");
    const auto chart = hsm::compile(std::move(m.root));
    simulated_context context;
    hsm::instance agent{chart, context};
    sim.find(behavior_kind::delay, "patience")->length = time_span::from_nanoseconds(5);
    agent.start();
    CHECK(agent.tick(time_span::from_nanoseconds(4)) == result::unhandled);
    CHECK(agent.tick(time_span::from_nanoseconds(1)) == result::taken);
}

TEST_CASE("locals have a type for each name, and their machines can be saved") {
    simulation sim;
    auto m = open_text(R"(<Project name="P"><state ID="a" kind="leaf" local="wound scar"/></Project>)", sim);
    REQUIRE(describe(m.problems) == "");
    const auto chart = hsm::compile(std::move(m.root));
    REQUIRE(chart.view().find("a").locals().size() == 2);
    CHECK(chart.view().find("a").locals()[0] == "wound");
    CHECK(chart.view().find("a").locals()[1] == "scar");
    CHECK(check_saveable(chart, saving::image).empty());
    CHECK(check_saveable(chart, saving::document).empty());
    simulated_context context;
    hsm::instance agent{chart, context};
    const auto before = save(agent);
    agent.start();
    CHECK(restore(agent, before) == result::taken);
    CHECK_FALSE(agent.active());
}

TEST_CASE("names that the program registered are not simulated") {
    struct monster {
        bool sees = true;
        mutable int asked = 0;
    };
    registry<monster> names;
    names.guard("hasTarget", [](const monster& m) { return ++m.asked, m.sees; });
    names.event("hit");
    simulation sim;
    open_names open(sim);
    auto loaded = [&] {
        const open_names::listening to(open, names);
        return try_load_xml_text(R"(<Project name="P">
  <state ID="a"><to ID="b"><condition ID="hasTarget"/><condition ID="isAwake"/></to><to ID="b" event="hit"/></state>
  <state ID="b" context="weapon"><state ID="c"/><to ID="a"><condition ID="hasTarget"/></to></state>
</Project>)",
                                 names);
    }();
    REQUIRE(describe(loaded.problems) == "");
    CHECK(lines(open.names()) == "guard hasTarget registered; 2:43 P/a guard\n"
                                 "guard isAwake; 2:70 P/a guard\n"
                                 "event hit registered; 2:103 P/a event\n"
                                 "part weapon; 3:26 P context\n"
                                 "guard hasTarget in weapon; 3:75 P/b guard\n"); // a different guard
    const auto chart = hsm::compile(std::move(loaded.root));
    monster m;
    hsm::instance agent{chart, m};
    agent.start();
    sim.find(behavior_kind::guard, "isAwake")->setting = guard_setting::yes;
    CHECK(agent.tick() == result::taken);
    CHECK(m.asked == 1);
}

TEST_CASE("without a source of names, unknown names are errors") {
    simulation sim;
    registry<simulated_context> names;
    {
        open_names open(sim);
        const open_names::listening to(open, names);
        REQUIRE(try_load_xml_text(every_kind, names));
    }
    CHECK(try_load_xml_text(R"(<Project name="P"><state ID="a" enter="greet"/></Project>)", names).problems.size() == 1);
}

TEST_CASE("a path into an unknown class is an error") {
    simulation sim;
    const auto m = open_text(R"(<Project name="P"><state ID="a"><to ID="b/c"/></state><state ID="b" class="brain"/></Project>)", sim);
    CHECK(describe(m.problems) == "p.xml:1:33: HSM-007 error: <to> names \"b/c\", but this state does not exist; hint: did you mean \"P/a\"?\n");
}
