// Sessions with scripts: values passed to invoked sessions and back; saved data.

#include <hsm/hsm.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/scxml/session_document.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

struct tracing : hsm::scxml::context {
    std::string log;
    void note(std::string_view label, std::string_view text) { log += std::string(label) + std::string(text) + ' '; }
    void on_log(std::string_view label, std::string_view text) override { note(label, text); }
    void on_child_log(const hsm::scxml::session_base&, std::string_view label, std::string_view text) override { note(label, text); }
    void on_error(std::string_view event, std::string_view what) override { note(event, what); }
};

hsm::chart<tracing> made(const std::string& inside) {
    static const hsm::scxml::ecmascript scripts;
    return hsm::compile(hsm::load_scxml_text<tracing>(hsm::test::ecmascript_document(inside), "text", hsm::test::options_with(scripts)));
}

} // namespace

TEST_CASE("values are passed to data of the same name, and results return through finalize and done.invoke") {
    const auto chart = made(R"x(<datamodel><data id="a" expr="3"/><data id="where"/><data id="got" expr="0"/></datamodel>
      <state id="s"><invoke idlocation="where" namelist="a"><param name="b" expr="a + 1"/><param name="c" expr="5"/>
        <content><scxml version="1.0" datamodel="ecmascript"><datamodel><data id="a" expr="'own'"/><data id="b"/></datamodel>
          <state id="x"><datamodel><data id="c" expr="7"/></datamodel>
            <onentry><log expr="[a, b, c, typeof d]"/><send event="sum" target="#_parent"><param name="n" expr="a + b"/></send></onentry>
            <transition event="end" target="f"/></state>
          <final id="f"><donedata><param name="all" expr="[a, b]"/></donedata></final></scxml></content>
        <finalize><assign location="got" expr="_event.data.n || got"/></finalize></invoke>
        <transition event="sum" cond="_event.invokeid == where"><log expr="[got, where, _event.origin, _event.origintype == _event.origintype]"/>
          <send event="end" targetexpr="_event.origin"/></transition>
        <transition event="done.invoke" target="t"><log expr="_event.name + JSON.stringify(_event.data)"/></transition></state>
      <final id="t"><donedata><content expr="got"/></donedata></final>)x");
    tracing data;
    hsm::scxml::session session{chart, data};
    session.start();
    CHECK(data.log == "[3,4,7,\"undefined\"] [7,\"s.1\",\"#_scxml_session.2\",true] done.invoke.s.1{\"all\":[3,4]} ");
    CHECK(session.end() == "t");
    CHECK(session.done_data() == "7");
    CHECK(session.start({{"a", "10"}}) == hsm::result::taken);
    CHECK(session.done_data() == "21");
}

TEST_CASE("an empty <finalize> updates the data of namelist and <param> from the event") {
    const auto inside = [](const std::string& finalize) {
        return R"x(<datamodel><data id="a" expr="1"/><data id="o" expr="({x: 2})"/><data id="b" expr="3"/><data id="c" expr="4"/></datamodel>
          <state id="s"><invoke namelist="a"><param name="x" location="o.x"/><param name="b" expr="b"/><param name="c" location="c"/><content>
            <scxml version="1.0" datamodel="ecmascript"><state id="t"><onentry><send event="e" target="#_parent">
              <param name="a" expr="null"/><param name="x" expr="[7]"/><param name="b" expr="8"/></send></onentry></state></scxml></content>)x" +
               finalize + R"x(</invoke><transition event="e"><log expr="JSON.stringify([a, o, b, c])"/></transition></state>)x";
    };
    const auto log_of = [](const hsm::chart<tracing>& chart) {
        tracing data;
        hsm::scxml::session session{chart, data};
        session.start();
        return data.log;
    };
    const auto chart = made(inside("<finalize/>"));
    CHECK(log_of(chart) == R"([null,{"x":[7]},3,4] )");
    CHECK(log_of(made(inside(""))) == R"([1,{"x":2},3,4] )");
    CHECK(log_of(made(inside("<finalize><log label=\"own\"/></finalize>"))) == R"(own [1,{"x":2},3,4] )");
}

TEST_CASE("an argument that cannot be computed raises error.execution, and prevents the invocation") {
    const auto chart = made(R"(<state id="s"><invoke><param name="a" expr="no.such"/><content><scxml version="1.0"><final/></scxml></content></invoke>
      <transition event="error.execution" target="t"/><transition event="done.invoke" target="u"/></state><state id="t"/><state id="u"/>)");
    tracing data;
    hsm::scxml::session session{chart, data};
    session.start();
    CHECK(session.configuration().front() == "t");
}

TEST_CASE("a <content> evaluates to a document, or its error is reported") {
    const auto chart = made(R"x(<datamodel><data id="text" expr="'&lt;scxml version=&quot;1.0&quot;>&lt;state/>&lt;/scxml>'"/></datamodel>
      <state id="s"><invoke id="a"><content expr="text"/></invoke><invoke id="b"><content expr="text"/></invoke><invoke id="c"><content expr="[1]"/></invoke>
        <transition event="error.execution" target="t"/></state><state id="t"><invoke id="d"><content expr="'&lt;nothing/>'"/></invoke></state>)x");
    tracing data;
    hsm::scxml::session session{chart, data};
    session.start();
    CHECK(data.log.find("an <invoke> names no document") != std::string::npos);
    CHECK(data.log.find("HSM-391") != std::string::npos);
    CHECK(session.children().empty());
}

TEST_CASE("data are saved with their session, functions are restored by the document's script, and invoked sessions keep their data") {
    const auto chart = made(R"x(<datamodel><data id="n" expr="1"/><data id="list" expr="[1, NaN, {a: undefined}]"/></datamodel>
      <script>var factor = 2; function twice(x) { return factor * x; }</script>
      <state id="s"><invoke id="c"><content><scxml version="1.0" datamodel="ecmascript"><datamodel><data id="m" expr="5"/></datamodel>
          <state><transition event="go"><assign location="m" expr="m + 1"/><send event="m" target="#_parent" delay="10ms"><param name="m" expr="m"/></send></transition></state></scxml></content></invoke>
        <transition event="go"><assign location="n" expr="twice(n)"/><assign location="factor" expr="3"/><assign location="list[0]" expr="n"/><send event="go" target="#_c"/></transition>
        <transition event="m"><log expr="[n, list[0], _event.data.m, factor]"/></transition></state>)x");
    tracing one, two;
    hsm::scxml::session a{chart, one}, b{chart, two};
    a.start();
    a.process("go");
    const auto text = hsm::scxml::save_session(a);
    REQUIRE(hsm::scxml::restore_session(b, text) == hsm::result::taken);
    CHECK(hsm::scxml::save_session(b) == text);
    for (auto* s : {&a, &b}) {
        s->tick(hsm::time_span::from_nanoseconds(10'000'000));
        s->process("go");
        s->tick(hsm::time_span::from_nanoseconds(10'000'000));
    }
    CHECK(one.log == "[2,2,6,3] [6,6,7,3] ");
    CHECK(two.log == one.log);
    CHECK(hsm::scxml::save_session(b) == hsm::scxml::save_session(a));
}

TEST_CASE("a param of donedata that fails is left out, and the others stay; content that fails leaves no data") {
    const auto chart = made(R"x(
      <state id="s" initial="f"><final id="f"><donedata><param name="bad" expr="nowhere.to"/><param name="good" expr="1 + 2"/></donedata></final>
        <transition event="done.state.s" target="t"><log expr="JSON.stringify(_event.data)"/></transition></state>
      <state id="t" initial="g"><final id="g"><donedata><param name="bad" expr="nowhere.to"/></donedata></final>
        <transition event="done.state.t" target="u"><log expr="typeof _event.data"/></transition></state>
      <state id="u" initial="h"><final id="h"><donedata><content expr="nowhere.to"/></donedata></final>
        <transition event="done.state.u" target="end"><log expr="typeof _event.data"/></transition></state>
      <final id="end"><donedata><param name="bad" expr="nowhere.to"/><param name="good" expr="'so'"/></donedata></final>)x");
    struct counting : tracing {
        int errors = 0;
        void on_error(std::string_view event, std::string_view) override { errors += event == "error.execution"; }
    } data;
    hsm::scxml::session session{chart, static_cast<tracing&>(data)};
    session.start();
    CHECK(data.log == "{\"good\":3} undefined undefined ");
    CHECK(data.errors == 4);
    CHECK(session.end() == "end");
    CHECK(session.done_data() == "{\"good\":\"so\"}");
}
