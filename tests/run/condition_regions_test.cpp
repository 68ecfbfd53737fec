// Conditions with active regions: all share the same bits, but is_over depends on each region's own leaf.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace test;

namespace {

/// R{P{1{a b} 2{c d}} out}; `define` writes the transitions.
template <class Define> started regions(Define define) {
    auto root = root_of();
    auto& p = traced_hooks(root->add_parallel("P"));
    auto& first = traced_hooks(p.add_fsm("1"));
    auto& a = traced_hooks(first.add("a"));
    auto& b = traced_hooks(first.add("b"));
    auto& second = traced_hooks(p.add_fsm("2"));
    auto& c = traced_hooks(second.add("c"));
    auto& d = traced_hooks(second.add("d"));
    auto& out = traced_hooks(root->add("out"));
    define(p, a, b, c, d, out);
    return started(std::move(root));
}

} // namespace

TEST_CASE("one condition fires transitions in several regions") {
    auto m = regions([](auto&, auto& a, auto& b, auto& c, auto& d, auto&) {
        a.to(b).when("Go");
        c.to(d).when(hsm::all("Go", "!Not"));
        d.to(c).when(hsm::any("Not", 100));
    });
    CHECK(m.tick() == "");
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b, X c, E d");
    CHECK(m.tick() == "");
    m.agent.pulse(100);
    CHECK(m.tick() == "X d, E c");
    CHECK_FALSE(m.agent.get(100));
    CHECK(m.tick() == "X c, E d");
    m.agent.pulse("Not");
    m.agent.clear("Go");
    CHECK(m.decide() == "X d, E c");
    CHECK(m.tick() == "");
    CHECK(m.agent.now() == hsm::time_span());
}

TEST_CASE("conditions guard events, one after the other and together") {
    auto m = regions([](auto&, auto& a, auto& b, auto& c, auto& d, auto&) {
        a.template to<>(b).template on<event<1>>().when("A");
        c.template to<>(d).template on<event<1>>().when(hsm::all("B", "!A"));
        b.template to<>(a).template on<event<1>>();
    });
    CHECK(m.process(event<1>{}) == "");
    m.agent.set("B");
    CHECK(m.process(event<1>{}) == "X c, E d");
    m.agent.set("A");
    CHECK(m.process(event<1>{}) == "X a, E b");
    m.agent.change_to("P/2/c");
    m.agent.change_to("P/1/b");
    m.agent.clear("A");
    m.r.take();
    CHECK(m.process(event<1>{}).ends_with("E a, E d"));
}

TEST_CASE("each region has its own leaf, which can be finished") {
    auto m = regions([](auto&, auto& a, auto& b, auto& c, auto& d, auto&) {
        a.to(b).when("A");
        c.to(d).when("C");
        b.to(a).when(hsm::is_over);
        d.to(c).when(hsm::is_over);
    });
    m.agent.set("A");
    m.agent.set("C");
    CHECK(m.tick() == "X a, E b, X c, E d");
    m.agent.finish("P/2/d");
    CHECK(m.tick() == "X d, E c");
    CHECK(m.agent.get("A"));
    CHECK_FALSE(m.agent.get("C"));
    CHECK(m.tick() == "");
    m.agent.finish("P/1/b");
    CHECK(m.tick() == "X b, E a");
    CHECK_FALSE(m.agent.get("A"));
    CHECK(m.tick() == "");
}

TEST_CASE("a parallel is finished when its regions are, and resets the conditions that led into it") {
    auto m = regions([](auto& p, auto& a, auto& b, auto& c, auto& d, auto& out) {
        out.to(p).when("Enter");
        a.to(b).when("A");
        c.to(d).template on<event<1>>().when("C");
        p.to(out).when(hsm::is_over);
    });
    m.agent.change_to("out");
    m.agent.set("Enter");
    m.agent.set("C");
    m.r.take();
    CHECK(m.tick() == "X out, E P, E 1, E a, E 2, E c");
    m.agent.set("A");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.process(event<1>{}) == "X c, E d");
    m.agent.finish("P/1");
    CHECK(m.tick() == "");
    CHECK_FALSE(m.agent.get(hsm::is_over));
    m.agent.finish("P/2");
    CHECK(m.agent.get(hsm::is_over));
    CHECK(m.tick() == "X d, X 2, X b, X 1, X P, E out");
    for (const auto* name : {"Enter", "A", "C"}) CHECK_FALSE(m.agent.get(name));
}

TEST_CASE("a state that no conditions led into resets nothing") {
    auto m = regions([](auto&, auto& a, auto& b, auto&, auto&, auto&) {
        a.to(b).when("A");
        b.to(a).when(hsm::is_over);
    });
    m.agent.set("A");
    CHECK(m.tick() == "X a, E b");
    m.agent.set_state("P/1/a");
    m.agent.set_state("P/1/b");
    m.agent.finish("P/1/b");
    CHECK(m.tick() == "X b, E a");
    CHECK(m.agent.get("A"));
    CHECK(m.tick() == "X a, E b");
    m.agent.stop();
    m.agent.reset();
    CHECK_FALSE(m.agent.get("A"));
    m.agent.start();
    m.r.take();
    CHECK(m.tick() == "");
}

TEST_CASE("an entry choice of one region resets no conditions of the other region") {
    auto root = root_of();
    auto& out = traced_hooks(root->add("out"));
    auto& p = traced_hooks(root->add_parallel("P"));
    auto& first = traced_hooks(p.add_fsm("1"));
    auto& a = traced_hooks(first.add("a"));
    auto& second = traced_hooks(p.add_fsm("2"));
    auto& c = traced_hooks(second.add("c"));
    auto& d = traced_hooks(second.add("d"));
    out.to(p).when("Enter");
    first.dispatch(a).when("Chosen");
    c.to(d).when(hsm::is_over);
    started m(std::move(root));
    m.agent.set("Enter");
    m.agent.set("Chosen");
    CHECK(m.tick() == "X out, E P, E 1, E a, E 2, E c");
    m.agent.finish(c);
    CHECK(m.tick() == "X c, E d");
    CHECK_FALSE(m.agent.get("Enter"));
    CHECK(m.agent.get("Chosen"));
}
