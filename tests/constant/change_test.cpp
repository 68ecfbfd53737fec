// `on_change` in constant charts. It has the same results as in a chart compiled at run time from the same definition.

#include <tests/constant/both_kinds.hpp>

#include <string>

using namespace test;

namespace {

template <token Name>
constexpr auto reports = [](trace_context& w, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
    w.note(std::string(Name.text) + ": " + std::string(from.name()) + " to " + to.path() + ", " + std::string(to_string(why)));
};
void report_leaves(trace_context& w, hsm::state_ref from, hsm::state_ref to, hsm::reason) { w.note(from == to ? "same" : "other"); }

template <class Root> constexpr void define(Root& root) {
    auto& a = root.add("a");
    auto& m = root.add_fsm("m");
    auto& b = m.add("b");
    auto& c = m.add("c");
    auto& fork = root.add_choice("fork");
    root.on_change(reports<"root">).on_change(report_leaves);
    m.on_change(reports<"m">);
    m.dispatch(b).when(&trace_context::go);
    a.to(m).on(key::A);
    b.to(c).when(&trace_context::ready);
    c.to(c).on(key::A);
    c.to(a).on(key::B).then(notes<"action">);
    c.to(fork).on(key::C);
    c.on(key::D).then(notes<"reaction">);
    fork.to(b).when(&trace_context::ready);
    fork.otherwise(a);
}
constexpr auto outer_first = hsm::constant_chart<trace_context>([](auto& root) { define(root); });
constexpr auto inner_first = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define(root); });

template <auto Chart> void play() {
    same_text<Chart> m;
    CHECK(m.start() == "root: none to root/a, start, other");
    CHECK(m.process(key::A) == "root: a to root/m, event, other"); // m rests
    CHECK(m.tick() == "");
    m.set(&trace_context::go);
    CHECK(m.tick() == "root: m to root/m/b, entry, other, m: m to root/m/b, entry");
    m.set(&trace_context::ready);
    CHECK(m.tick() == "root: b to root/m/c, poll, other, m: b to root/m/c, poll");
    CHECK(m.process(key::A) == "root: c to root/m/c, event, same, m: c to root/m/c, event");
    CHECK(m.process(key::D) == "reaction");
    m.set(&trace_context::ready, false);
    CHECK(m.process(key::C) == "root: c to root/fork, event, other, root: fork to root/a, poll, other");
    CHECK(m.stop() == "");
}

} // namespace

TEST_CASE("on_change of a constant chart runs after each transition below its machine") {
    play<outer_first>();
    play<inner_first>();
}

TEST_CASE("on_change of a constant chart runs before all that follows, and after the records of its transition") {
    both_kinds<outer_first> both;
    both([](auto& agent) { agent.start(), agent.context().go = true, agent.process(key::A), agent.tick(); });
    CHECK(both.constant_context.take() == both.ordinary_context.take());
}

TEST_CASE("only constant charts with on_change store the last leaf") {
    trace_context c;
    static_assert(sizeof(hsm::constant_instance<outer_first>) == 24);
    CHECK(hsm::compile(hsm::definition_of(outer_first)).dump().find("on_change") != std::string::npos);
}
