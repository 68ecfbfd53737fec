/// The document of samek_scxml.hpp as a chart: loaded, and built in code.
#pragma once

#include "machine.hpp"
#include "samek.hpp"
#include "samek_scxml.hpp"

#include <hsm/scxml/scxml.hpp>

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace samek {

inline constexpr std::array<std::string_view, 9> event_names{"A", "B", "C", "D", "E", "F", "G", "H", "I"};

inline constexpr std::uint64_t scxml_checksum = 0x51d9277340a0fe20; ///< of random events
/// The counters of the document, by the names of its elements.
template <class Context> struct counters : hsm::registry<Context> {
    template <state State> void of_state(std::string_view name) {
        this->hook(fmt::format("{}_entered", name), [](Context&) { entered(State); });
        this->hook(fmt::format("{}_exited", name), [](Context&) { exited(State); });
        this->hook(fmt::format("{}_chosen", name), [](Context&) { chosen(State); });
    }
    template <action Action> void of_action(std::string_view name) {
        this->hook(std::string(name), [](Context&) { acted(Action); });
    }
    counters() {
        of_state<s>("s"), of_state<s1>("s1"), of_state<s11>("s11"), of_state<s2>("s2"), of_state<s21>("s21"), of_state<s211>("s211");
        of_action<s_E>("s_E"), of_action<s_I>("s_I");
        of_action<s1_A>("s1_A"), of_action<s1_B>("s1_B"), of_action<s1_C>("s1_C"), of_action<s1_D>("s1_D"), of_action<s1_F>("s1_F");
        of_action<s1_I>("s1_I"), of_action<s11_D>("s11_D"), of_action<s11_G>("s11_G"), of_action<s11_H>("s11_H");
        of_action<s2_C>("s2_C"), of_action<s2_F>("s2_F"), of_action<s2_I>("s2_I");
        of_action<s21_A>("s21_A"), of_action<s21_B>("s21_B"), of_action<s21_G>("s21_G");
        of_action<s211_D>("s211_D"), of_action<s211_H>("s211_H");
    }
};

/// With the options that a document brings along.
inline constexpr hsm::compile_options scxml_options_in_code = [] {
    auto options = bench::without_times;
    options.order = hsm::decision_order::substate_first;
    options.remember_finals = true;
    options.done_events = true;
    options.guard_error = "error.execution";
    return options;
}();

template <class Context> hsm::chart<Context> load(bool counted) {
    static const counters<Context> names;
    return hsm::compile(hsm::load_scxml_text<Context>(scxml_document(counted), "samek.scxml", {}, &names), bench::without_times);
}

/// What In() is in code: a guard sees its context only, which has to know the instance.
struct in_code {
    const hsm::instance<in_code>* agent = nullptr;
};

/// Built in code.
inline hsm::chart<in_code> build(bool counted) {
    auto root = hsm::make_fsm<in_code>("samek");
    auto& both = root->add_parallel("both");
    auto& top = both.add_fsm("top");
    auto& flag = both.add_fsm("flag");
    auto& bar = flag.add("bar");
    auto& foo = flag.add("foo");

    const auto hooks = [&]<state State>(auto& node) {
        if (counted) node.on_enter([](in_code&) { entered(State); }).on_exit([](in_code&) { exited(State); });
    };
    const auto does = [&]<class Transition>(Transition&& t, auto action) {
        if (counted) t.then(action);
    };
    const auto in = [](const auto& node) { return [&node](const in_code& c) { return c.agent->is_in(node); }; };
    auto& n = top.add_fsm("s");
    auto& n1 = n.add_fsm("s1");
    auto& n11 = n1.add("s11");
    auto& n2 = n.add_fsm("s2");
    auto& n21 = n2.add_fsm("s21");
    auto& n211 = n21.add("s211");
    hooks.template operator()<s>(n);
    hooks.template operator()<s1>(n1);
    hooks.template operator()<s11>(n11);
    hooks.template operator()<s2>(n2);
    hooks.template operator()<s21>(n21);
    hooks.template operator()<s211>(n211);

    const auto choice = [](state of) { return [of](in_code&) { chosen(of); }; };
    top.initial(n2);
    does(n.initial(n11), choice(s));
    does(n1.initial(n11), choice(s1));
    does(n2.initial(n211), choice(s2));
    does(n21.initial(n211), choice(s21));

    const auto act = [](action a) { return [a](in_code&) { acted(a); }; };
    does(n.to(n11).on("E"), act(s_E));
    does(n.on("I").when(in(foo)), act(s_I));
    does(n1.to(n1).on("A"), act(s1_A));
    does(n1.to(n11).on("B"), act(s1_B));
    does(n1.to(n2).on("C"), act(s1_C));
    does(n1.to(n).on("D").when(in(bar)).external(), act(s1_D));
    does(n1.to(n211).on("F"), act(s1_F));
    does(n1.on("I"), act(s1_I));
    does(n11.to(n1).on("D").when(in(foo)).external(), act(s11_D));
    does(n11.to(n211).on("G"), act(s11_G));
    does(n11.to(n).on("H").external(), act(s11_H));
    does(n2.to(n1).on("C"), act(s2_C));
    does(n2.to(n11).on("F"), act(s2_F));
    does(n2.on("I").when(in(bar)), act(s2_I));
    does(n21.to(n21).on("A"), act(s21_A));
    does(n21.to(n211).on("B"), act(s21_B));
    does(n21.to(n1).on("G"), act(s21_G));
    does(n211.to(n21).on("D").external(), act(s211_D));
    does(n211.to(n).on("H").external(), act(s211_H));
    bar.to(foo).on("D").when(in(n1));
    bar.to(foo).on("I").when(in(n2));
    foo.to(bar).on("D").when(in(n11));
    foo.to(bar).on("I").when(in(n2));
    return hsm::compile(std::move(root), scxml_options_in_code);
}

} // namespace samek
