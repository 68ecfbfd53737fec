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

constexpr auto settles = hsm::constant_chart<trace_context>([](auto& root) {
    root.on_settled([](trace_context& w) {
        w.note("settled");
        if (w.go) w.self->process(static_cast<int>(key::C));
    });
    root.on_unhandled(notes<"root unhandled">);
    auto& a = add<"a">(root);
    auto& m = add_machine<"m">(root);
    auto& b = add<"b">(m);
    m.on_unhandled([](trace_context& w) {
        w.note("m unhandled");
        if (w.go) w.self->process(static_cast<int>(key::B));
    });
    a.to(m).on(key::A);
    b.on(key::C).then([](trace_context& w) { w.go = false; });
    m.to(a).on(key::B);
    a.to(m).when(&trace_context::ready);
});

constexpr auto pair = hsm::constant_chart<trace_context>([](auto& root) {
    root.on_settled(notes<"settled">);
    auto& both = root.add_parallel("both").on_unhandled(notes<"both">);
    auto& a = both.add_fsm("a");
    auto& b = both.add_fsm("b").on_unhandled(notes<"b">);
    auto& a1 = a.add("a1");
    auto& a2 = a.add("a2");
    b.add("b1");
    a1.to(a2).on(key::A);
    both.to("end").on(key::B);
    root.add("end");
});

} // namespace

TEST_CASE("on_unhandled of a constant chart runs in the innermost active state that has it") {
    same_text<settles, hsm::queue<4>> m(hsm::instance_options{.internal_queue = 4});
    CHECK(m.start() == "E a, settled");
    CHECK(m.process(key::B) == "root unhandled");
    CHECK(m.process(key::I) == "root unhandled"); // no transition of the chart waits for it
    CHECK(m.process('x') == "root unhandled");
    CHECK(m.last() == hsm::result::unhandled);
    CHECK(m.process(key::A) == "X a, E m, E b, settled");
    CHECK(m.process(key::A) == "m unhandled");
    m.set(&trace_context::go);
    CHECK(m.process(key::A) == "m unhandled, X b, X m, E a, settled, root unhandled");
}

TEST_CASE("on_settled of a constant chart runs when no work is left after a transition or reaction") {
    same_text<settles, hsm::queue<4>> m(hsm::instance_options{.internal_queue = 4});
    m.start(), m.set(&trace_context::go);
    CHECK(m.process(key::A) == "X a, E m, E b, settled, settled"); // it processes C
    m.process(key::B), m.set(&trace_context::ready);
    CHECK(m.tick() == "X a, E m, E b, settled, U m, U b");
    CHECK(m.stop() == "X b, X m");
}

TEST_CASE("on_unhandled and on_settled of a constant chart with regions") {
    same_text<pair> m;
    CHECK(m.start() == "settled");
    CHECK(m.process(key::A) == "settled");
    CHECK(m.process(key::A) == "b");
    CHECK(m.process(key::B) == "settled");
    CHECK(m.process(key::A) == "");
}

TEST_CASE("on_change of a constant chart runs after each transition below its machine") {
    play<outer_first>();
    play<inner_first>();
}

TEST_CASE("on_change of a constant chart runs before all that follows, and after the records of its transition") {
    both_kinds<outer_first> both;
    both([](auto& agent) { agent.start(), agent.context().go = true, agent.process(key::A), agent.tick(); });
    CHECK(both.constant_context.take() == both.ordinary_context.take());
}

namespace {

constexpr auto outside = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root.on_init(notes<"I root">).on_destroy(notes<"D root">));
    a.on_init([](trace_context& w) { w.note("I a"); }).on_exit(notes<"X again">);
    a.to(root.add_final("end").on_destroy(notes<"D end">)).on(key::A);
});

} // namespace

TEST_CASE("an observed constant instance reports destroy like an ordinary one") {
    both_kinds<outside> both;
    both([](auto& agent) { agent.start(), agent.destroy(), agent.destroy(), agent.start(), agent.process(key::A), agent.destroy(); });
    const auto trace = both.constant_context.take();
    CHECK(trace == "I root, I a, E a, X a, X again, D end, D root, I root, I a, E a, X a, X again, D end, D root");
    CHECK(both.ordinary_context.take() == trace);
}

TEST_CASE("only constant charts with on_change store the last leaf") {
    trace_context c;
    static_assert(sizeof(hsm::constant_instance<outer_first>) == 24);
    CHECK(hsm::compile(hsm::definition_of(outer_first)).dump().find("on_change") != std::string::npos);
}
