// Sessions that get another document while they run.

#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <hsm/reload.hpp>
#include <hsm/replay.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/service.hpp>
#include <hsm/scxml/session_document.hpp>
#include <hsm/scxml/session_reload.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

struct lamp : hsm::scxml::service {};

struct tracing : hsm::scxml::context {
    std::string log;
    void on_log(std::string_view label, std::string_view text) override { log += std::string(label) + std::string(text) + ' '; }
    void on_error(std::string_view event, std::string_view) override { log += std::string(event) + ' '; }
    hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation&) override { return hsm::make_owned<lamp>(); }
};
using chart = hsm::chart<tracing>;

chart made(const std::string& inside, const std::string& attributes = "datamodel=\"ecmascript\"") {
    static const hsm::scxml::ecmascript scripts;
    return hsm::compile(hsm::load_scxml_text<tracing>(hsm::test::scxml_document(inside, attributes), "text", hsm::test::options_with(scripts)));
}

std::string dropped(const hsm::reload_report& report) {
    std::string all;
    for (const auto& each : report.changes) all += each.problem + '\n';
    return all;
}

std::string value_of(const hsm::scxml::session_base& session, std::string_view id) {
    for (const auto& [name, json] : session.values())
        if (name == id) return json;
    return "missing";
}

constexpr auto before = R"x(<datamodel><data id="n" expr="1"/><data id="list" expr="[1, 'two', undefined, function () {}]"/><data id="gone" expr="7"/>
    <data id="f" expr="function () { return 5; }"/></datamodel>
  <state id="idle"><transition event="go" target="busy"><assign location="n" expr="n + 1"/></transition></state>
  <state id="busy"><onentry><send event="late" delay="100ms"/></onentry><invoke id="l" type="lamp"/>
    <invoke id="inner"><content><scxml version="1.0"><state id="x"><onexit><log label="exit x"/></onexit></state></scxml></content></invoke>
    <transition event="late" target="idle"><log label="late" expr="n"/></transition></state>)x";

constexpr auto after =
    R"x(<datamodel><data id="list"/><data id="n" expr="100"/><data id="twice" expr="2 * n"/><data id="f"/></datamodel><script>function show() { return n + ':' + list[1]; }</script>
  <state id="busy"><invoke id="l" type="lamp"/><transition event="late" target="rest"><log label="now" expr="show() + twice + typeof gone"/></transition></state>
  <state id="rest"/>)x";

} // namespace

TEST_CASE("a session with another document keeps states, data and delayed events, and loses functions and invocations") {
    const auto old_chart = made(before), new_chart = made(after);
    tracing data;
    hsm::scxml::session session{old_chart, data};
    session.start();
    session.process("go");
    session.tick(40ms);
    REQUIRE(session.children().size() == 1);
    const hsm::reload_plan plan(old_chart, new_chart);
    const auto expected = "the invoked session or service \"l\" was dropped\nthe invoked session or service \"inner\" was dropped\n"
                          "the removed <data> \"gone\" was dropped\nthe function \"list[3]\" was dropped\nthe function \"f\" was dropped\n";
    CHECK(dropped(hsm::scxml::report_session(session, plan)).find("\"gone\"") != std::string::npos);
    CHECK(session.children().size() == 1);
    CHECK(value_of(session, "gone") == "7");
    const auto report = hsm::scxml::reload_session(session, plan);
    CHECK(report.outcome == hsm::result::taken);
    CHECK(dropped(report) == expected);
    CHECK(data.log == ""); // no hook has run
    CHECK(session.children().empty());
    CHECK(session.configuration() == std::vector<std::string>{"busy"});
    CHECK(value_of(session, "n") == "2");
    CHECK(value_of(session, "twice") == "4");
    CHECK(value_of(session, "gone") == "missing");
    session.tick(59ms);
    CHECK(data.log == "");
    session.tick(1ms);
    CHECK(data.log == "now2:two4undefined ");
    CHECK(session.configuration() == std::vector<std::string>{"rest"});
    CHECK(plan.released());
    CHECK(hsm::scxml::save_session(session).find(new_chart.fingerprint().to_string()) != std::string::npos);
}

TEST_CASE("a reload to the same document and back changes nothing") {
    const auto old_chart = made(before), new_chart = made(before);
    tracing data;
    hsm::scxml::session session{old_chart, data};
    session.start();
    hsm::scxml::reload_session(session, hsm::reload_plan(old_chart, new_chart)); // drops the functions
    const auto text = hsm::scxml::save_session(session);
    CHECK(dropped(hsm::scxml::reload_session(session, hsm::reload_plan(new_chart, old_chart))) == "");
    CHECK(hsm::scxml::save_session(session) == text);
    session.process("go");
    CHECK(session.children().size() == 1); // entered again
    session.tick(100ms);
    CHECK(data.log == "exit x late2 ");
}

TEST_CASE("with late binding, new data of states that were not entered have no value") {
    const auto old_chart = made(R"x(<state id="a"><transition event="go" target="b"/></state><state id="b"/><state id="c"/>)x",
                                "datamodel=\"ecmascript\" binding=\"late\"");
    const auto new_chart = made(R"x(<datamodel><data id="of_all" expr="1"/></datamodel>
        <state id="a"><datamodel><data id="of_a" expr="2"/></datamodel><transition event="go" target="b"/></state>
        <state id="b"><datamodel><data id="of_b" expr="3"/></datamodel></state><state id="c"/>)x",
                                "datamodel=\"ecmascript\" binding=\"late\"");
    tracing data;
    hsm::scxml::session session{old_chart, data};
    session.start();
    hsm::scxml::reload_session(session, hsm::reload_plan(old_chart, new_chart));
    CHECK(value_of(session, "of_all") == "1");
    CHECK(value_of(session, "of_a") == "2");
    CHECK(value_of(session, "of_b") == "");
    session.process("go");
    CHECK(value_of(session, "of_b") == "3");
}

TEST_CASE("documents with and without data replace each other, also in a session that does not run") {
    const auto without = made(R"x(<state id="a"><transition event="e" target="b"/></state><state id="b"/>)x", "");
    const auto with = made(
        R"x(<datamodel><data id="n" expr="1"/></datamodel><state id="a"><transition event="e" target="b"><log expr="_event.name"/></transition></state>
        <state id="b"/>)x");
    for (const bool runs : {true, false}) {
        CAPTURE(runs);
        tracing data;
        hsm::scxml::session session{without, data};
        if (runs) session.start();
        hsm::scxml::reload_session(session, hsm::reload_plan(without, with));
        if (!runs) session.start();
        CHECK(value_of(session, "n") == "1");
        session.process("e");
        CHECK(data.log == "e ");
        CHECK(dropped(hsm::scxml::reload_session(session, hsm::reload_plan(with, without))) == "the removed <data> \"n\" was dropped\n");
        CHECK(session.values().empty());
        CHECK(session.configuration() == std::vector<std::string>{"b"});
    }
}

TEST_CASE("a reload that is refused changes nothing") {
    const auto old_chart = made(before), new_chart = made(after);
    tracing data;
    hsm::scxml::session session{old_chart, data};
    session.start();
    session.process("go");
    const auto values = session.values();
    const auto refused = [&](const chart& to, auto edit) {
        hsm::reload_plan plan(old_chart, to);
        edit(plan);
        try {
            hsm::scxml::reload_session(session, plan);
        } catch (const std::exception& e) {
            return std::string(e.what());
        }
        return std::string("taken");
    };
    const auto as_it_is = [](hsm::reload_plan&) {};
    CHECK(refused(made(R"(<datamodel><data id="rate" expr="rat"/></datamodel><state id="idle"/>)"), as_it_is) ==
          "HSM-424 error at session: the new data cannot be initialized: rate: ReferenceError: identifier 'rat' undefined; hint: correct its <data>");
    CHECK(refused(new_chart, [](hsm::reload_plan& plan) { plan.exit_enter(); }) ==
          "HSM-424 error at session: a document's hooks cannot run in a reload; hint: create the plan without exit_enter");
    CHECK_THROWS_WITH_AS(hsm::scxml::reload_session(*session.children().front(), hsm::reload_plan(old_chart, new_chart)),
                         "HSM-424 error at session.1: another session has invoked this session; hint: reload the invoking session",
                         hsm::reload_error);
    CHECK_THROWS_AS(hsm::scxml::reload_session(session, hsm::reload_plan(new_chart, old_chart)), hsm::reload_error);
    CHECK_THROWS_WITH_AS(hsm::reload_plan(old_chart, new_chart).apply(session.instance()),
                         "HSM-424 error at scxml: the plan would change the chart without its data; hint: call hsm::scxml::reload_session",
                         hsm::reload_error);
    CHECK(session.values() == values);
    CHECK(session.children().size() == 1);
    session.tick(100ms);
    CHECK(data.log == "exit x late2 ");
}

TEST_CASE("a plan reloads a plain instance of a document without a data model, and refuses one with data") {
    const auto null = [](const std::string& inside) { return made(inside, "datamodel=\"null\""); };
    const auto old_chart = null(R"(<state id="a"><transition event="go" target="b"/></state><state id="b"/>)");
    const auto new_chart = null(R"(<state id="a"/><state id="b"><transition event="go" target="c"/></state><state id="c"/>)");
    tracing data;
    hsm::instance agent(old_chart, data);
    agent.start();
    agent.process("go");
    CHECK_THROWS_AS(hsm::reload_plan(old_chart, made(before)).apply(agent), hsm::reload_error);
    hsm::reload_plan(old_chart, new_chart).apply(agent);
    CHECK(agent.is_in("b"));
    agent.process("go");
    CHECK(agent.is_in("c"));
}

TEST_CASE("a session whose data contain themselves cannot be reloaded") {
    const auto old_chart =
        made(R"x(<datamodel><data id="a" expr="({})"/></datamodel><state id="s"><onentry><script>a.in = a</script></onentry></state>)x");
    const auto new_chart = made(R"(<datamodel><data id="a"/></datamodel><state id="s"/>)");
    tracing data;
    hsm::scxml::session session{old_chart, data};
    session.start();
    CHECK_THROWS_WITH_AS(
        hsm::scxml::reload_session(session, hsm::reload_plan(old_chart, new_chart)),
        "HSM-424 error at session: TypeError: a.in cannot be saved: it contains itself; hint: assign another value to it before the reload",
        hsm::reload_error);
}

TEST_CASE("a replay refuses to repeat a reload of a session") {
    const auto old_chart = made(R"(<state id="idle"><transition event="go" target="busy"/></state><state id="busy"/>)"), new_chart = made(after);
    const hsm::reload_plan plan(old_chart, new_chart);
    const auto each = [&](auto use) {
        tracing data;
        hsm::scxml::session session{old_chart, data};
        use(session);
    };
    std::vector<std::byte> bytes;
    each([&](auto& session) {
        hsm::input_log log;
        log.attach(session.instance());
        session.start();
        session.process("go");
        hsm::scxml::reload_session(session, plan);
        bytes = log.bytes();
    });
    each([&](auto& session) {
        hsm::replay replay(bytes);
        replay.attach(session.instance());
        replay.attach(plan);
        CHECK_THROWS_WITH_AS(replay.run(),
                             "HSM-424 error at scxml: the plan would change the chart without its data; hint: call hsm::scxml::reload_session",
                             hsm::reload_error);
        CHECK(session.instance().path_of_leaves() == "scxml/busy");
    });
}
