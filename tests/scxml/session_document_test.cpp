#include <hsm/scxml/session_document.hpp>

#include <hsm/hsm.hpp>
#include <hsm/scxml/detail/session_json.hpp>
#include <hsm/scxml/scxml.hpp>

#include <tests/support/mutated_document.hpp>
#include <tests/support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <memory>
#include <random>
#include <string>

namespace {

struct tracing : hsm::scxml::context {
    std::string log;
    int invoked = 0;
    void on_log(std::string_view label, std::string_view) override { log += std::string(label) + ' '; }
    void on_child_log(const hsm::scxml::session_base& child, std::string_view label, std::string_view) override {
        log += child.invoke_id() + ':' + std::string(label) + ' ';
    }
    void on_error(std::string_view event, std::string_view) override { log += std::string(event) + ' '; }
    void on_invoked(hsm::scxml::session_base&) override { ++invoked; }
};

/// Regions, history, delayed events to itself and others, and nested sessions, some of which end.
constexpr auto machine = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="on">
  <parallel id="on">
    <state id="a" initial="a1">
      <history id="h" type="deep"><transition target="a1"/></history>
      <state id="a1"><onentry><send event="tick" id="t" delay="30ms"/><log label="a1"/></onentry><transition event="tick x" target="a2"/></state>
      <state id="a2"><onentry><log label="a2"/></onentry><transition event="y" target="a1"/>
        <invoke id="inner" autoforward="true"><content><scxml version="1.0">
          <state id="i1"><onentry><send event="up" target="#_parent" delay="20ms"/><send event="own" delay="50ms"/></onentry>
            <transition event="own" target="i2"/><transition event="z" target="i3"/></state>
          <state id="i2"><onentry><log label="i2"/></onentry><transition event="y" target="i1"/>
            <invoke id="deep"><content><scxml version="1.0"><state id="d1"><onentry><send event="d" delay="35ms"/></onentry>
              <transition event="d" target="d2"/></state><final id="d2"/></scxml></content></invoke>
            <transition event="done.invoke.deep" target="i1"><log label="deep"/></transition></state>
          <final id="i3"/>
        </scxml></content><finalize><log label="finalize"/></finalize></invoke>
        <transition event="up"><log label="up"/></transition>
      </state>
    </state>
    <state id="b" initial="b1">
      <state id="b1"><transition event="x" target="b2"/><invoke id="file" src="child.scxml"/></state>
      <state id="b2"><onentry><send event="back" delay="45ms"/></onentry><transition event="back" target="b1"/></state>
    </state>
    <transition event="off" target="out"><cancel sendid="t"/></transition>
  </parallel>
  <state id="out"><transition event="y" target="h"/><transition event="x" target="on"/></state>
</scxml>)xml";

constexpr auto child = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="c1"><onentry><send event="c" delay="15ms"/></onentry><transition event="c" target="c2"/></state>
  <state id="c2"><onentry><log label="c2"/><send event="c" delay="25ms"/></onentry><transition event="c" target="c1"/></state>
</scxml>)xml";

struct fixture {
    fixture() {
        std::ofstream(folder.path() / "child.scxml") << child;
        how.include_folder = folder.path().string();
        chart = std::make_unique<hsm::chart<tracing>>(hsm::compile(hsm::load_scxml_text<tracing>(machine, "machine", how)));
    }
    hsm::test::temporary_folder folder{"session_document"};
    hsm::scxml_options how;
    std::unique_ptr<hsm::chart<tracing>> chart;
};

struct playing {
    explicit playing(const fixture& w) : session(*w.chart, data) {}
    tracing data;
    hsm::scxml::session<tracing> session;
};

std::string session_text(const hsm::scxml::session_base& s) {
    std::string text;
    for (const auto& name : s.configuration()) text += name + ' ';
    for (const auto* one : s.children()) text += one->invoke_id() + '(' + session_text(*one) + ')';
    return text;
}

void act(hsm::scxml::session<tracing>& s, unsigned what) {
    constexpr const char* events[] = {"x", "y", "z", "off", "up"};
    if (what < 5)
        s.process(events[what]);
    else
        s.tick(hsm::time_span::from_nanoseconds((what - 4) * 7'000'000));
}

} // namespace

TEST_CASE("a session that is restored at any moment continues like the saved one, and saves the same document") {
    const fixture w;
    std::mt19937 random(3);
    auto now = std::make_unique<playing>(w);
    now->session.start();
    int with_children = 0;
    for (int round = 0; round < 60; ++round) {
        const auto text = hsm::scxml::save_session(now->session);
        auto other = std::make_unique<playing>(w);
        if (round % 3 == 0) other->session.start(); // the state before restoring makes no difference
        if (round % 3 == 1) act(other->session, 0);
        other->data.invoked = 0;
        REQUIRE(hsm::scxml::restore_session(other->session, text) == hsm::result::taken);
        REQUIRE(hsm::scxml::save_session(other->session) == text);
        with_children += other->data.invoked > 0;
        now->data.log.clear();
        other->data.log.clear();
        for (int step = 0; step < 12; ++step) {
            const auto what = static_cast<unsigned>(random() % 10);
            act(now->session, what);
            act(other->session, what);
            REQUIRE(session_text(other->session) == session_text(now->session));
            REQUIRE(other->data.log == now->data.log);
        }
        REQUIRE(hsm::scxml::save_session(other->session) == hsm::scxml::save_session(now->session));
        now = std::move(other);
    }
    CHECK(with_children > 30);
}

TEST_CASE("an ended or unstarted session can be saved") {
    const auto chart = hsm::compile(hsm::load_scxml_text<tracing>(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition event="e" target="f"/></state><final id="f"><donedata><content>x</content></donedata></final></scxml>)"));
    tracing one, two;
    hsm::scxml::session a{chart, one}, b{chart, two};
    const auto before = hsm::scxml::save_session(a);
    a.start();
    a.process("e");
    CHECK(a.done_data() == "\"x\"");
    b.start();
    REQUIRE(hsm::scxml::restore_session(b, hsm::scxml::save_session(a)) == hsm::result::taken);
    CHECK(b.end() == "f");
    CHECK(b.done_data() == "\"x\"");
    CHECK(b.process("e") == hsm::result::inactive);
    REQUIRE(hsm::scxml::restore_session(b, before) == hsm::result::taken);
    CHECK(!b.finished());
    CHECK(b.start() == hsm::result::taken);
    CHECK(session_text(b) == "a ");
}

TEST_CASE("the JSON of a session keeps each integer, and refuses repeated names") {
    using hsm::detail::json_value;
    auto list = json_value::empty_list();
    list.add(json_value());
    list.add(json_value::of(true));
    list.add(json_value::of("a\n\"b\""));
    list.add(json_value::of(0.5));
    list.add(json_value::of(-0.0));
    auto d = json_value::empty_object();
    d.add("most", json_value::of(std::int64_t(1) << 53));
    d.add("more", json_value::of((std::int64_t(1) << 53) + 1));
    d.add("least", json_value::of(INT64_MIN));
    d.add("natural", json_value::of(UINT64_MAX));
    d.add("list", std::move(list));
    const auto text = hsm::detail::scxml::write_session_json(d);
    CHECK(text == R"({"most":9007199254740992,"more":{"#integer":"9007199254740993"},"least":{"#integer":"-9223372036854775808"},)"
                  R"("natural":{"#integer":"18446744073709551615"},"list":[null,true,"a\n\"b\"",0.5,-0]})");
    CHECK(hsm::detail::scxml::read_session_json(text, text.size()) == d);
    CHECK_THROWS_AS(hsm::detail::scxml::read_session_json(text, text.size() - 1), hsm::save_error);
    CHECK_THROWS_AS(hsm::detail::scxml::read_session_json(R"({"a":1,"a":2})", 99), hsm::save_error);
}

TEST_CASE("a session document is restored completely or changes nothing") {
    const fixture w;
    playing p(w), q(w);
    p.session.start();
    p.session.process("x");
    p.session.tick(hsm::time_span::from_nanoseconds(5'000'000));
    const auto text = hsm::scxml::save_session(p.session);
    q.session.start();
    const auto before = hsm::scxml::save_session(q.session);
    const auto document = hsm::detail::scxml::read_session_json(text, text.size());
    std::mt19937 random(5);
    int refused = 0, taken = 0;
    for (int i = 0; i < 800; ++i) {
        const bool well_formed = i % 2 == 0;
        auto broken = well_formed ? hsm::detail::scxml::write_session_json(test::mutated(document, random)) : text;
        for (auto n = well_formed ? 0 : random() % 3 + 1; n > 0; --n) {
            const auto at = random() % broken.size();
            switch (random() % 3) {
            case 0: broken[at] = "0123456789{}[]\",:x"[random() % 18]; break;
            case 1: broken.erase(at, random() % 9); break;
            default: broken.insert(at, broken.substr(random() % broken.size(), random() % 9));
            }
        }
        playing fresh(w);
        fresh.session.start();
        try {
            const auto outcome = hsm::scxml::restore_session(fresh.session, broken);
            REQUIRE(outcome == hsm::result::taken);
            ++taken;
            const auto again = hsm::scxml::save_session(fresh.session);
            for (unsigned what = 0; what < 10; ++what) act(fresh.session, what);
            playing other(w);
            REQUIRE(hsm::scxml::restore_session(other.session, again) == hsm::result::taken);
            REQUIRE(hsm::scxml::save_session(other.session) == again);
        } catch (const hsm::save_error&) {
            ++refused;
            REQUIRE(hsm::scxml::save_session(fresh.session) == before);
        }
    }
    CHECK(refused > 400);
    CHECK(taken > 80);
    CHECK(refused + taken == 800);
}

TEST_CASE("the time of a restored session saturates") {
    const fixture w;
    playing p(w);
    p.session.start();
    p.session.tick(hsm::time_span::from_nanoseconds(5'000'000));
    auto text = hsm::scxml::save_session(p.session);
    const std::string now = R"("now":5000000)", end = R"("now":{"#integer":"9223372036854775807"})";
    REQUIRE(text.find(now) != std::string::npos);
    text.replace(text.find(now), now.size(), end);
    playing q(w);
    REQUIRE(hsm::scxml::restore_session(q.session, text) == hsm::result::taken);
    q.session.tick(hsm::time_span::from_nanoseconds(15'000'000));
    CHECK(hsm::scxml::save_session(q.session).find(end) != std::string::npos);
}

TEST_CASE("a part that does not fit the document of a session is reported") {
    const fixture w;
    playing p(w);
    p.session.start();
    const auto refused = [&](const std::string& text) {
        try {
            hsm::scxml::restore_session(p.session, text);
        } catch (const hsm::save_error& e) {
            return hsm::to_string(e.number());
        }
        return std::string("taken");
    };
    const auto text = hsm::scxml::save_session(p.session);
    const auto with = [&](const std::string& from, const std::string& to) {
        auto changed = text;
        const auto at = changed.find(from);
        REQUIRE(at != std::string::npos);
        return changed.replace(at, from.size(), to);
    };
    CHECK(refused("") == "HSM-361");
    CHECK(refused("[1]") == "HSM-361");
    CHECK(refused("{}") == "HSM-361");
    CHECK(refused(text) == "taken");
    CHECK(refused(with("\"version\":1", "\"version\":2")) == "HSM-361");
    CHECK(refused(with("\"fingerprint\":\"", "\"fingerprint\":\"0")) == "HSM-363");
    CHECK(refused(with("\"running\":true,", "")) == "HSM-362");
    CHECK(refused(with("\"invoke\":1", "\"invoke\":7")) == "HSM-362");
    CHECK(refused(with("\"due\":", "\"dew\":")) == "HSM-362");
    CHECK(refused(with("\"document\":\"<", "\"document\":\"")) == "HSM-362");
    CHECK(hsm::scxml::save_session(p.session) == text);
}

TEST_CASE("sessions with services, or in a call, cannot be saved") {
    struct lamp : hsm::scxml::service {};
    struct with_lamp : tracing {
        hsm::scxml::session_base* session = nullptr;
        std::string saved = "not asked";
        hsm::owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation&) override { return hsm::make_owned<lamp>(); }
        void on_log(std::string_view, std::string_view) override { saved = hsm::scxml::save_session(*session); }
    } data;
    const auto chart = hsm::compile(hsm::load_scxml_text<with_lamp>(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition event="l"><log label="l"/></transition><transition event="e" target="b"/></state>
           <state id="b"><invoke type="lamp" id="l"/></state></scxml>)"));
    hsm::scxml::session session{chart, data};
    data.session = &session;
    session.start();
    CHECK(session.process("l") == hsm::result::internal);
    CHECK(data.saved == "");
    session.process("e");
    CHECK_THROWS_WITH(hsm::scxml::save_session(session), "HSM-351 error at session: the invoked service \"l\" cannot be saved");
}
