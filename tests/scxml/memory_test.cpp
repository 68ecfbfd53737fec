// SCXML documents and sessions without memory: a call throws or answers, and the session can be saved, restored and used.
//
// Without memory: scxml/context.hpp scxml/ecmascript.hpp scxml/host.hpp scxml/scxml.hpp scxml/service.hpp scxml/session.hpp
// Without memory: scxml/session_document.hpp scxml/session_reload.hpp

#include <hsm/hsm.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/scxml/host.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/service.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/scxml/session_document.hpp>
#include <hsm/scxml/session_reload.hpp>
#ifdef HSM_TEST_SCRIPTS
#include <hsm/scxml/ecmascript.hpp>
#include <tests/scxml/trusted_and_not.hpp>
#endif
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace {

using test::memory::trial;
using test::memory::with_every_shortage;
using test::memory::with_many_shortages;

struct tracing : hsm::scxml::context {
    std::string errors;
    void on_error(std::string_view, std::string_view what) override { errors += std::string(what) + '\n'; }
};
using session = hsm::scxml::session<tracing>;

constexpr auto plain = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="a"><onentry><send event="late" delay="10ms"/></onentry>
    <transition event="go" target="b"><raise event="inner"/><send event="own"/></transition></state>
  <state id="b"><transition event="inner" target="p"/></state>
  <state id="p"><invoke id="other"><content><scxml version="1.0">
      <state id="x"><onentry><send event="up" target="#_parent"/></onentry><transition event="down" target="y"/></state>
      <final id="y"><donedata><content>a text that has an end</content></donedata></final></scxml></content></invoke>
    <state id="c"><transition event="up" target="d"/></state>
    <state id="d"><transition event="late" target="e"><send event="down" target="#_other"/></transition></state>
    <state id="e"><transition event="done.invoke.other" target="a"/></state>
    <transition event="end" target="f"/></state>
  <final id="f"><donedata><content>a result that needs memory</content></donedata></final>
</scxml>)xml";

[[maybe_unused]] constexpr auto scripted = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript">
  <datamodel><data id="sum" expr="0"/><data id="list" expr="[1, 2, 'three and more than fits into a string']"/></datamodel>
  <state id="a"><transition event="go" cond="In('a') &amp;&amp; greet('a person whose name is long').length > 5" target="b">
    <foreach array="list" item="one" index="i"><assign location="sum" expr="sum + i"/></foreach>
    <raise event="inner"/><send event="own" namelist="sum list"/></transition></state>
  <state id="b"><transition event="own" target="c" cond="_event.data.list.length == 3"/></state>
  <state id="c"><onentry><script>list.push({text: _event.name + ' and something behind it'})</script></onentry>
    <transition event="end" target="f"/></state>
  <final id="f"><donedata><param name="all" expr="list"/></donedata></final>
</scxml>)xml";

hsm::scxml_options options() {
    hsm::scxml_options how;
#ifdef HSM_TEST_SCRIPTS
    static const auto scripts = [] {
        hsm::scxml::ecmascript made;
        made.add("greet", [](std::string name) { return "hello " + name; });
        return made;
    }();
    how.data_models = {&scripts};
#endif
    return how;
}

hsm::chart<tracing> chart_of(const char* text) { return hsm::compile(hsm::load_scxml_text<tracing>(text, "text", options())); }

const std::vector<const char*>& documents() {
#ifdef HSM_TEST_SCRIPTS
    static const std::vector<const char*> all{plain, scripted};
#else
    static const std::vector<const char*> all{plain};
#endif
    return all;
}

struct call {
    const char* what;
    std::function<void(session&)> make;
};
const call calls[] = {
    {"start", [](session& s) { s.start(); }},
    {"process", [](session& s) { s.process("go"); }},
    {"process with data",
     [](session& s) {
         s.process(hsm::scxml::incoming{"go", {}, {}, {}, {}, "[1, 2]"});
     }},
    {"process, tick", [](session& s) { s.process("go"), s.tick(std::chrono::milliseconds(20)); }},
    {"process to the end", [](session& s) { s.process("go"), s.process("end"); }},
    {"stop", [](session& s) { s.stop(); }},
};

/// Its document is that of an equal session, and it can be used.
void expect_whole(const hsm::chart<tracing>& chart, session& s) {
    const auto text = hsm::scxml::save_session(s);
    tracing data;
    session other{chart, data};
    auto outcome = hsm::result::refused;
    CHECK_NOTHROW(outcome = hsm::scxml::restore_session(other, text));
    CHECK(outcome == hsm::result::taken);
    CHECK(hsm::scxml::save_session(other) == text);
    for (auto* const each : {&s, &other}) {
        each->stop();
        CHECK(each->start() == hsm::result::taken);
        each->process("go");
        each->process("end");
        CHECK(each->end() == "f");
    }
}

} // namespace

TEST_CASE("a document for which there is no memory is not loaded, and leaves nothing behind") {
    const auto load = [](const std::string& text) {
        return [text](trial& t) { t.attempt([&] { (void)hsm::save_scxml(*hsm::load_scxml_text<tracing>(text, "text", options())); }); };
    };
    for (const auto* text : documents()) CHECK(with_many_shortages(load(text)) > 20);
    CHECK(
        with_every_shortage(load(
            R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><onentry><raise event="an.event.with.a.long.name"/></onentry>
            <transition cond="In('a')" event="e"><log label="a label that does not fit into a string"/></transition></state></scxml>)x")) > 50);
}

TEST_CASE("a session that gets no memory throws or returns a result, can be saved and restored, and continues") {
    for (const auto* text : documents()) {
        CAPTURE(text);
        const auto chart = chart_of(text);
        {
            tracing data; // what is created once for each chart, also of the invoked document
            session s{chart, data};
            s.start();
            s.process("go");
            expect_whole(chart, s);
        }
        for (const auto& c : calls) {
            const std::string what = c.what;
            CAPTURE(what);
            with_many_shortages([&](trial& t) {
                tracing data;
                session s{chart, data};
                if (what != "start") s.start();
                t.attempt([&] { c.make(s); });
                CHECK(data.errors.find("TypeError") == std::string::npos); // of a script that did nothing wrong
                expect_whole(chart, s);
            });
        }
    }
}

TEST_CASE("a session for which there is no memory is not created") {
    const auto chart = chart_of(plain);
    CHECK(with_every_shortage([&](trial& t) {
              tracing data;
              t.attempt([&] { session s(chart, data); });
              session s{chart, data};
              CHECK(s.start() == hsm::result::taken);
          }) > 0);
}

TEST_CASE("a document in an <invoke> that could not be compiled for lack of memory is compiled by the next <invoke>") {
    CHECK(with_many_shortages([](trial& t) {
              const auto chart = chart_of(plain);
              tracing data;
              session s{chart, data};
              s.start();
              t.attempt([&] { s.process("go"); });
              s.stop();
              s.start();
              s.process("go");
              CHECK(s.child("other"));
              CHECK(s.configuration() == std::vector<std::string>{"d"});
          }) > 20);
}

TEST_CASE("a session is saved and restored completely or not at all") {
    for (const auto* text : documents()) {
        CAPTURE(text);
        const auto chart = chart_of(text);
        tracing data;
        session s{chart, data};
        s.start();
        const auto before = hsm::scxml::save_session(s);
        s.process("go");
        const auto after = hsm::scxml::save_session(s);
        REQUIRE(before != after);
        CHECK(with_many_shortages([&](trial& t) {
                  std::string saved;
                  t.attempt([&] { saved = hsm::scxml::save_session(s); });
                  CHECK((saved.empty() || saved == after));
                  CHECK(hsm::scxml::save_session(s) == after);
              }) > 10);
        CHECK(with_many_shortages([&](trial& t) {
                  tracing of_other;
                  session other{chart, of_other};
                  hsm::scxml::restore_session(other, before);
                  const bool done = t.attempt([&] { hsm::scxml::restore_session(other, after); });
                  CHECK(hsm::scxml::save_session(other) == (done ? after : before));
                  expect_whole(chart, other);
              }) > 10);
    }
}

TEST_CASE("a session gets another document completely or not at all") {
    for (const auto* text : documents()) {
        CAPTURE(text);
        const auto before = chart_of(text), after = chart_of(text);
        const hsm::reload_plan plan(before, after);
        std::string unchanged, changed;
        const auto reload = [&](auto attempt) {
            tracing data;
            session s{before, data};
            s.start();
            s.process("go");
            unchanged = hsm::scxml::save_session(s);
            const bool done = attempt([&] { hsm::scxml::reload_session(s, plan); });
            CHECK(s.children().empty() == (done || text != plain));
            if (changed.empty()) changed = hsm::scxml::save_session(s);
            CHECK(hsm::scxml::save_session(s) == (done ? changed : unchanged));
            if (!done) hsm::scxml::reload_session(s, plan);
            expect_whole(after, s);
        };
        reload([](auto apply) { return apply(), true; });
        CHECK(with_many_shortages([&](trial& t) { reload([&](auto apply) { return t.attempt(apply); }); }) > 10);
    }
}

namespace {

/// Answers each event with its data, and ends when it is asked to.
class echo final : public hsm::scxml::service {
    void begin() override { send("ready"); }
    void receive(const hsm::scxml::incoming& event) override {
        if (event.event == "end")
            done("\"a result that does not fit into a string itself\"");
        else
            send("echo." + event.event, event.data);
    }
};

struct owner : hsm::scxml::context {
    hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override {
        return what.type == "echo" ? hsm::owned<hsm::scxml::service>(hsm::make_owned<echo>()) : hsm::owned<hsm::scxml::service>();
    }
};

constexpr auto caller = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="a"><transition event="go" target="b"/></state>
  <state id="b"><invoke id="service" type="echo"/>
    <state id="c"><transition event="ready" target="d"><send event="a.name.that.is.long" target="#_service"/></transition></state>
    <state id="d"><transition event="echo.a.name.that.is.long" target="e"><send event="end" target="#_service"/></transition></state>
    <state id="e"><transition event="done.invoke.service" target="f"/></state>
    <state id="f"/></state>
</scxml>)xml";

} // namespace

TEST_CASE("a service for which there is no memory is not invoked, or its session can be used again") {
    const auto chart = hsm::compile(hsm::load_scxml_text<owner>(caller, "caller", options()));
    const auto play = [](hsm::scxml::session<owner>& s) {
        s.start();
        s.process("go");
        return s.configuration() == std::vector<std::string>{"f"};
    };
    {
        owner data;
        hsm::scxml::session<owner> s{chart, data};
        REQUIRE(play(s));
    }
    CHECK(test::memory::with_every_shortage([&](trial& t) {
              owner data;
              hsm::scxml::session<owner> s{chart, data};
              s.start();
              t.attempt([&] { s.process("go"); });
              s.stop();
              CHECK(play(s));
          }) > 20);
}

TEST_CASE("sessions that got no memory to send events can send later, and leave their host when they are stopped") {
    constexpr auto text = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
      <state id="a"><transition event="go" target="b"><send event="hello" target="#_scxml_a session with a long id"/></transition>
        <transition event="hello" target="c"/></state>
      <state id="b"/><state id="c"/></scxml>)xml";
    const auto chart = chart_of(text);
    CHECK(test::memory::with_every_shortage([&](trial& t) {
              tracing one, other;
              other.set_session_id("a session with a long id");
              hsm::scxml::host both;
              session s{chart, one, {.host = &both}}, receiver{chart, other, {.host = &both}};
              const auto play = [&] {
                  s.start();
                  receiver.start();
                  s.process("go");
              };
              t.attempt(play);
              s.stop();
              receiver.stop();
              CHECK(both.sessions() == 0);
              CHECK_FALSE(both.find("a session with a long id"));
              play();
              CHECK(both.sessions() == 2);
              CHECK(receiver.configuration() == std::vector<std::string>{"c"});
          }) > 10);
}

#ifdef HSM_TEST_SCRIPTS
TEST_CASE("observed sessions with scripts for which there is no memory report the call to its end, and continue") {
    const auto let_fail = [](const hsm::scxml::script_options& options) {
        hsm::scxml::ecmascript scripts(options);
        scripts.add("greet", [](std::string name) { return "hello " + name; });
        hsm::scxml_options how;
        how.data_models = {&scripts};
        const auto chart = hsm::compile(hsm::load_scxml_text<tracing>(scripted, "scripted", how));
        const auto scenario = [&](trial& t) {
            tracing data;
            session s{chart, data};
            hsm::recorder seen(1000);
            const auto attached = s.machine().attach(seen);
            s.start();
            t.attempt([&] { s.process("go"); });
            int open = 0;
            for (std::size_t i = 0; i < seen.size(); ++i) {
                open += seen[i].kind == hsm::record_kind::call;
                open -= seen[i].kind == hsm::record_kind::call_end;
            }
            CHECK(open == 0);
            s.stop();
            s.start();
            s.process("go");
            CHECK(s.configuration() == std::vector<std::string>{"c"});
        };
        CHECK(with_many_shortages(scenario) > 20);
    };
    trusted_and_not(let_fail, {});
}
#endif
