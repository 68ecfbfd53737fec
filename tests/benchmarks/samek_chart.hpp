/// The machine of samek.hpp as a chart of this library.
#pragma once

#include "machine.hpp"
#include "samek.hpp"

namespace samek {

struct bench_context {
    bool foo = false;
    bool other_foo = false; ///< of a second machine beside the first
};
using flag = bool bench_context::*;

template <state State, class Node> constexpr Node& counted(Node& node) {
    node.on_enter([](bench_context&) { entered(State); }).on_exit([](bench_context&) { exited(State); });
    return node;
}
template <state State, class Machine, class Node> constexpr void choosing(Machine& machine, const Node& target) {
    machine.initial(target).then([](bench_context&) { chosen(State); });
}
template <action Action> constexpr auto does = [](bench_context&) { acted(Action); };

template <action Action, flag Foo, bool Value>
constexpr auto sets = [](bench_context& b) {
    b.*Foo = Value;
    acted(Action);
};

/// Of a chart that is made when the program runs, or of a constant one.
template <flag Foo, class Machine> constexpr void define(Machine& top) {
    constexpr auto foo = Foo;
    auto& n = counted<s>(top.add_fsm("s"));
    auto& n1 = counted<s1>(n.add_fsm("s1"));
    auto& n11 = counted<s11>(n1.add("s11"));
    auto& n2 = counted<s2>(n.add_fsm("s2"));
    auto& n21 = counted<s21>(n2.add_fsm("s21"));
    auto& n211 = counted<s211>(n21.add("s211"));

    top.initial(n2);
    choosing<s>(n, n11);
    choosing<s1>(n1, n11);
    choosing<s2>(n2, n211);
    choosing<s21>(n21, n211);

    n.to(n11).on(key::E).then(does<s_E>);
    n.on(key::I).when(foo).then(sets<s_I, Foo, false>);
    n1.to(n1).on(key::A).then(does<s1_A>);
    n1.to(n11).on(key::B).then(does<s1_B>);
    n1.to(n2).on(key::C).then(does<s1_C>);
    n1.to(n).on(key::D).when(hsm::no(foo)).then(sets<s1_D, Foo, true>);
    n1.to(n211).on(key::F).then(does<s1_F>);
    n1.on(key::I).then(does<s1_I>);
    n11.to(n1).on(key::D).when(foo).then(sets<s11_D, Foo, false>);
    n11.to(n211).on(key::G).then(does<s11_G>);
    n11.to(n).on(key::H).then(does<s11_H>);
    n2.to(n1).on(key::C).then(does<s2_C>);
    n2.to(n11).on(key::F).then(does<s2_F>);
    n2.on(key::I).when(hsm::no(foo)).then(sets<s2_I, Foo, true>);
    n21.to(n21).on(key::A).then(does<s21_A>);
    n21.to(n211).on(key::B).then(does<s21_B>);
    n21.to(n1).on(key::G).then(does<s21_G>);
    n211.to(n21).on(key::D).then(does<s211_D>);
    n211.to(n).on(key::H).then(does<s211_H>);
}

inline auto make_chart(hsm::compile_options options) {
    auto top = hsm::make_fsm<bench_context>("top");
    define<&bench_context::foo>(*top);
    options.order = hsm::decision_order::substate_first;
    return hsm::compile(std::move(top), options);
}

/// Two of them side by side.
template <class Machine> constexpr auto& define_two(Machine& top) {
    auto& both = top.add_parallel("both");
    define<&bench_context::foo>(both.add_fsm("left"));
    define<&bench_context::other_foo>(both.add_fsm("right"));
    return both;
}
inline auto make_two(hsm::compile_options options, bool with_third = false) {
    auto top = hsm::make_fsm<bench_context>("top");
    auto& both = define_two(*top);
    if (with_third) both.add("third");
    options.order = hsm::decision_order::substate_first;
    return hsm::compile(std::move(top), options);
}

inline constexpr auto constant = hsm::constant_chart<bench_context, hsm::decision_order::substate_first>([](auto& top) {
    top.named("top");
    define<&bench_context::foo>(top);
});

inline constexpr auto constant_two =
    hsm::constant_chart<bench_context, hsm::decision_order::substate_first>([](auto& top) { define_two(top.named("top")); });

using constant_machine = bench::constant_machine<constant, key>;
using machine = bench::machine<bench_context, key>;

} // namespace samek
