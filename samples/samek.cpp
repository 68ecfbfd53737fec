// Miro Samek's test machine (Practical UML Statecharts in C/C++, 2nd edition, chapter 2): every kind of transition
// between s, s1, s11, s2, s21 and s211, driven by the events A ... I. Like UML, the substate decides first.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <string>
#include <utility>

struct test_bench {
    bool foo = false;
    std::string trace;

    void say(std::string_view token) {
        trace += trace.empty() ? "" : " ";
        trace += token;
    }
};

enum class key { A, B, C, D, E, F, G, H, I };

template <class State> State& talking(State& state) {
    const std::string name(state.name());
    state.on_enter([name](test_bench& t) { t.say(name + "-ENTRY"); });
    state.on_exit([name](test_bench& t) { t.say(name + "-EXIT"); });
    return state;
}

/// Returns an action that writes "<source>-<event>" or "<machine>-INIT", and may set foo.
auto says(std::string token) {
    return [token](test_bench& t) { t.say(token); };
}
auto sets(std::string token, bool foo) {
    return [token, foo](test_bench& t) {
        t.foo = foo;
        t.say(token);
    };
}

auto make_samek(hsm::decision_order order) {
    auto top = hsm::make_fsm<test_bench>("top");
    auto& s = talking(top->add_fsm("s"));
    auto& s1 = talking(s.add_fsm("s1"));
    auto& s11 = talking(s1.add("s11"));
    auto& s2 = talking(s.add_fsm("s2"));
    auto& s21 = talking(s2.add_fsm("s21"));
    auto& s211 = talking(s21.add("s211"));

    top->initial(s2).then(sets("top-INIT", false));
    s.initial(s11).then(says("s-INIT"));
    s1.initial(s11).then(says("s1-INIT"));
    s2.initial(s211).then(says("s2-INIT"));
    s21.initial(s211).then(says("s21-INIT"));

    const auto foo = &test_bench::foo;
    s.to(s11).on<key::E>().then(says("s-E"));
    s.on<key::I>().when(foo).then(sets("s-I", false));
    s1.to(s1).on<key::A>().then(says("s1-A"));
    s1.to(s11).on<key::B>().then(says("s1-B"));
    s1.to(s2).on<key::C>().then(says("s1-C"));
    s1.to(s).on<key::D>().when(hsm::no(foo)).then(sets("s1-D", true));
    s1.to(s211).on<key::F>().then(says("s1-F"));
    s1.on<key::I>().then(says("s1-I"));
    s11.to(s1).on<key::D>().when(foo).then(sets("s11-D", false));
    s11.to(s211).on<key::G>().then(says("s11-G"));
    s11.to(s).on<key::H>().then(says("s11-H"));
    s2.to(s1).on<key::C>().then(says("s2-C"));
    s2.to(s11).on<key::F>().then(says("s2-F"));
    s2.on<key::I>().when(hsm::no(foo)).then(sets("s2-I", true));
    s21.to(s21).on<key::A>().then(says("s21-A"));
    s21.to(s211).on<key::B>().then(says("s21-B"));
    s21.to(s1).on<key::G>().then(says("s21-G"));
    s211.to(s21).on<key::D>().then(says("s211-D"));
    s211.to(s).on<key::H>().then(says("s211-H"));
    return hsm::compile(std::move(top), {.order = order});
}

struct line {
    key event;
    std::string_view trace;
};

constexpr line test_run[] = {
    {key::A, "s211-EXIT s21-EXIT s21-A s21-ENTRY s21-INIT s211-ENTRY"},
    {key::B, "s211-EXIT s21-B s211-ENTRY"},
    {key::D, "s211-EXIT s211-D s21-INIT s211-ENTRY"},
    {key::E, "s211-EXIT s21-EXIT s2-EXIT s-E s1-ENTRY s11-ENTRY"},
    {key::I, "s1-I"},
    {key::F, "s11-EXIT s1-EXIT s1-F s2-ENTRY s21-ENTRY s211-ENTRY"},
    {key::I, "s2-I"},
    {key::I, "s-I"},
    {key::F, "s211-EXIT s21-EXIT s2-EXIT s2-F s1-ENTRY s11-ENTRY"},
    {key::A, "s11-EXIT s1-EXIT s1-A s1-ENTRY s1-INIT s11-ENTRY"},
    {key::B, "s11-EXIT s1-B s11-ENTRY"},
    {key::D, "s11-EXIT s1-EXIT s1-D s-INIT s1-ENTRY s11-ENTRY"},
    {key::D, "s11-EXIT s11-D s1-INIT s11-ENTRY"},
    {key::E, "s11-EXIT s1-EXIT s-E s1-ENTRY s11-ENTRY"},
    {key::G, "s11-EXIT s1-EXIT s11-G s2-ENTRY s21-ENTRY s211-ENTRY"},
    {key::H, "s211-EXIT s21-EXIT s2-EXIT s211-H s-INIT s1-ENTRY s11-ENTRY"},
    {key::H, "s11-EXIT s1-EXIT s11-H s-INIT s1-ENTRY s11-ENTRY"},
    {key::C, "s11-EXIT s1-EXIT s1-C s2-ENTRY s2-INIT s21-ENTRY s211-ENTRY"},
    {key::G, "s211-EXIT s21-EXIT s2-EXIT s21-G s1-ENTRY s1-INIT s11-ENTRY"},
    {key::C, "s11-EXIT s1-EXIT s1-C s2-ENTRY s2-INIT s21-ENTRY s211-ENTRY"},
    {key::C, "s211-EXIT s21-EXIT s2-EXIT s2-C s1-ENTRY s1-INIT s11-ENTRY"},
};

/// Checks which state decides first. After the start and the events E and D, I fires the transition of s1 if substates
/// decide first, and that of s if superstates decide first.
void compare_orders(hsm::decision_order order, std::string_view last, bool foo) {
    const auto chart = make_samek(order);
    test_bench bench;
    hsm::instance agent{chart, bench};
    agent.start();
    agent.process(key::E);
    agent.process(key::D);
    bench.trace.clear();
    agent.process(key::I);
    expect("E D I", bench.trace, last);
    expect("foo", bench.foo ? "true" : "false", foo ? "true" : "false");
}

int main() {
    const auto chart = make_samek(hsm::decision_order::substate_first);
    test_bench bench;
    hsm::instance agent{chart, bench};
    agent.start();
    expect("start", std::exchange(bench.trace, ""), "top-INIT s-ENTRY s2-ENTRY s2-INIT s21-ENTRY s211-ENTRY");
    for (const auto& [event, trace] : test_run) {
        agent.process(event);
        expect(std::string(1, static_cast<char>('A' + static_cast<int>(event))), std::exchange(bench.trace, ""), trace);
    }
    compare_orders(hsm::decision_order::substate_first, "s1-I", true);
    compare_orders(hsm::decision_order::superstate_first, "s-I", false);
}
