// any_event in constant charts. It has the same results as in a chart compiled at run time from the same definition.

#include <tests/constant/both_kinds.hpp>

#include <string>

using namespace test;

namespace {

struct parcel {
    std::string text = "something that does not fit into a pointer";
};
struct unknown {};

template <int Event, token Name>
constexpr auto sends = [](trace_context& w) {
    w.note(Name.text);
    if (w.self) w.note(to_string(w.self->process(Event)));
};

template <class Root> constexpr void define(Root& root) {
    auto& m = add_machine<"m">(root).template defer<parcel>();
    auto& a = add<"a">(m);
    auto& b = add<"b">(m);
    auto& c = add<"c">(root);
    root.on(hsm::any_event).then(notes<"root">);
    root.on_unhandled(notes<"unhandled">);
    root.on(key::A).when(&trace_context::go).then(notes<"root A">);
    m.on(hsm::any_event).then(notes<"m">).when([](const trace_context& w) { return w.count < 2; });
    m.on(hsm::any_event).priority(1).when(&trace_context::ready).then(notes<"m first">);
    a.to(b).on(hsm::any_event).when(&trace_context::go).then(sends<1, "to b">);
    b.to(c).on(hsm::range(key::C, key::D));
    b.on(key::B).then(sends<5, "b">);
    b.to(a).on(hsm::any_event).unless_in(m).when(&trace_context::ready);
    c.to(a).on(key::A);
}
constexpr auto outer_first = hsm::constant_chart<trace_context>([](auto& root) { define(root); });
constexpr auto inner_first = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define(root); });

template <class Root> constexpr void define_regions(Root& root) {
    auto& p = root.add_parallel("p");
    auto& one = add_machine<"one">(p);
    auto& two = add_machine<"two">(p);
    auto& a = add<"a">(one);
    auto& b = add<"b">(one);
    auto& c = add<"c">(two);
    p.on(hsm::any_event).then(notes<"p">);
    root.on_unhandled(notes<"unhandled">);
    a.to(b).on(hsm::any_event).when(&trace_context::go).after(hsm::time_span::from_nanoseconds(5));
    c.on(hsm::any_event).in(a).when(&trace_context::ready).then(notes<"c">);
    c.on(key::A).then(notes<"c A">);
    one.to(two).on(key::H);
}
constexpr auto outer_regions = hsm::constant_chart<trace_context>([](auto& root) { define_regions(root); });
constexpr auto inner_regions = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) { define_regions(root); });

/// No state waits for all of its transitions on any_event, and one of them is held.
constexpr auto held = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root).hold();
    auto& b = add<"b">(root);
    a.to(b).on(hsm::any_event);
    root.on_unhandled(notes<"unhandled">);
    b.to(a).on(hsm::any_event).when(&trace_context::go);
    root.on(key::A).when(&trace_context::ready);
    root.to(b).on(key::B).force();
});

using queues = hsm::queue<4, 4, 4>;

template <class Machine> std::string process(Machine& m, const auto& event) {
    auto text = m.process(event);
    return text + " " + std::string(to_string(m.last()));
}

} // namespace

TEST_CASE("a constant chart offers declined events to any_event, innermost states first, in both orders") {
    const auto play = [](auto& m) {
        m.start();
        CHECK(process(m, unknown{}) == "m internal");
        CHECK(process(m, key::A) == "m internal");
        m.set(&trace_context::ready);
        CHECK(process(m, key::I) == "m first internal");
        CHECK(process(m, parcel{}) == " deferred");
        m.set(&trace_context::ready, false), m.set_count(2);
        CHECK(process(m, key::A) == "root internal");
        m.set(&trace_context::go);
        CHECK(process(m, key::A) == "root A internal");
        CHECK(process(m, unknown{}) == "X a, to b, queued, E b, b, queued, root taken"); // B is in the queue, then F
        CHECK(process(m, key::D) == "X b, X m, E c, root taken");                        // any_event takes the recalled parcel
        CHECK(process(m, key::I) == "root internal");
    };
    same_text<outer_first, queues> outer;
    same_text<inner_first, queues> inner;
    play(outer), play(inner);
}

TEST_CASE("the queues of a constant instance accept each value of a known type for any_event, but no other types") {
    same_text<outer_first, queues> m;
    m.start();
    CHECK(m.both([](auto& agent) { return agent.post(key::I); }) == "");
    CHECK(m.last() == hsm::result::queued);
    CHECK(m.both([](auto& agent) { return agent.post(unknown{}); }) == "");
    CHECK(m.last() == hsm::result::unhandled);
    CHECK(m.tick() == "m, U m, U a");
}

TEST_CASE("with regions, one transition on any_event of a constant chart fires, of the innermost state") {
    const auto play = [](auto& m) {
        m.start();
        CHECK(process(m, unknown{}) == "p internal");
        m.set(&trace_context::ready);
        CHECK(process(m, unknown{}) == "c internal");
        CHECK(process(m, key::A) == "c A internal");
        m.set(&trace_context::go);
        CHECK(process(m, key::I) == "c internal");
        m.both([](auto& agent) { return agent.tick(hsm::time_span::from_nanoseconds(5)); });
        CHECK(process(m, key::I) == "X a, E b taken");
        CHECK(process(m, key::I) == "p internal");
    };
    same_text<outer_regions> outer;
    same_text<inner_regions> inner;
    play(outer), play(inner);
}

TEST_CASE("a held or refused transition on any_event makes an event of a constant chart guarded") {
    same_text<held> m;
    m.start();
    CHECK(process(m, unknown{}) == " guarded");
    CHECK(process(m, key::A) == " guarded");
    m.both([](auto& agent) { return agent.release(); });
    CHECK(process(m, unknown{}) == "X a, E b taken");
    CHECK(process(m, unknown{}) == " guarded");
    m.stop(), m.start();
    m.set(&trace_context::ready);
    CHECK(process(m, key::A) == " internal");
    CHECK(process(m, key::B) == "X a, E b taken");
}

TEST_CASE("observers of a constant chart see transitions on any_event") {
    both_kinds<outer_first, queues> both;
    both([](auto& agent) { agent.start(); });
    for (const auto k : {key::A, key::I, key::B, key::C}) {
        both([&](auto& agent) { agent.process(k); });
        both([](auto& agent) { agent.process(unknown{}); });
        both([](auto& agent) { agent.context().go = true, agent.post(key::H), agent.tick(hsm::time_span()); });
    }
}

namespace {

constexpr auto bytes = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).on('x');
    b.to(a).on(hsm::any_event).then(notes<"any">);
    root.on_unhandled(notes<"unhandled">);
});
constexpr auto recalls = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("a").defer(key::A);
    auto& b = root.add("b");
    a.to(b).on(key::B);
    b.to(a).on(key::C);
    root.on_unhandled(notes<"unhandled">);
});

} // namespace

TEST_CASE("feed of a constant instance offers bytes to any_event and on_unhandled") {
    same_text<bytes> m;
    m.start();
    auto& agent = m.constant_agent();
    CHECK(agent.feed("axyz", 4) == 4);
    CHECK(agent.context().take() == "unhandled, any, unhandled");
}

TEST_CASE("a recalled event that no transition of a constant chart takes does not run on_unhandled") {
    same_text<recalls> m;
    m.start();
    CHECK(process(m, key::A) == " deferred");
    CHECK(process(m, key::B) == " taken");
    CHECK(process(m, key::C) == " taken");
}
