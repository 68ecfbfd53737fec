#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <initializer_list>
#include <string>

using namespace std::chrono_literals;

namespace {

static_assert(std::is_constructible_v<hsm::scxml::session<>, hsm::chart<hsm::scxml::context>&, hsm::scxml::context&>);
static_assert(!std::is_constructible_v<hsm::scxml::session<>, hsm::chart<hsm::scxml::context>, hsm::scxml::context&>);

/// Records logs and errors.
struct tracing : hsm::scxml::context {
    using context::context;
    std::string log;

    void on_log(std::string_view label, std::string_view text) override {
        log += std::string(log.empty() ? "" : " ") + std::string(label) + std::string(text);
    }
    void on_error(std::string_view event, std::string_view) override { log += std::string(log.empty() ? "" : " ") + '!' + std::string(event); }
};

struct playing {
    explicit playing(const std::string& inside, const std::string& attributes = "", hsm::scxml::limits most = {})
        : chart(hsm::compile(hsm::load_scxml_text<tracing>(hsm::test::scxml_document(inside, attributes)))), data(most) {}

    std::string leaves() const { return hsm::test::leaves_of(session); }
    /// Returns the active leaves after the start and after each event.
    std::string along(std::initializer_list<const char*> events) {
        session.start();
        auto text = leaves();
        for (const auto* event : events) {
            session.process(event);
            text += ", " + leaves();
        }
        return text;
    }

    hsm::chart<tracing> chart;
    tracing data;
    hsm::scxml::session<tracing> session{chart, data};
};

} // namespace

// Cases that no conformance suite covers.

TEST_CASE("a parallel is done when all its regions are, after its last region") {
    playing p(R"(<state id="o">
        <parallel id="p">
            <state id="a"><state id="a1"><transition event="x" target="af"/></state><final id="af"/></state>
            <state id="b"><state id="b1"><transition event="y" target="bf"/></state><final id="bf"/></state>
        </parallel>
        <transition event="done.state.p" target="early"/>
        <transition event="done.state.b" target="then"/>
        <state id="then"><transition event="done.state.p" target="late"/></state>
        <state id="early"/><state id="late"/>
    </state>)");
    CHECK(p.along({"x", "y"}) == "a1 b1, af b1, late");
}

TEST_CASE("done.state of the superstate comes before that of the superstate above it") {
    playing p(R"(<parallel id="g"><state id="p"><final id="f"><onentry><log label="f"/></onentry></final></state>
        <transition event="done.state.p"><log label="parent"/></transition>
        <transition event="done.state.g"><log label="grandparent"/></transition></parallel>)");
    p.session.start();
    CHECK(p.data.log == "f parent grandparent");
}

TEST_CASE("a parallel in a parallel is in a final state when all its regions are") {
    const auto document = R"(<parallel id="p">
        <transition event="done.state.p" target="over"/>
        <parallel id="q">
            <state id="a"><state id="a1"><transition event="x" target="af"/></state><final id="af"/></state>
            <state id="b"><state id="b1"><transition event="y" target="bf"/></state><final id="bf"/></state>
        </parallel>
        <state id="c"><state id="c1"><transition event="z" target="cf"/></state><final id="cf"/></state>
    </parallel><state id="over"/>)";
    CHECK(playing(document).along({"x", "y", "z"}) == "a1 b1 c1, af b1 c1, af bf c1, over");
    // A done.state event goes no further than the grandparent.
    CHECK(playing(document).along({"x", "z", "y"}) == "a1 b1 c1, af b1 c1, af b1 cf, af bf cf");
}

namespace {
std::string entry(const char* id) { return std::string("<onentry><log label=\"") + id + "\"/></onentry>"; }
} // namespace

TEST_CASE("states are entered in document order, depth first") {
    playing p("<parallel id=\"p\">" + entry("p") + "<state id=\"a\">" + entry("a") + "<state id=\"a1\">" + entry("a1") +
              "</state></state><state id=\"b\">" + entry("b") + "<state id=\"b1\">" + entry("b1") + "</state></state></parallel>");
    p.session.start();
    CHECK(p.data.log == "p a a1 b b1");
}

TEST_CASE("superstates are entered before a deep target inside them") {
    playing p("<state id=\"s\"><transition event=\"go\" target=\"z\"/></state><state id=\"x\">" + entry("x") + "<state id=\"y\">" + entry("y") +
              "<state id=\"z\">" + entry("z") + "</state></state></state>");
    CHECK(p.along({"go"}) == "s, z");
    CHECK(p.data.log == "x y z");
}

TEST_CASE("history returns to a final state") {
    playing p(R"(<state id="m"><state id="a"><transition event="x" target="f"/></state><final id="f"/>
            <history id="h"><transition target="a"/></history>
            <transition event="out" target="n"/></state>
        <state id="n"><transition event="back" target="h"/></state>)");
    CHECK(p.along({"x", "out", "back"}) == "a, f, n, f");
}

TEST_CASE("a history without a default enters its state by default until this state was active") {
    const std::string states = R"(<state id="a"/><state id="b"><transition event="next" target="c"/></state><state id="c"/>
            <transition event="out" target="n"/></state><state id="n"><transition event="back" target="h"/></state>)";
    const auto with = [&](const std::string& head) {
        playing p(head + states, "initial=\"n\"");
        return p.along({"back", "next", "out", "back"});
    };
    CHECK(with("<state id=\"m\"><history id=\"h\"/>") == "n, a, a, n, a");
    CHECK(with("<state id=\"m\" initial=\"b\"><history id=\"h\"/>") == "n, b, c, n, c");
    CHECK(with("<state id=\"m\" initial=\"h\"><history id=\"h\"/>") == "n, a, a, n, a");
    CHECK(with("<state id=\"m\"><initial><transition target=\"b\"/></initial><history id=\"h\" type=\"deep\"><transition/></history>") ==
          "n, b, c, n, c");
    playing p(
        R"(<parallel id="m"><history id="h" type="deep"/><state id="x"><state id="x1"><transition event="next" target="x2"/></state><state id="x2"/></state>
        <state id="y"/><transition event="out" target="n"/></parallel><state id="n"><transition event="back" target="h"/></state>)",
        "initial=\"n\"");
    CHECK(p.along({"back", "next", "out", "back"}) == "n, x1 y, x2 y, n, x2 y");
}

TEST_CASE("a transition in <scxml> fires if no state handles the event, and exits nothing outside") {
    const std::string text = R"(<transition event="*" target="b"/><transition event="x y" target="n"/>
        <state id="m"><onexit><log label="left"/></onexit><state id="a"><onentry><send event="later" delay="1s"/></onentry><transition event="x" target="b"/></state>
        <state id="b"/><transition event="y"><log label="stays"/></transition></state><state id="n"/>)";
    playing p(text, "initial=\"a\"");
    CHECK(p.along({"x", "y"}) == "a, b, b");
    CHECK(p.data.log == "stays");
    p.session.process("z");
    CHECK(p.leaves() == "b");
    CHECK(p.data.log == "stays left");
    CHECK(p.data.delayed() == 1); // they end with the document
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text<tracing>(hsm::test::scxml_document(text, "initial=\"a\"")));
    CHECK(hsm::compile(hsm::load_scxml_text<tracing>(saved)).fingerprint() == p.chart.fingerprint());
}

// Events.

TEST_CASE("raised events precede sent events, and a call handles events that a document sends to itself") {
    playing p(R"(<state id="a"><onentry><send event="sent"/><raise event="raised"/></onentry>
        <transition event="raised"><log label="raised"/></transition><transition event="sent" target="b"><log label="sent"/></transition></state><state id="b"/>)");
    p.session.start();
    CHECK(p.data.log == "raised sent");
    CHECK(p.leaves() == "b");
}

TEST_CASE("delays are exact, with ticks of any length") {
    playing p(R"(<state id="a"><onentry><send event="late" delay="1.5s"/><send event="early" delay="200ms"/><send event="also" delay=".2s"/></onentry>
        <transition event="early"><log label="early"/><send event="between" delay="100ms"/></transition>
        <transition event="*"><log label="other"/></transition></state>)");
    p.session.start();
    CHECK(p.data.delayed() == 3);
    p.session.tick(199ms);
    CHECK(p.data.log == "");
    p.session.tick(1ms);
    CHECK(p.data.log == "early other");
    CHECK(p.data.next_delay()->nanoseconds() == 100'000'000);
    p.session.tick(10s);
    CHECK(p.data.log == "early other other other");
    CHECK(p.data.delayed() == 0);
}

TEST_CASE("a delayed event is canceled by its id, and the end of the session cancels all") {
    playing p(R"(<state id="a"><onentry><send id="one" event="x" delay="1s"/><send event="y" delay="2s"/></onentry>
        <transition event="stop"><cancel sendid="one"/></transition><transition event="x" target="b"/><transition event="y" target="end"/></state>
        <state id="b"/><final id="end"/>)");
    p.session.start();
    p.session.process("stop");
    p.session.tick(1s);
    CHECK(p.leaves() == "a");
    p.session.tick(1s);
    CHECK(p.session.finished());
    CHECK(p.session.end() == "end");
    CHECK(p.data.delayed() == 0);
    CHECK(p.session.process("x") == hsm::result::inactive);
}

TEST_CASE("the states of a finished document exit") {
    playing p(R"(<state id="a"><transition event="go" target="end"/><onexit><log label="a"/></onexit></state>
        <final id="end"><onexit><log label="end"/></onexit></final>)");
    CHECK(p.along({"go"}) == "a, end");
    CHECK(p.data.log == "a end");
    CHECK(!p.session.instance().active());
}

TEST_CASE("a delayed event that is sent by a delayed event arrives in the same tick if it is due") {
    playing p(R"(<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x" target="b"/></state>
        <state id="b"><onentry><send event="y" delay="1s"/></onentry><transition event="y" target="c"/></state><state id="c"/>)");
    p.session.start();
    p.session.tick(2s);
    CHECK(p.leaves() == "c");
}

TEST_CASE("In() returns false for an unknown state") {
    playing p(
        R"x(<state id="a"><transition event="x" cond="In('nowhere')" target="b"/><transition event="y" cond="!In('nowhere')" target="b"/></state>
        <state id="b"/>)x");
    CHECK(p.along({"x", "y"}) == "a, a, b");
}

TEST_CASE("only an internal transition to a substate keeps its source active") {
    playing p(R"(<state id="a"><onentry><log label="in"/></onentry><onexit><log label="out"/></onexit>
        <transition event="inside" type="internal" target="c"/><transition event="outside" target="b"/>
        <state id="b"/><state id="c"/></state>)");
    CHECK(p.along({"inside"}) == "b, c");
    CHECK(p.data.log == "in");
    p.session.process("outside");
    CHECK(p.data.log == "in out in");
    CHECK(p.leaves() == "b");
}

TEST_CASE("a plain instance delivers delayed events in its ticks") {
    playing p(R"(<state id="a"><onentry><send event="x" delay="1s"/></onentry><transition event="x" target="b"/></state><state id="b"/>)");
    tracing data;
    hsm::instance agent{p.chart, data};
    agent.start();
    agent.tick(999ms);
    CHECK(agent.is_in("a"));
    agent.tick(1ms);
    CHECK(agent.is_in("b"));
}

TEST_CASE("an event that cannot be sent raises an error event, and ends its block") {
    playing p(
        R"(<state id="a"><onentry><send event="x" target="#_nobody"/><log label="not"/></onentry><onentry><send event="x" type="pigeon"/></onentry>
        <transition event="error.communication"><log label="communication"/></transition>
        <transition event="error.execution"><log label="execution"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "!error.communication !error.execution communication execution");
}

TEST_CASE("In() accepts a state's id with and without quotes") {
    for (const auto* const condition : {"In(b2)", "In('b2')", "!In('b1')", "In('b2') &amp;&amp; !In('b1')", "false || (In(b2))"}) {
        CAPTURE(condition);
        playing p(std::string(R"(<parallel id="p"><state id="a"><state id="a1"><transition event="e" cond=")") + condition +
                  R"(" target="a2"/></state><state id="a2"/></state>
            <state id="b"><state id="b1"><transition event="f" target="b2"/></state><state id="b2"/></state></parallel>)");
        CHECK(p.along({"e", "f", "e"}) == "a1 b1, a1 b1, a1 b2, a2 b2");
    }
}

TEST_CASE("if, elseif and else select a branch") {
    playing p(
        R"x(<state id="a"><transition event="*"><if cond="In(b)"><log label="b"/><elseif cond="In(a)"/><log label="a"/><else/><log label="none"/></if></transition></state><state id="b"/>)x");
    p.along({"x"});
    CHECK(p.data.log == "a");
}

TEST_CASE("descriptors match names by whole parts") {
    playing p(R"(<state id="a"><transition event="error.* b" target="c"/></state><state id="c"><transition event="*" target="a"/></state>)");
    CHECK(p.along({"bb", "b.c", "anything", "error", "x", "errors"}) == "a, a, c, a, c, a, a");
}

TEST_CASE("a document that never becomes stable ends in an error") {
    playing eventless(R"(<state id="a"><transition target="b"/></state><state id="b"><transition target="a"/></state>)");
    CHECK_THROWS_AS(eventless.session.start(), hsm::chain_error);
    playing raising(R"(<state id="a"><onentry><raise event="x"/></onentry><transition event="x" target="a"/></state>)");
    CHECK_THROWS_AS(raising.session.start(), hsm::chain_error);
    playing sending(R"(<state id="a"><onentry><send event="x"/></onentry><transition event="x" target="a"/></state>)");
    CHECK_THROWS_AS(sending.session.start(), hsm::chain_error);
}

TEST_CASE("the limit bounds the number of delayed events") {
    playing p(R"(<state id="a"><transition event="go"><send event="x" delay="1s"/></transition></state>)", "", {.max_delayed = 3});
    p.along({"go", "go", "go", "go"});
    CHECK(p.data.delayed() == 3);
    CHECK(p.data.log == "!error.execution");
}

TEST_CASE("a document without a data model has a budget of steps") {
    const auto document = R"(<state id="a"><transition event="go" target="b"/></state><state id="b"><transition cond="true" target="b">
        <log label="x"/><log label="y"/></transition></state>)";
    playing p(document, "", {.max_steps = 1000});
    p.session.start();
    CHECK_THROWS_AS(p.session.process("go"), hsm::chain_error);
    CHECK(p.data.log == "x y x y x y x y x !error.execution");
    CHECK(!p.session.instance().active());
}
