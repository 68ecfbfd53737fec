// Each part of the XML format, in the order of docs/reference/xml_format.md. Conditions are tested in xml_conditions_test.cpp.

#include <tests/support/xml_game.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace std::chrono_literals;
using namespace test;

TEST_CASE("a machine starts in its first state, down to the leaf of nested machines") {
    game g(state("a", state("b", "", "kind='leaf' enter='E'") + state("c", "", "kind='leaf'"), eux) + state("d", "", "kind='leaf'"), "enter='E'");
    CHECK(g.start() == "E R, E a, E b");
}

TEST_CASE("initial can name any descendant, as an attribute or as an element with an action") {
    game by_attribute(state("a", "", "kind='leaf'") + state("b", state("c", "", "kind='leaf'") + state("d", "", "kind='leaf'")), "initial='b/d'");
    by_attribute.start();
    CHECK(by_attribute.at() == "b/d");
    game by_element("<initial ID='d' action='act'/>" + state("a", "", "kind='leaf'") + state("d", "", "kind='leaf' enter='E'"));
    CHECK(by_element.start() == "act, E d");
}

TEST_CASE("a state without a transition is final, in the root and in nested machines") {
    game g(state("work",
                 "<to ID='home' finished='true'/>" + state("a", "<to ID='done'><condition ID='go'/></to>", eux) + state("done", "", "enter='E'"),
                 "exit='X'") +
           state("home", "", "enter='E'"));
    g.start();
    CHECK_FALSE(g.agent.finished());
    g.r.go = true;
    CHECK(g.tick() == "X a, E done, X work, E home");
    CHECK(g.agent.finished());
}

TEST_CASE("kind=\"leaf\" marks a state that only transitions of its machine leave") {
    game g("<to ID='hurt'><condition ID='go'/></to>" + state("well", "<to ID='hurt' event='hit'/>", eux) +
           state("hurt", "", "kind='leaf' update='U'"));
    g.start();
    g.r.go = true;
    CHECK(g.tick() == "X well, U hurt");
    CHECK(g.tick() == "U hurt");
    CHECK_FALSE(g.agent.finished());
}

TEST_CASE("a region of a parallel is never final, with or without a transition") {
    game g(state("p", state("r", "", eux) + state("s", state("x", "", "kind='leaf'"), eux), "kind='parallel'"));
    CHECK(g.start() == "E r, E s");
    CHECK(g.tick() == "U r, U s");
}

TEST_CASE("events are registered classes, enumerators and names, and names that the file declares") {
    game g("<event ID='mine'/>" +
           state("a",
                 "<to ID='b' event='hit' action='hurt'><condition ID='hard'/></to><to ID='c' event='up'/><on event='stop' action='act'/><to ID='d' "
                 "event='mine'/>",
                 "") +
           state("b", "", "kind='leaf'") + state("c", "", "kind='leaf'") + state("d", "", "kind='leaf'"));
    g.start();
    CHECK(g.process(hit{5}) == "");
    CHECK(g.process("stop") == "act");
    CHECK(g.process(hit{6}) == "hurt 6");
    CHECK(g.at() == "b");
    g.agent.change_to("a");
    CHECK(g.agent.process(input::down) == hsm::result::unhandled);
    CHECK(g.agent.process(input::up) == hsm::result::taken);
    g.agent.change_to("a");
    g.process("mine");
    CHECK(g.at() == "d");
}

TEST_CASE("times are literal, registered, or computed on entry") {
    game g(state("a", "<to ID='b' after='20ms'/>", "") + state("b", "<to ID='c' after='short'/>", "") +
           state("c", "<to ID='d' after='found'/><on every='0.02' action='act'/>", "") + state("d", "", "kind='leaf'"));
    g.start();
    g.tick(19ms);
    CHECK(g.at() == "a");
    g.tick(1ms);
    CHECK(g.at() == "b");
    g.tick(29ms);
    CHECK(g.at() == "b");
    g.tick(1ms);
    CHECK(g.at() == "c");
    CHECK(g.tick(20ms) == "act");
    CHECK(g.tick(20ms) == "act");
    CHECK(g.at() == "c");
    g.tick(10ms);
    CHECK(g.at() == "d");
}

TEST_CASE("choices, dispatch and history are loaded") {
    game g(state("m",
                 "<dispatch ID='b' Priority='1'><condition ID='go'/></dispatch><dispatch ID='a' action='act'/><to ID='z' event='stop'/>" +
                     state("a", "<to ID='b' event='up'/>", "") + state("b", "", "kind='leaf'") +
                     state("back", "<otherwise ID='a'/>", "kind='history'"),
                 "") +
           state("z", "<to ID='fork' event='up'/>", "") +
           state("fork", "<to ID='m/b'><condition ID='ready' Priority='1'/></to><otherwise ID='m/back' action='act'/>", "kind='choice'"));
    CHECK(g.start() == "act");
    g.process(input::up);
    g.process("stop");
    CHECK(g.process(input::up) == "act");
    CHECK(g.at() == "m/b"); // it exited there
}

TEST_CASE("a previous state is loaded and saved; a parallel cannot have one") {
    const auto states = state("a", "<to ID='b' event='up'/>", "kind='leaf'") + state("b", "<to ID='last' event='up'/>", "") +
                        state("last", "<otherwise ID='a'/>", "kind='previous'");
    game g(states);
    g.start();
    g.process(input::up);
    g.process(input::up);
    CHECK(g.at() == "a");
    const auto saved = hsm::save_xml(*g.chart.root().get());
    CHECK(saved.find("kind=\"previous\"") != saved.npos);
    CHECK(hsm::compile(hsm::load_xml_text(saved, g.names)).dump() == g.chart.dump());
    try {
        game refused(state("p", states, "kind='parallel'"));
        CHECK(false);
    } catch (const std::exception& e) {
        CHECK(std::string(e.what()).find("HSM-023") != std::string::npos);
    }
}

TEST_CASE("a file can add parts to a state of a registered class") {
    game g(state("twist", "<to ID='rest' finished='true'/><enter ID='a hook with blanks'/>", "class='spin' enter='E'") +
           state("rest", "", "enter='E'"));
    CHECK(g.start() == "E spin, E twist, blanks, E around");
    CHECK(g.process("stop") == "E rest");
    const auto saved = hsm::save_xml(*g.chart.root().get());
    CHECK(saved.find("around") == saved.npos);
    CHECK(hsm::compile(hsm::load_xml_text(saved, g.names)).dump() == g.chart.dump());
}

TEST_CASE("a local exists with its state, adds hooks in order, and finishes the state") {
    game g(state("a", "<to ID='b' finished='true'/><update ID='U'/><local ID='countDown'/><update ID='float'/>", "") + state("b", "", "enter='E'"));
    g.start();
    CHECK(g.tick(5ms) == "U a, left 1, dt 5");
    CHECK(g.tick(5ms) == "U a, left 0, dt 5, E b");
    const auto saved = hsm::save_xml(*g.chart.root().get());
    CHECK(saved.find("<update ID=\"U\"/>\n    <local ID=\"countDown\"/>\n    <update ID=\"float\"/>") != saved.npos);
}

TEST_CASE("finished: a state finishes when one of its conditions holds after an update") {
    game g(state("a", "<to ID='b' finished='true'/><finished><condition ID='go'/><condition ID='ready'/></finished>", "update='U'") +
           state("b", "", "enter='E'"));
    g.start();
    CHECK(g.tick() == "U a");
    g.r.ready = true;
    CHECK(g.tick() == "U a, E b");
}

TEST_CASE("a state can hold until it is released, until guards agree, or for a time") {
    const auto held = [](const std::string& attributes, const std::string& inside = "") {
        return state("a", inside + "<to ID='b'/><to ID='c' event='up'/>", attributes) + state("b", "") + state("c", "", "kind='leaf'");
    };
    game by_time(held("min_duration='short'"));
    by_time.start();
    by_time.tick(29ms);
    CHECK(by_time.at() == "a");
    by_time.tick(1ms);
    CHECK(by_time.at() == "b");
    game by_guard(held("hold_until='go'"));
    by_guard.start();
    by_guard.tick();
    CHECK(by_guard.at() == "a");
    by_guard.r.go = true;
    by_guard.tick();
    CHECK(by_guard.at() == "b");
    game by_target(held("", "<hold_until><any><condition ID='to b'/><condition ID='go'/></any></hold_until>"));
    by_target.start();
    CHECK(by_target.agent.process(input::up) == hsm::result::held);
    by_target.tick();
    CHECK(by_target.at() == "b");
    game until_released(held("hold='true'"));
    until_released.start();
    until_released.tick();
    CHECK(until_released.at() == "a");
    until_released.agent.release();
    until_released.tick();
    CHECK(until_released.at() == "b");
}

TEST_CASE("deferral, transient states, forks, joins, on_change and states by enumerator are loaded") {
    game g("<change ID='change'/><event ID='go on'/>" + state("busy", "<defer event='stop'/><to ID='p' event='go on'><and ID='p/r/y'/></to>", "") +
           state("p",
                 state("q", state("x", "<to ID='end' event='stop'><in ID='r/y'/></to>", "identifier='lying'"), "") +
                     state("r", state("w", "", "kind='leaf'") + state("y", "", "kind='leaf'"), ""),
                 "kind='parallel'") +
           state("end", "<to ID='rest'/>", "transient='true'") + state("rest", "", "kind='leaf'"));
    CHECK(g.start() == "none>busy");
    CHECK(g.agent.process("stop") == hsm::result::deferred);
    CHECK(g.process("go on") == "busy>p, p>end, end>rest");
    CHECK(g.at() == "rest");
    CHECK(g.chart.find(pose::lying).path() == "R/p/q/x");
}

TEST_CASE("HSM-019: a branch of a choice that requires a state can refuse") {
    const auto compiled = [](const std::string& branches) {
        return game(state("a", "<to ID='c' event='stop'/>", "") + state("c", branches, "kind='choice'") + state("b", "", "kind='leaf'")).at();
    };
    CHECK_THROWS_AS(compiled("<to ID='b'><unless_in ID='b'/></to>"), hsm::definition_error);
    CHECK_THROWS_AS(compiled("<to ID='b'><in ID='b'/></to>"), hsm::definition_error);
    CHECK_NOTHROW(compiled("<to ID='b'><unless_in ID='b'/></to><otherwise ID='a'/>"));
}

TEST_CASE("HSM-110: a state without transitions is final in a file that names kinds of other states") {
    const auto warnings_of = [](const std::string& states) {
        game g(states);
        std::string text;
        for (const auto& w : g.chart.warnings())
            if (w.code == hsm::code::final_unsaid) text += w.where.to_string() + ' ' + w.path + ' ';
        return text;
    };
    const auto way = state("a", "<to ID='end' event='stop'/>", "");
    CHECK(warnings_of(way + state("end", "", "")) == ""); // a flat file without kinds
    CHECK(warnings_of(way + state("end", "", "") + state("x", "", "kind='leaf'")).ends_with("R/end "));
    CHECK(warnings_of(way + state("end", "", "kind='final'") + state("x", "", "kind='leaf'")) == "");
    CHECK(warnings_of(state("m", way + state("end", "", ""), "")).ends_with("R/m/end "));
}

TEST_CASE("unless_in excludes states from a transition") {
    game g("<event ID='go on'/><to ID='end' event='stop'><unless_in ID='end'/><unless_in ID='a'/></to>" +
           state("a", "<to ID='b' event='go on'/>", "") + state("b", "", "kind='leaf'") + state("end", "<to ID='a' event='go on'/>", ""));
    g.start();
    CHECK(g.agent.process("stop") == hsm::result::guarded);
    g.process("go on");
    g.process("stop");
    CHECK(g.at() == "end");
    CHECK(g.agent.process("stop") == hsm::result::guarded);
}

TEST_CASE("a machine can use a part of the context") {
    hsm::registry<outer> names;
    names.part<recorder>("inner", &outer::inner).hook("E", tracing_state("E")).guard("go", &recorder::go);
    const auto chart = hsm::compile(hsm::load_xml_text("<Project name='R'><state ID='m' context='inner'><state ID='a'><to ID='b'><condition "
                                                       "ID='go'/></to></state><state ID='b' enter='E' kind='leaf'/></state></Project>",
                                                       names));
    outer o;
    hsm::instance agent{chart, o};
    agent.start();
    o.inner.go = true;
    agent.tick();
    CHECK(o.inner.take() == "E b");
}

TEST_CASE("comments are allowed anywhere, and attributes of XML itself are ignored") {
    game g("<!-- a --><state ID='a' xml:lang='en' xmlns:x='y'><!-- <to ID='nowhere'/> --><to ID='b'><!-- c --><condition "
           "ID='go'/></to></state><?pi?><state ID='b'/><!-- z -->",
           "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation='hsm.xsd'");
    g.start();
    CHECK(g.at() == "a");
}

TEST_CASE("predefined XML entities and characters outside ASCII are accepted") {
    recorder_registry names;
    names.hook("<&\">", test::tracing("odd"));
    const auto chart = hsm::compile(hsm::load_xml_text(
        "<Project name='\xc3\xa4&amp;&#x20ac;'><state ID='&lt;&#10;&gt;' enter='&lt;&amp;&quot;&gt;' kind='leaf'/></Project>", names));
    CHECK(chart.root().name() == "\xc3\xa4&\xe2\x82\xac");
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "odd");
    CHECK(agent.current().name() == "<\n>");
    const auto saved = hsm::save_xml(*chart.root().get());
    CHECK(hsm::compile(hsm::load_xml_text(saved, names)).dump() == chart.dump());
}

TEST_CASE("malformed and oversized files are refused immediately") {
    const recorder_registry names;
    const auto code = [&](std::string text) {
        const auto loaded = hsm::try_load_xml_text(std::move(text), names);
        return loaded ? "none" : hsm::to_string(loaded.problems.front().code);
    };
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) all += text;
        return all;
    };
    CHECK(code(repeated("<a>", 200'000)) == "HSM-304"); // never closed
    CHECK(code("<Project name='P'>" + repeated("<state ID='a'>", 200'000) + repeated("</state>", 200'000) + "</Project>") == "HSM-306");
    CHECK(code("<Project name='P'>" + repeated("<state ID='a'>", 254) + "<to ID='a'/>" + repeated("</state>", 254) + "</Project>") == "none");
    CHECK(code("<Project name='P'>" + repeated("<state ID='a'>", 255) + "<to ID='a'/>" + repeated("</state>", 255) + "</Project>") == "HSM-306");
    CHECK(code("<Project name='P'>" + repeated("<a/>", 4'100'000) + "</Project>") == "HSM-323");
    CHECK(code(repeated("x", 65 << 20)) == "HSM-302");
    CHECK(code("<Project name='" + repeated("x", 1 << 20) + "'><state ID='a'><to ID='" + repeated("y", 1 << 20) + "'/></state></Project>") ==
          "HSM-322");
    CHECK(code("<Project name='P'>" + repeated("<state ID='a'/>", 70'000) + "</Project>") == "HSM-321");
    CHECK(code("<Project name='P'><state ID='a'><to ID='a'>" + repeated("<bit index='1'/>", 30'000) + "</to></state></Project>") == "HSM-323");
    CHECK(code("<Project name='P'><state ID='a'>" + repeated("<to ID='a'/>", 100'000) + "</state></Project>") == "none");
    CHECK(code("<Project name='P'><state ID='a' enter='" + repeated("z ", 100'000) + "'/></Project>") == "HSM-313");
}
