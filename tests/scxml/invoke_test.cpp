#include <hsm/chart/view.hpp>
#include <hsm/hsm.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/scxml/host.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <tests/support/scxml_documents.hpp>
#include <tests/support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <system_error>
#include <vector>

using namespace std::chrono_literals;

namespace {

/// Records logs with their session, and errors.
struct tracing : hsm::scxml::context {
    using context::context;
    std::string log, wrong;
    std::function<void(std::string_view)> when_logged;
    std::function<hsm::owned<hsm::scxml::service>(const hsm::scxml::invocation&)> services;
    std::vector<hsm::scxml::outgoing> sent;
    std::vector<hsm::scxml::session_base*> invoked;

    void note(const std::string& text) { log += (log.empty() ? "" : " ") + text; }
    void on_log(std::string_view label, std::string_view) override {
        note(std::string(label));
        if (when_logged) when_logged(label);
    }
    void on_child_log(const hsm::scxml::session_base& child, std::string_view label, std::string_view) override {
        note(child.invoke_id() + ":" + std::string(label));
        if (when_logged) when_logged(label);
    }
    void on_error(std::string_view event, std::string_view what) override {
        note('!' + std::string(event));
        wrong = what;
    }
    void on_child_error(const hsm::scxml::session_base& child, std::string_view event, std::string_view what) override {
        note(child.invoke_id() + ":!" + std::string(event));
        wrong = what;
    }
    bool on_send(const hsm::scxml::outgoing& event) override {
        sent.push_back(event);
        return event.target == "#_outside";
    }
    hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override {
        return services ? services(what) : hsm::owned<hsm::scxml::service>();
    }
    void on_invoked(hsm::scxml::session_base& child) override { invoked.push_back(&child); }
};

using hsm::test::leaves_of;
using hsm::test::scxml_document;

std::string content(const std::string& inside, const std::string& attributes = "") {
    return "<content><scxml version=\"1.0\" " + attributes + ">" + inside + "</scxml></content>";
}

struct playing {
    explicit playing(const std::string& inside, const hsm::scxml_options& how = {}, const hsm::scxml::session_options& options = {})
        : chart(hsm::compile(hsm::load_scxml_text<tracing>(scxml_document(inside), "parent", how))), session(chart, data, options) {}

    std::string leaves() const { return leaves_of(session); }

    hsm::chart<tracing> chart;
    tracing data;
    hsm::scxml::session<tracing> session;
};

void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

} // namespace

// Cases that no conformance suite covers.

TEST_CASE("two invokes of one state are both started, in document order") {
    playing p(
        "<state id=\"s\"><invoke id=\"a\">" + content("<final><onentry><log label=\"in\"/></onentry></final>") + "</invoke><invoke id=\"b\">" +
        content("<final><onentry><log label=\"in\"/></onentry></final>") +
        R"(</invoke><transition event="done.invoke.a"><log label="a"/></transition><transition event="done.invoke.b"><log label="b"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "a:in b:in a b");
}

TEST_CASE("a canceled session exits, and its parent receives nothing more from it") {
    playing p("<state id=\"s\"><invoke id=\"c\">" +
              content(R"(<state id="x"><onexit><log label="exit"/><send event="late" target="#_parent"/></onexit></state>)") +
              R"(</invoke><transition event="go" target="t"/></state>
              <state id="t"><transition event="late"><log label="late"/></transition><transition event="done.invoke.*"><log label="done"/></transition></state>)");
    p.session.start();
    REQUIRE(p.session.child("c"));
    CHECK(p.session.process("go") == hsm::result::taken);
    CHECK(p.data.log == "c:exit");
    CHECK(p.session.children().empty());
    CHECK(p.leaves() == "t");
}

TEST_CASE("an invocation begins when the macrostep is complete, after all internal events, also those without a transition") {
    playing p("<state id=\"s\"><onentry><raise event=\"unmatched\"/><raise event=\"one\"/></onentry><invoke id=\"c\">" +
              content("<state><onentry><log label=\"begins\"/></onentry></state>") + R"(</invoke>
              <transition event="one"><log label="one"/><raise event="two"/></transition><transition event="two"><log label="two"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "one two c:begins");
}

TEST_CASE("a state that exits before the macrostep is complete invokes nothing; one that is entered again invokes once") {
    playing p(
        "<state id=\"s\"><transition target=\"t\"/><invoke id=\"c\">" + content("<state/>") +
        "</invoke></state><state id=\"t\"><onentry><raise event=\"again\"/></onentry><invoke id=\"d\">" + content("<state/>") +
        R"(</invoke><transition event="again" target="u"/></state><state id="u"><transition target="v"/></state><state id="v"><invoke id="e">)" +
        content("<state/>") + "</invoke></state>");
    p.session.start();
    CHECK(p.leaves() == "v");
    REQUIRE(p.session.children().size() == 1);
    CHECK(p.session.children().front()->invoke_id() == "e");
}

TEST_CASE("errors of an invoke are handled before an external event is waited for") {
    playing p(R"(<state id="s"><onentry><send event="external"/></onentry><invoke src="nowhere.scxml"/><invoke type="pigeon"/>
              <transition event="error.communication"><log label="first"/></transition><transition event="error.execution"><log label="second"/></transition>
              <transition event="external"><log label="external"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "!error.communication !error.execution first second external");
    CHECK(p.data.wrong == "the type \"pigeon\" of an <invoke> is unknown");
}

// Events between sessions.

TEST_CASE("sessions send to their parent and to invoked ones, and see the sender") {
    playing p(
        "<state id=\"s\"><invoke id=\"c\">" + content(R"(<state id="x"><onentry><send event="hello" target="#_parent"/></onentry>
                         <transition event="answer" target="y"><send event="thanks" target="#_scxml_session"/></transition></state><state id="y"/>)") +
        R"(</invoke><transition event="hello"><send event="answer" target="#_c"/></transition><transition event="thanks"><log label="thanks"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "thanks");
    CHECK(leaves_of(*p.session.child("c")) == "y");
    CHECK(p.session.child("c")->data().session_id() == "session.1");
    CHECK(p.session.child("c")->parent() == &p.session);
}

TEST_CASE("an event without a receiver raises error.communication: an ended session, a foreign id, a missing parent") {
    playing p("<state id=\"s\"><invoke id=\"c\">" + content("<final/>") + R"(</invoke><transition event="done.invoke.c">
              <send event="x" target="#_c"/></transition><transition event="go"><send event="x" target="#_scxml_nobody"/></transition>
              <transition event="up"><send event="x" target="#_parent"/></transition><transition event="out"><send event="x" target="#_outside"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "!error.communication");
    p.session.process("go");
    p.session.process("up");
    CHECK(p.data.log == "!error.communication !error.communication !error.communication");
    p.session.process("out");
    CHECK(p.data.sent.back().origin == "#_scxml_session");
    CHECK(p.data.log == "!error.communication !error.communication !error.communication");
}

TEST_CASE("autoforward forwards every external event, and finalize runs before the transitions") {
    playing p("<state id=\"s\"><invoke id=\"c\" autoforward=\"true\">" +
              content(R"(<state><transition event="ping"><log label="ping"/><send event="pong" target="#_parent"/></transition>
                         <transition event="pong"><log label="back"/></transition></state>)") +
              R"(<finalize><log label="finalize"/></finalize></invoke><transition event="ping"><log label="ping"/></transition>
              <transition event="pong"><log label="pong"/></transition></state>)");
    p.session.start();
    p.session.process("ping");
    CHECK(p.data.log == "ping c:ping finalize pong c:back");
}

TEST_CASE("events that finalize raises come after its event, and before their own consequences") {
    playing p("<state id=\"s\"><invoke id=\"c\">" + content(R"(<state><onentry><send event="x" target="#_parent"/></onentry></state>)") +
              R"(<finalize><send event="y" target="nonsense"/></finalize></invoke>
              <transition event="x"><log label="x"/><raise event="z"/></transition><transition event="error.execution"><log label="error"/></transition>
              <transition event="z"><log label="z"/></transition></state>)");
    p.session.start();
    CHECK(p.data.log == "!error.execution x error z");
}

TEST_CASE("delays pass in invoked sessions, and end with them") {
    playing p(
        "<state id=\"s\"><onentry><send event=\"b\" delay=\"20ms\"/></onentry><invoke id=\"c\">" +
        content(
            R"(<state><onentry><send event="a" target="#_parent" delay="10ms"/><send event="c" delay="15ms"/><send event="never" target="#_parent" delay="30ms"/></onentry>
                         <transition event="c"><log label="c"/></transition></state>)") +
        R"(</invoke><transition event="a"><log label="a"/></transition><transition event="b" target="t"><log label="b"/></transition></state>
              <state id="t"><transition event="*"><log label="other"/></transition></state>)");
    p.session.start();
    CHECK(p.session.next_delay()->nanoseconds() == 10'000'000);
    p.session.tick(9ms);
    CHECK(p.data.log == "");
    p.session.tick(100ms);
    CHECK(p.data.log == "a c:c b");
}

TEST_CASE("a paused or slowed machine slows its invoked sessions") {
    playing p("<state id=\"s\"><invoke id=\"c\">" +
              content(R"(<state><onentry><send event="a" delay="10ms"/></onentry><transition event="a"><log label="a"/></transition></state>)") +
              "</invoke></state>");
    p.session.start();
    p.session.instance().pause();
    p.session.tick(1s);
    CHECK(p.data.log == "");
    p.session.instance().resume();
    p.session.instance().set_time_scale(0.3);
    p.session.tick(33ms);
    CHECK(p.data.log == "");
    p.session.tick(1ms);
    CHECK(p.data.log == "c:a");
}

TEST_CASE("the default id is the state's id, a dot and a number") {
    playing p("<state id=\"s\"><invoke>" + content("<final/>") +
              R"(</invoke><transition event="done.invoke.s.1" target="t"/></state><state id="t"/>)");
    p.session.start();
    CHECK(p.leaves() == "t");
}

TEST_CASE("a session that is started again invokes again") {
    playing p("<state id=\"s\"><invoke id=\"c\">" + content("<state><onexit><log label=\"exit\"/></onexit></state>") + "</invoke></state>");
    p.session.start();
    CHECK(p.session.start() == hsm::result::busy);
    p.session.stop();
    CHECK(p.data.log == "c:exit");
    CHECK(p.session.stop() == hsm::result::inactive);
    CHECK(p.session.process("x") == hsm::result::inactive);
    CHECK(p.session.tick(1s) == hsm::result::inactive);
    CHECK(p.session.start() == hsm::result::taken);
    CHECK(p.session.children().size() == 1);
}

// Files.

TEST_CASE("a document is read only from the host's folder") {
    const hsm::test::temporary_folder folder("invoke");
    write(folder.path() / "below/child.scxml",
          scxml_document(R"(<state><invoke id="g" src="grandchild.scxml"/><transition event="done.invoke.g" target="f"/></state><final id="f"/>)"));
    write(folder.path() / "below/grandchild.scxml", scxml_document(R"(<final><onentry><log label="end"/></onentry></final>)"));
    write(folder.path() / "secret.scxml", scxml_document("<final/>"));
    const auto play = [&](const std::string& src, const std::string& named) {
        hsm::scxml_options how;
        how.include_folder = named;
        playing p("<state id=\"s\"><invoke id=\"c\" src=\"" + src + "\"/><transition event=\"done.invoke.c\" target=\"t\"/></state><state id=\"t\"/>",
                  how);
        p.session.start();
        return p.data.log + ", " + p.leaves();
    };
    const auto top = folder.path().string();
    CHECK(play("below/child.scxml", top) == "g:end, t");
    CHECK(play("file:below/child.scxml", top) == "g:end, t");
    CHECK(play("below/child.scxml", "") == "!error.communication, s");
    CHECK(play("../secret.scxml", top + "/below") == "!error.communication, s");
    CHECK(play(top + "/secret.scxml", top + "/below") == "!error.communication, s");
    CHECK(play("nowhere.scxml", top) == "!error.communication, s");
    std::error_code no_links; // as on Windows
    std::filesystem::create_symlink("../secret.scxml", folder.path() / "below/link.scxml", no_links);
    if (!no_links) CHECK(play("link.scxml", top + "/below") == "!error.communication, s");
    write(folder.path() / "broken.scxml", "<scxml><state");
    CHECK(play("broken.scxml", top) == "!error.execution, s");
}

TEST_CASE("sessions that invoke themselves stop at the depth limit, and the innermost gets the error") {
    const hsm::test::temporary_folder folder("itself");
    write(folder.path() / "self.scxml", scxml_document(R"(<state><onentry><log label="in"/></onentry><invoke id="c" src="self.scxml"/></state>)"));
    hsm::scxml_options how;
    how.include_folder = folder.path().string();
    playing p(R"(<state id="s"><invoke id="c" src="self.scxml"/></state>)", how, {.most = {.max_depth = 4}});
    p.session.start();
    CHECK(p.data.log == "c:in c:in c:in c:!error.platform");
    CHECK(p.data.wrong == "sessions invoke each other more than 4 levels deep");
    playing few(R"(<state id="s"><invoke id="c" src="self.scxml"/></state>)", how, {.most = {.max_sessions = 3}});
    few.session.start();
    CHECK(few.data.log == "c:in c:in c:!error.platform");
    few.session.stop();
}

// Errors.

TEST_CASE("an invoked session that never becomes stable ends, and its parent receives error.platform") {
    playing p(
        "<state id=\"s\"><invoke id=\"c\">" +
        content(
            R"(<state id="x"><transition event="go" target="y"/></state><state id="y"><transition target="z"/></state><state id="z"><transition target="y"/></state>)") +
        R"(</invoke><transition event="go"><send event="go" target="#_c"/></transition><transition event="error.platform" target="t"/></state><state id="t"/>)");
    p.session.start();
    CHECK(p.session.process("go") == hsm::result::internal);
    CHECK(p.data.log == "c:!error.platform");
    CHECK(p.leaves() == "t");
    playing at_once("<state id=\"s\"><invoke id=\"c\">" +
                    content(R"(<state id="y"><transition target="z"/></state><state id="z"><transition target="y"/></state>)") +
                    R"(</invoke><transition event="error.platform" target="t"/></state><state id="t"/>)");
    at_once.session.start();
    CHECK(at_once.leaves() == "t");
}

TEST_CASE("sessions that send to each other without end make the call fail") {
    playing p(
        "<state id=\"s\"><invoke id=\"c\">" +
            content(
                R"(<state><onentry><send event="x" target="#_parent"/></onentry><transition event="x"><send event="x" target="#_parent"/></transition></state>)") +
            R"(</invoke><transition event="x"><send event="x" target="#_c"/></transition></state>)",
        {}, {.max_macrosteps = 100});
    CHECK_THROWS_AS(p.session.start(), hsm::chain_error);
    CHECK(p.session.queued() + p.session.child("c")->queued() == 1);
}

TEST_CASE("calls from callbacks are queued, and a session that a callback ends is destroyed at the end of the call") {
    playing p(
        "<state id=\"s\"><invoke id=\"c\">" +
        content(R"(<state><transition event="go"><log label="called"/><log label="still"/></transition></state>)") +
        R"(</invoke><transition event="go"><send event="go" target="#_c"/></transition><transition event="leave" target="t"/></state><state id="t"/>)");
    p.session.start();
    auto asked = hsm::result::unhandled;
    p.data.when_logged = [&](std::string_view label) {
        if (label == "called") asked = p.session.process("leave");
    };
    p.session.process("go");
    CHECK(asked == hsm::result::queued);
    CHECK(p.data.log == "c:called c:still");
    CHECK(p.leaves() == "t");
    playing q("<state id=\"s\"><invoke id=\"c\">" +
              content(R"(<state><onexit><log label="exit"/></onexit><transition event="go"><log label="called"/></transition></state>)") +
              R"(</invoke><transition event="go"><send event="go" target="#_c"/></transition></state>)");
    q.session.start();
    q.data.when_logged = [&](std::string_view label) {
        if (label == "called") q.session.stop();
    };
    q.session.process("go");
    CHECK(q.data.log == "c:called c:exit");
    CHECK(!q.session.machine().active());
    CHECK(q.session.children().empty());
}

TEST_CASE("a plain instance cannot invoke") {
    playing p("<state id=\"s\"><invoke>" + content("<final/>") +
              R"(</invoke><transition event="error.execution" target="t"/></state><state id="t"/>)");
    tracing data;
    hsm::instance agent{p.chart, data};
    agent.start();
    CHECK(agent.is_in("t"));
}

// Hosts.

TEST_CASE("sessions of a host reach each other by their ids, and each id is unique") {
    const auto chart = hsm::compile(hsm::load_scxml_text<tracing>(scxml_document(
        R"(<state id="s"><transition event="call"><send event="ring" target="#_scxml_b"/></transition><transition event="ring" target="t"><log label="ring"/></transition></state><state id="t"/>)")));
    hsm::scxml::host both;
    tracing one, two;
    hsm::scxml::session a{chart, one, {.host = &both}}, b{chart, two, {.host = &both}};
    a.start();
    CHECK_THROWS_WITH(b.start(),
                      "HSM-209 error at session: another session of this host has this id; hint: choose another id: context::set_session_id");
    two.set_session_id("b");
    b.start();
    CHECK(both.sessions() == 2);
    CHECK(both.find("b") == &b);
    a.process("call");
    CHECK(two.log == "ring");
    CHECK(leaves_of(b) == "t");
    b.stop();
    CHECK(both.find("b") == nullptr);
    a.process("call");
    CHECK(one.log == "!error.communication");
}

namespace {
struct lamp : hsm::scxml::service {
    explicit lamp(tracing& n) : to(n) {}
    ~lamp() override { to.note("gone"); }
    void begin() override { send("ready", "7"); }
    void receive(const hsm::scxml::incoming& event) override {
        to.note("lamp:" + event.event + event.data);
        if (event.event == "finish") done("{\"hours\":3}");
    }
    tracing& to;
};
} // namespace

TEST_CASE("a host can register invoke types") {
    playing p(R"(<state id="s"><invoke id="l" type="lamp" src="kitchen" autoforward="true"><param name="watts" expr="60"/></invoke>
              <transition event="ready"><log label="ready"/></transition><transition event="on"><send event="shine" target="#_l"><param name="how" expr="'bright'"/></send></transition>
              <transition event="done.invoke.l"><log label="done"/></transition><transition event="leave" target="t"/></state><state id="t"/>)");
    lamp* made = nullptr;
    p.data.services = [&](const hsm::scxml::invocation& what) {
        p.data.note(what.type + " " + what.src + " " + what.values[0].first + "=" + what.values[0].second);
        made = new lamp(p.data);
        return hsm::owned<hsm::scxml::service>(made);
    };
    p.session.start();
    CHECK(p.data.log == "lamp kitchen watts=60 lamp:ready7 ready");
    p.data.log.clear();
    p.session.process("on");
    CHECK(p.data.log == "lamp:on lamp:shine{\"how\":\"bright\"}");
    p.data.log.clear();
    CHECK(made->send("ready"));
    CHECK(p.data.log == "");
    CHECK(p.session.run() == hsm::result::taken);
    CHECK(p.data.log == "lamp:ready ready");
    p.data.log.clear();
    p.session.process("finish");
    CHECK(p.data.log == "lamp:finish done");
    CHECK_FALSE(made->send("late"));
    p.data.log.clear();
    p.session.process("leave");
    CHECK(p.data.log == "gone");
}

TEST_CASE("observers attached in on_invoked see the invoked session") {
    struct counting : hsm::observer {
        int entered = 0;
        void on_record(const hsm::record& r, const hsm::moment&) override { entered += r.kind == hsm::record_kind::entered; }
    } seen;
    hsm::attachment attached;
    struct watching : tracing {
        hsm::observer* to;
        hsm::attachment* by;
        void on_invoked(hsm::scxml::session_base& child) override { *by = child.machine().attach(*to, hsm::record_kind::entered); }
    } data;
    data.to = &seen;
    data.by = &attached;
    const auto chart = hsm::compile(hsm::load_scxml_text<watching>(
        scxml_document("<state id=\"s\"><invoke id=\"c\">" + content(R"(<state id="x"><transition event="go" target="y"/></state><state id="y"/>)") +
                       R"(</invoke><transition event="go"><send event="go" target="#_c"/></transition></state>)")));
    hsm::scxml::session session{chart, data};
    session.start();
    CHECK(seen.entered == 2); // including the root
    session.process("go");
    CHECK(seen.entered == 3);
}

TEST_CASE("the labels of hooks name the invoked document") {
    playing p(R"(<state id="s"><invoke src="child.scxml"/></state>)");
    std::string labels;
    for (const auto hook : p.chart.view().hooks())
        if (hook.state().name() == "s") labels += std::string(hook.label()) + ";";
    CHECK(labels == "invoke child.scxml;cancel;");
}

TEST_CASE("an invoked document is saved with its parent, and loads again") {
    const auto text = scxml_document(
        "<state id=\"s\"><invoke type=\"scxml\" id=\"c\" autoforward=\"true\">" + content("<final id=\"f\"/>") +
        R"(<finalize><log label="back"/></finalize></invoke><invoke id="d" src="other.scxml"><param name="a" expr="1"/></invoke></state>)");
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text<tracing>(text));
    for (const auto* part : {"<invoke type=\"scxml\" id=\"c\" autoforward=\"true\">", "<finalize>", "<final id=\"f\"/>", "src=\"other.scxml\"",
                             "<param name=\"a\" expr=\"1\"/>"}) {
        CAPTURE(part);
        CHECK(saved.find(part) != std::string::npos);
    }
    CHECK(hsm::save_scxml(*hsm::load_scxml_text<tracing>(saved)) == saved);
}
