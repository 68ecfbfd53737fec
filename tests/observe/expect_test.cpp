// Expectations on a machine's records, and the messages if they are not met.

#include <hsm/observe/expect.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/run/error.hpp>
#include <tests/observe/hero.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>

using hsm::expect;
using hsm::reason;
using hsm::record_kind;
using hsm::result;
using test::hero;
using test::hit;
using test::rest;

namespace {

/// Started first, then observed.
struct watched {
    explicit watched(hsm::chart<hero> c = test::hero_chart(), std::size_t most = 1000) : chart(std::move(c)), agent(chart, context), seen(most) {
        agent.start();
        attached = agent.attach(seen);
    }
    hsm::chart<hero> chart;
    hero context;
    hsm::instance<hero> agent;
    hsm::recorder seen;
    hsm::attachment attached;
};

/// Returns the message of the exception, or "met".
template <class Does> std::string message_of(Does does) {
    try {
        does();
    } catch (const hsm::unmet_expectation& e) {
        return e.what();
    }
    return "met";
}

} // namespace

TEST_CASE("exits and entries are expected one after the other; other kinds of records are skipped unless expected") {
    watched w;
    w.agent.process(hit{});
    expect(w.seen).exits("idle").enters("fight").enters("slash").nothing_else();
    w.agent.process(rest{});
    expect(w.seen).event("rest").takes("fight", "idle").exits("slash").exits("fight").enters("idle").arrives("idle").nothing_else();
    expect(w.seen).nothing_else();
}

TEST_CASE("each expectation matches its kind of record") {
    watched w;
    const auto line = w.chart.view().guard(1).text();
    w.agent.process(hit{2});
    expect(w.seen)
        .call(hsm::call_kind::process)
        .event<hit>()
        .asks(line, true)
        .takes("idle", "fight", reason::event)
        .exits("idle")
        .acts()
        .enters("fight")
        .enters("slash")
        .arrives("slash")
        .ends(result::taken)
        .nothing_else();
    w.agent.tick(std::chrono::milliseconds(10));
    expect(w.seen).asks(false).takes("slash", "block", reason::time).exits("slash").enters("block").ends(result::taken).nothing_else();
    w.agent.process(rest{});
    expect(w.seen).event("test::rest").exits("block").exits("fight").enters("idle").nothing_else();
    w.agent.update(std::chrono::milliseconds(1));
    expect(w.seen).updates("idle").ends(result::unhandled).nothing_else();
}

TEST_CASE("reactions, queued and deferred events, holds, conditions, ends and exceptions") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a").hold().defer<rest>();
    auto& b = root->add("b");
    auto& over = root->add_final("over");
    a.on<hit>().then([](hero& h) { --h.life; });
    a.to(b).when("Armed");
    b.to(over).on<rest>();
    b.on("fail").then([](hero&) { throw std::runtime_error("failed"); });
    watched w(hsm::compile(std::move(root)));
    w.agent.process(hit{});
    expect(w.seen).reacts("a", reason::event).acts().ends(result::internal).nothing_else();
    w.agent.process(rest{});
    expect(w.seen).event("rest").defers("rest").ends(result::deferred).nothing_else();
    w.agent.set("Armed");
    expect(w.seen).changes("Armed", true).nothing_else();
    w.agent.tick();
    expect(w.seen).holds("a").holds("a").nothing_else(); // evaluated again after its update
    w.agent.release("a");
    w.agent.tick();
    expect(w.seen)
        .releases("a")
        .takes("a", "b")
        .exits("a")
        .enters("b")
        .event("rest")
        .exits("b")
        .enters("over")
        .finishes("R")
        .recalls("rest")
        .nothing_else();
}

TEST_CASE("an unmet expectation shows the found record, and the records around it") {
    watched w;
    w.agent.process(hit{});
    const auto text = message_of([&] { expect(w.seen).exits("idle").enters("dead"); });
    CHECK(text.find("expected: entered hero/dead\nfound:    entered hero/fight\n") == 0);
    CHECK(text.find("\n    exited hero/idle\n") != std::string::npos);
    CHECK(text.find("\n  > entered hero/fight\n    entered hero/fight/slash\n") != std::string::npos);
}

TEST_CASE("an unmet expectation prints this message") {
    watched w(test::hero_chart());
    w.seen.clear();
    w.attached = w.agent.attach(w.seen, record_kind::exited | record_kind::entered);
    w.seen.clear();
    w.agent.process(hit{});
    CHECK(message_of([&] { expect(w.seen).exits("fight"); }) == "expected: exited hero/fight\n"
                                                                "found:    exited hero/idle\n"
                                                                "  > exited hero/idle\n"
                                                                "    entered hero/fight\n"
                                                                "    entered hero/fight/slash");
    CHECK(message_of([&] { expect(w.seen).exits("idle").nothing_else(); }) == "expected: nothing else\n"
                                                                              "found:    entered hero/fight\n"
                                                                              "    exited hero/idle\n"
                                                                              "  > entered hero/fight\n"
                                                                              "    entered hero/fight/slash");
    CHECK(message_of([&] { expect(w.seen).enters("fight").enters("slash").enters("block"); }) == "expected: entered hero/fight/block\n"
                                                                                                 "found:    nothing more\n"
                                                                                                 "    exited hero/idle\n"
                                                                                                 "    entered hero/fight\n"
                                                                                                 "    entered hero/fight/slash\n"
                                                                                                 "  > ");
}

TEST_CASE("an expectation does not skip records of its kind, exits or entries") {
    watched w;
    w.agent.process(hit{});
    CHECK(message_of([&] { expect(w.seen).event("rest"); }).find("expected: event rest\nfound:    event test::hit (call)") == 0);
    CHECK(message_of([&] { expect(w.seen).arrives("slash"); }).find("expected: arrived in hero/fight/slash\nfound:    exited hero/idle") == 0);
    CHECK(message_of([&] {
              expect(w.seen).exits("idle").enters("fight").enters("slash").call(hsm::call_kind::tick).nothing_else();
          }).find("expected: tick\nfound:    nothing more") == 0);
}

TEST_CASE("nothing_else covers exits, entries and the named kinds") {
    watched w;
    w.agent.process(hit{});
    CHECK(message_of([&] { expect(w.seen).exits("idle").enters("fight").enters("slash").nothing_else(); }) == "met");
    w.agent.process(rest{});
    w.agent.process(hit{});
    CHECK(message_of([&] {
              expect(w.seen).event("rest").exits("slash").exits("fight").enters("idle").nothing_else();
          }).find("expected: nothing else\nfound:    event test::hit (call)") == 0);
}

TEST_CASE("an unmet expectation has consumed the earlier records") {
    watched w;
    w.agent.process(hit{});
    CHECK(message_of([&] { expect(w.seen).exits("idle").enters("dead"); }) != "met");
    expect(w.seen).enters("fight").enters("slash").nothing_else();
}

TEST_CASE("lost records cannot be expected, and unknown names are errors") {
    watched w(test::hero_chart(), 8);
    for (int i = 0; i < 10; ++i) {
        w.agent.process(hit{0});
        w.agent.process(rest{});
    }
    const auto text = message_of([&] { expect(w.seen).exits("idle"); });
    CHECK(text == std::to_string(w.seen.lost()) + " records were lost before the check: the recorder is too small");
    w.seen.clear();
    CHECK_THROWS_AS(expect(w.seen).exits("nowhere"), hsm::state_error);
    hsm::recorder unattached(10);
    CHECK_THROWS_AS((void)expect(unattached), hsm::usage_error);
}

TEST_CASE("agents of a crowd are expected one by one") {
    hsm::recorder seen(1000);
    const auto chart = test::hero_chart();
    hsm::crowd<hero> herd(chart);
    const auto first = herd.add(), second = herd.add();
    const auto attached = herd.attach(seen);
    herd[second]->process(hit{});
    herd[first]->process(hit{});
    herd[second]->process(rest{});
    expect(seen, 1).exits("idle").enters("fight").enters("slash").exits("slash").exits("fight").enters("idle").nothing_else();
    expect(seen, 0).exits("idle").enters("fight").enters("slash").nothing_else();
}
