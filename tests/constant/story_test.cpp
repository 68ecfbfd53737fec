// The walkthrough and Samek's test machine of docs/reference/semantics.md, run on both kinds of charts from one definition.

#include <tests/constant/both_kinds.hpp>

using namespace test;

namespace {

// --- the walkthrough: go is its jump ---

bool c0 = false, c1 = false, c11 = false;

template <bool Polled>
constexpr auto walkthrough = hsm::constant_chart<trace_context>([](auto& root) {
    traced<"root">(root).named("root");
    auto& s0 = add_machine<"s0">(root);
    auto& s1 = add_machine<"s1">(s0);
    auto& s11 = add<"s11">(s1);
    auto& s2 = add_machine<"s2">(s0);
    auto& s21 = add_machine<"s21">(s2);
    auto& s211 = add<"s211">(s21);
    root.dispatch(s0).when([](const trace_context&) { return c0; });
    s0.dispatch(s1).when([](const trace_context&) { return c1; });
    s1.dispatch(s11).when([](const trace_context&) { return c11; });
    s2.dispatch(s21);
    s21.dispatch(s211);
    if (Polled)
        s11.to(s211).when(&trace_context::go);
    else
        s11.to(s211).on(key::A);
});

// --- Samek's machine: go is its foo ---

template <token Text, bool Value>
constexpr auto sets = [](trace_context& w) {
    w.go = Value;
    w.note(Text.text);
};
template <token Name, class State> constexpr State& plain(State& state) {
    return state.on_enter([](trace_context& w) { w.note(std::string(Name.text) + "-ENTRY"); }).on_exit([](trace_context& w) {
        w.note(std::string(Name.text) + "-EXIT");
    });
}

constexpr auto define_samek = [](auto& top) {
    constexpr auto foo = &trace_context::go;
    auto& s = top.add_fsm("s");
    auto& s1 = s.add_fsm("s1");
    auto& s11 = s1.add("s11");
    auto& s2 = s.add_fsm("s2");
    auto& s21 = s2.add_fsm("s21");
    auto& s211 = s21.add("s211");
    plain<"s">(s), plain<"s1">(s1), plain<"s11">(s11), plain<"s2">(s2), plain<"s21">(s21), plain<"s211">(s211);

    top.initial(s2).then(sets<"top-INIT", false>);
    s.initial(s11).then(notes<"s-INIT">);
    s1.initial(s11).then(notes<"s1-INIT">);
    s2.initial(s211).then(notes<"s2-INIT">);
    s21.initial(s211).then(notes<"s21-INIT">);

    s.to(s11).on(key::E).then(notes<"s-E">);
    s.on(key::I).when(foo).then(sets<"s-I", false>);
    s1.to(s1).on(key::A).then(notes<"s1-A">);
    s1.to(s11).on(key::B).then(notes<"s1-B">);
    s1.to(s2).on(key::C).then(notes<"s1-C">);
    s1.to(s).on(key::D).when(hsm::no(foo)).then(sets<"s1-D", true>);
    s1.to(s211).on(key::F).then(notes<"s1-F">);
    s1.on(key::I).then(notes<"s1-I">);
    s11.to(s1).on(key::D).when(foo).then(sets<"s11-D", false>);
    s11.to(s211).on(key::G).then(notes<"s11-G">);
    s11.to(s).on(key::H).then(notes<"s11-H">);
    s2.to(s1).on(key::C).then(notes<"s2-C">);
    s2.to(s11).on(key::F).then(notes<"s2-F">);
    s2.on(key::I).when(hsm::no(foo)).then(sets<"s2-I", true>);
    s21.to(s21).on(key::A).then(notes<"s21-A">);
    s21.to(s211).on(key::B).then(notes<"s21-B">);
    s21.to(s1).on(key::G).then(notes<"s21-G">);
    s211.to(s21).on(key::D).then(notes<"s211-D">);
    s211.to(s).on(key::H).then(notes<"s211-H">);
};
constexpr auto samek = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>(define_samek);
constexpr auto samek_outer_first = hsm::constant_chart<trace_context>(define_samek);

} // namespace

TEST_CASE("the walkthrough runs with polled transitions") {
    c0 = c1 = c11 = false;
    same_text<walkthrough<true>> m;
    CHECK(m.start() == "E root");
    CHECK(m.tick() == "U root");
    c0 = true;
    CHECK(m.tick() == "U root, E s0, U s0");
    c1 = true;
    CHECK(m.tick() == "U root, U s0, E s1, U s1");
    c11 = true;
    CHECK(m.tick() == "U root, U s0, U s1, E s11, U s11");
    CHECK(m.tick() == "U root, U s0, U s1, U s11");
    m.set(&trace_context::go);
    CHECK(m.tick() == "U root, U s0, X s11, X s1, E s2, E s21, E s211, U s2, U s21, U s211");
    CHECK(m.path() == "root/s0/s2/s21/s211");
    CHECK(m.stop() == "X s211, X s21, X s2, X s0, X root");
}

TEST_CASE("the walkthrough runs with an event and with all conditions set") {
    c0 = c1 = c11 = false;
    same_text<walkthrough<false>> m;
    m.start();
    c0 = c1 = c11 = true;
    CHECK(m.tick() == "U root, E s0, E s1, E s11, U s0, U s1, U s11");
    CHECK(m.process(key::A) == "X s11, X s1, E s2, E s21, E s211");
    CHECK(m.tick() == "U root, U s0, U s2, U s21, U s211");
    CHECK(m.process(key::A) == "");
    CHECK(m.last() == hsm::result::unhandled);
}

TEST_CASE("Samek's test machine produces the expected trace") {
    same_text<samek> m;
    CHECK(m.start() == "top-INIT, s-ENTRY, s2-ENTRY, s2-INIT, s21-ENTRY, s211-ENTRY");
    CHECK(m.process(key::A) == "s211-EXIT, s21-EXIT, s21-A, s21-ENTRY, s21-INIT, s211-ENTRY");
    CHECK(m.process(key::B) == "s211-EXIT, s21-B, s211-ENTRY");
    CHECK(m.process(key::D) == "s211-EXIT, s211-D, s21-INIT, s211-ENTRY");
    CHECK(m.process(key::E) == "s211-EXIT, s21-EXIT, s2-EXIT, s-E, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::I) == "s1-I");
    CHECK(m.process(key::F) == "s11-EXIT, s1-EXIT, s1-F, s2-ENTRY, s21-ENTRY, s211-ENTRY");
    CHECK(m.process(key::I) == "s2-I");
    CHECK(m.process(key::I) == "s-I");
    CHECK(m.process(key::F) == "s211-EXIT, s21-EXIT, s2-EXIT, s2-F, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::A) == "s11-EXIT, s1-EXIT, s1-A, s1-ENTRY, s1-INIT, s11-ENTRY");
    CHECK(m.process(key::B) == "s11-EXIT, s1-B, s11-ENTRY");
    CHECK(m.process(key::D) == "s11-EXIT, s1-EXIT, s1-D, s-INIT, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::D) == "s11-EXIT, s11-D, s1-INIT, s11-ENTRY");
    CHECK(m.process(key::E) == "s11-EXIT, s1-EXIT, s-E, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::G) == "s11-EXIT, s1-EXIT, s11-G, s2-ENTRY, s21-ENTRY, s211-ENTRY");
    CHECK(m.process(key::H) == "s211-EXIT, s21-EXIT, s2-EXIT, s211-H, s-INIT, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::H) == "s11-EXIT, s1-EXIT, s11-H, s-INIT, s1-ENTRY, s11-ENTRY");
    CHECK(m.process(key::C) == "s11-EXIT, s1-EXIT, s1-C, s2-ENTRY, s2-INIT, s21-ENTRY, s211-ENTRY");
    CHECK(m.process(key::G) == "s211-EXIT, s21-EXIT, s2-EXIT, s21-G, s1-ENTRY, s1-INIT, s11-ENTRY");
    CHECK(m.process(key::C) == "s11-EXIT, s1-EXIT, s1-C, s2-ENTRY, s2-INIT, s21-ENTRY, s211-ENTRY");
    CHECK(m.process(key::C) == "s211-EXIT, s21-EXIT, s2-EXIT, s2-C, s1-ENTRY, s1-INIT, s11-ENTRY");
}

TEST_CASE("Samek's test machine distinguishes the decision orders") {
    same_text<samek> inner;
    inner.start();
    inner.process(key::E), inner.process(key::D);
    CHECK(inner.process(key::I) == "s1-I");
    same_text<samek_outer_first> outer;
    outer.start();
    outer.process(key::E), outer.process(key::D);
    CHECK(outer.process(key::I) == "s-I");
}

namespace {

template <hsm::decision_order Order, bool Periodic>
constexpr auto chooses_again = hsm::constant_chart<trace_context, Order>([](auto& root) {
    auto& m = add_machine<"m">(root).choose(hsm::best).stay_bonus(2);
    if (Periodic)
        m.rechoose_every(hsm::time_span::from_nanoseconds(40'000'000));
    else
        m.rechoose();
    auto &a = add<"a">(m), &b = add<"b">(m), &c = add<"c">(m);
    m.to(c).when(&trace_context::ready);
    m.dispatch(a).weight(3);
    m.dispatch(b).score([](const trace_context& w) { return w.count; }).then(notes<"to b">);
    m.dispatch(c).priority(1).when(&trace_context::go);
    m.to(root.add("out")).on(key::A);
});

template <hsm::decision_order Order> void play_again() {
    same_text<chooses_again<Order, false>> t;
    t.set_count(4);
    CHECK(t.start() == "E m, to b, E b");
    t.set_count(2);
    const bool inner_first = Order == hsm::decision_order::substate_first;
    CHECK(t.tick() == "U m, U b"); // 3 for a, 2 + 2 for b
    t.set_count(0);
    CHECK(t.tick() == (inner_first ? "X b, E a, U m, U a" : "U m, X b, E a, U a"));
    t.set(&trace_context::go);
    CHECK(t.tick() == (inner_first ? "X a, E c, U m, U c" : "U m, X a, E c, U c"));
    t.set(&trace_context::go, false), t.set(&trace_context::ready);
    CHECK(t.tick() == "U m, U c"); // a satisfied transition of the machine comes first
    t.set(&trace_context::ready, false);
    CHECK(t.tick() == (inner_first ? "X c, E a, U m, U a" : "U m, X c, E a, U a"));
}

} // namespace

TEST_CASE("a machine of a constant chart chooses again in each tick") {
    play_again<hsm::decision_order::superstate_first>();
    play_again<hsm::decision_order::substate_first>();
}

TEST_CASE("a machine of a constant chart chooses again after each period") {
    same_text<chooses_again<hsm::decision_order::superstate_first, true>> t;
    CHECK(t.start() == "E m, E a");
    t.set_count(9);
    CHECK(t.tick() == "U m, U a");
    CHECK(t.tick() == "U m, U a");
    CHECK(t.tick() == "U m, X a, to b, E b, U b"); // after 48 ms; the next period ends after 88 ms
    t.set_count(0);
    CHECK(t.tick() == "U m, U b");
    CHECK(t.tick() == "U m, U b");
    CHECK(t.tick() == "U m, X b, E a, U a");
    both_kinds<chooses_again<hsm::decision_order::superstate_first, true>> records;
    records([](auto& agent) { agent.start(), agent.context().count = 9; });
    records([](auto& agent) { agent.tick(hsm::time_span::from_nanoseconds(50'000'000)); });
}
