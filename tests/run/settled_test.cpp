// on_settled: called when no work remains.

#include <tests/support/two_regions.hpp>

#include <hsm/compile/check.hpp>
#include <hsm/run/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace test;

TEST_CASE("on_settled runs when all following work is complete, before the next event") {
    auto root = root_of();
    root->on_settled(tracing("settled"));
    auto& a = traced(root->add("A"));
    traced(root->add("B")).transient().to("C");
    traced(root->add("C")).on("inner").then(tracing("inner"));
    a.to("B").on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.process("inner"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r);
    agent.start();
    CHECK(r.take() == "E A, settled");
    agent.post(event<1>{});
    agent.post("inner");
    agent.drain();
    CHECK(r.take() == "X A, E B, X B, E C, inner, settled, inner, settled");
}

TEST_CASE("on_settled does not run if nothing has fired") {
    auto root = root_of();
    root->on_settled(tracing("settled"));
    auto& a = root->add("A");
    a.to("B").on<event<1>>().when(&recorder::go);
    a.on<event<2>>();
    root->add("B");
    started m(std::move(root));
    CHECK(m.process(event<1>{}).empty());
    CHECK(m.process(event<3>{}).empty());
    CHECK(m.tick().empty());
    CHECK(m.process(event<2>{}) == "settled");
}

TEST_CASE("events that on_settled processes are part of the same work; on_settled then runs again") {
    auto root = root_of();
    root->on_settled([](recorder& r, hsm::step<recorder>& s) {
        r.note("settled");
        if (r.go) s.process("more");
        r.go = false;
    });
    traced(root->add("A")).to("B").on("more");
    traced(root->add("B"));
    root->on<event<1>>();
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "settled, X A, E B, settled");
}

TEST_CASE("an event of on_settled without a transition does not make it run again") {
    auto root = root_of();
    root->on_settled([](recorder& r, hsm::step<recorder>& s) { r.note("settled"), s.process("more"); });
    root->add("A").on("more").when(&recorder::go);
    root->on<event<1>>();
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "settled");
}

TEST_CASE("an endless on_settled ends in a chain_error") {
    auto root = root_of();
    root->on_settled([](recorder&, hsm::step<recorder>& s) { s.process("more"); });
    root->add("A").on("more");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r);
    CHECK_THROWS_AS(agent.start(), hsm::chain_error);
}

TEST_CASE("on_settled runs after each transition of a tick, in regions as well") {
    auto root = root_of();
    root->on_settled(tracing("settled"));
    auto& both = root->add_parallel("P");
    for (const auto* const name : {"L", "Q"}) {
        auto& region = both.add_fsm(name);
        traced(region.add(std::string(name) + "1")).to(std::string(name) + "2");
        traced(region.add(std::string(name) + "2"));
    }
    started m(std::move(root));
    CHECK(m.tick() == "X L1, E L2, settled, U L2, X Q1, E Q2, settled, U Q2");
}

TEST_CASE("on_settled does not run in a finished root or for stop; finish() and stop() in it take effect") {
    auto root = root_of();
    root->on_settled([](recorder& r, hsm::step<recorder>& s) {
        r.note("settled");
        if (r.go) s.stop();
    });
    auto& a = traced(root->add("A"));
    a.to("end").on<event<1>>();
    a.on<event<2>>();
    root->add_final("end").on_enter(tracing("E end")).on_exit(tracing("X end"));
    started m(std::move(root));
    SUBCASE("finished") {
        CHECK(m.process(event<1>{}) == "X A, E end");
        CHECK(m.stop() == "X end");
    }
    SUBCASE("stopped") {
        m.r.go = true;
        CHECK(m.process(event<2>{}) == "settled, X A");
        CHECK_FALSE(m.agent.active());
    }
}

TEST_CASE("an exception of on_settled propagates; the completed work stays") {
    auto root = root_of();
    root->on_settled([](recorder& r) {
        if (r.go) throw std::runtime_error("unsettled");
    });
    traced(root->add("A")).to("B").on<event<1>>();
    traced(root->add("B"));
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_WITH(m.agent.process(event<1>{}), "unsettled");
    CHECK(m.path() == "R/B");
    m.r.go = false;
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
}

TEST_CASE("only the root has on_settled") {
    auto root = root_of();
    root->add_fsm("M").on_settled(tracing("settled")).add("A");
    const auto findings = hsm::check(*root);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == hsm::code::contradiction);
    CHECK(findings[0].path == "R/M");
    CHECK(findings[0].problem == "the machine has on_settled, but is not the root");
}
