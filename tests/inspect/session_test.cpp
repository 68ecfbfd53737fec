#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/scxml/session_document.hpp>
#include <tests/inspect/watched_lane.hpp>

using test::verb;

TEST_CASE("commands of a session start, stop, process and explain by SCXML's rules") {
    const auto chart = hsm::compile(hsm::load_scxml_text<hsm::scxml::context>(R"(
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
          <state id="closed"><transition event="open" target="ajar"/></state>
          <state id="ajar"><onentry><send event="wind"/></onentry><transition event="wind" target="closed"/></state>
        </scxml>)"));
    hsm::scxml::context data;
    hsm::scxml::session door{chart, data};
    test::watched_lane page;
    page.add("door", door);
    page.take();
    const auto id = page.only<test::inspect::machine_added>().id;
    CHECK(page.only<test::inspect::machine_added>().kind == test::inspect::machine_kind::session);
    CHECK(page.send(id, verb::start).outcome == "taken");
    test::inspect::command c;
    c.machine = id;
    c.verb = verb::process;
    c.event = "open";
    c.data = R"({"by": "hand"})";
    CHECK(page.send(c).outcome == "taken");
    CHECK(door.configuration() == std::vector<std::string>{"closed"}); // the session has handled the event that it sent to itself
    CHECK(!page.send(id, verb::explain).text.empty());
    CHECK(page.send(id, verb::change_to).code == "HSM-405");
    const auto saved = page.send(id, verb::save).document;
    REQUIRE(saved);
    CHECK(page.send(id, verb::stop).outcome == "taken");
    c.verb = verb::load;
    c.document = *saved;
    CHECK(page.send(c).outcome == "taken");
    CHECK(door.configuration() == std::vector<std::string>{"closed"});
    CHECK(page.send(id, verb::stop).outcome == "taken");
    CHECK(page.only<test::inspect::leaves_changed>().leaves.empty());
}

TEST_CASE("a session that has reached its final state is finished, although its machine is inactive") {
    const auto chart = hsm::compile(hsm::load_scxml_text<hsm::scxml::context>(R"(
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
          <state id="on"><transition event="press" target="off"/></state>
          <final id="off"/>
        </scxml>)"));
    hsm::scxml::context data;
    hsm::scxml::session lamp{chart, data};
    test::watched_lane page;
    page.add("lamp", lamp);
    page.take();
    CHECK(!page.only<test::inspect::machine_added>().facts.finished);
    page.feed.add_viewer();
    page.sample();
    lamp.start();
    lamp.process("press");
    page.sample();
    CHECK(lamp.finished());
    CHECK(!lamp.instance().active());
    CHECK(page.only<test::inspect::facts_changed>().facts.finished);
}
