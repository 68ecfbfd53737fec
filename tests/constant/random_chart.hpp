/// Parts of the definitions that emit.cpp writes. Plays each definition as a constant chart and as a chart that is compiled at run time, with
/// the same inputs.
#pragma once

#include <hsm/constant/observed_instance.hpp>
#include <hsm/hsm.hpp>
#include <hsm/run/error.hpp>
#include <tests/support/differential/plan.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <string>

namespace random_chart {

struct hit {};
struct parcel {
    std::string text = "something that does not fit into a pointer";
};
struct ping {};
struct pong {};
struct unexpected {};
enum class key { up, down, left };
enum class far_apart { low = -5, high = 1'000'000 };

struct world;
struct agent {
    virtual ~agent() = default;
    virtual hsm::result process(int event) = 0;
    virtual hsm::result stop() = 0;
};

struct world {
    std::string trace;
    std::uint32_t bits = 0;
    agent* self = nullptr;
    bool has(int bit) const { return bits >> bit & 1; }
};

using differential::act;
using differential::none;

template <char Kind, int Token, int Act, int What, int Bit>
constexpr auto hook = [](world& w) {
    w.trace += Kind + std::to_string(Token) + " ";
    if (Bit != none && !w.has(Bit)) return;
    if constexpr (Act == static_cast<int>(act::process)) w.trace += "<" + std::string(to_string(w.self->process(What))) + "> ";
    if constexpr (Act == static_cast<int>(act::stop)) w.trace += "<" + std::string(to_string(w.self->stop())) + "> ";
    if constexpr (Act == static_cast<int>(act::flip)) w.bits ^= 1u << What;
};
/// Records its call in the trace only, because a guard must not change the machine.
template <int Token, int Bit, bool Wanted>
constexpr auto guard = [](const world& w) {
    const_cast<world&>(w).trace += "g" + std::to_string(Token) + " ";
    return w.has(Bit) == Wanted;
};
template <int Token, int Bit, long Value>
constexpr auto score = [](const world& w) {
    const_cast<world&>(w).trace += "V" + std::to_string(Token) + " ";
    return Bit != none && w.has(Bit) ? 2.0 * Value - 5 : Value;
};
constexpr auto always = [](const world&) { return true; };

struct input {
    int does, what, amount;
    std::uint32_t flips;
};

template <class Agent> hsm::result process(Agent& a, int event) {
    switch (event) {
    case 0: return a.process(hit{});
    case 1: return a.process(parcel{});
    case 2: return a.process(key::up);
    case 3: return a.process(key::down);
    case 4: return a.process(key::left);
    case 5: return a.process(far_apart::low);
    case 6: return a.process(far_apart::high);
    case 7: return a.process(ping{});
    case 8: return a.process(pong{});
    default: return a.process(unexpected{});
    }
}

template <class Agent> hsm::result give(Agent& a, const input& in) {
    using differential::input;
    const auto time = hsm::time_span::from_nanoseconds(in.amount);
    switch (static_cast<input>(in.does)) {
    case input::start: return a.start();
    case input::stop: return a.stop();
    case input::update: return a.update(time);
    case input::decide: return a.decide();
    case input::process:
    case input::post:
    case input::can: return process(a, in.what);
    case input::revive:
        if (a.finished()) a.stop();
        return a.start();
    default: return a.tick(time);
    }
}

/// Executes an input. Returns the trace, the result and the active state.
template <class Agent> std::string seen(Agent& a, world& w, const input& in) {
    w.bits ^= in.flips;
    std::string outcome;
    try {
        outcome = to_string(give(a, in));
    } catch (const hsm::chain_error& e) {
        outcome = e.report().problem;
    }
    const std::string state = a.current() ? std::string(a.current().path()) : "none";
    return std::exchange(w.trace, "") + "-> " + outcome + " in " + state + (a.finished() ? " finished" : "");
}

template <class Agent> struct on_stage final : agent {
    on_stage() : a(w) { w.self = this; }
    explicit on_stage(test::text_observer& log) : a(w, log) { w.self = this; }
    template <class Chart> on_stage(const Chart& chart, const hsm::instance_options& options) : a(chart, w, options) { w.self = this; }
    hsm::result process(int event) override { return random_chart::process(a, event); }
    hsm::result stop() override { return a.stop(); }

    world w;
    Agent a;
};

inline void compare(std::uint64_t seed, std::size_t step, const std::string& constant, const std::string& ordinary) {
    CAPTURE(seed);
    CAPTURE(step);
    CHECK(constant == ordinary);
}

/// A constant chart and an ordinary chart differ in whether they report a tick without any work. Removes these ticks.
inline std::string without_idle_ticks(std::string text) {
    const std::string idle = "call tick, -> unhandled";
    for (auto at = text.find(idle); at != std::string::npos; at = text.find(idle, at)) text.erase(at, idle.size());
    return text;
}

/// `Observed`: both machines have an observer, and the records must be equal.
template <auto Chart, bool Observed, std::size_t Inputs> void play(std::uint64_t seed, const input (&inputs)[Inputs]) {
    using constant_agent =
        std::conditional_t<Observed, hsm::constant_instance<Chart, hsm::queue<4>, test::text_observer>, hsm::constant_instance<Chart, hsm::queue<4>>>;
    auto root = hsm::make_fsm<world>("s0");
    typename decltype(Chart)::definition{}(*root);
    const auto chart = hsm::compile(std::move(root), {.order = Chart.order});
    on_stage<hsm::instance<world>> ordinary(chart, hsm::instance_options{.internal_queue = 4});
    test::text_observer ordinary_log, constant_log;
    auto constant = [&] {
        if constexpr (Observed)
            return on_stage<constant_agent>(constant_log);
        else
            return on_stage<constant_agent>();
    }();
    const auto attached = Observed ? ordinary.a.attach(ordinary_log) : hsm::attachment();
    for (std::size_t i = 0; i < Inputs; ++i) {
        auto expected = seen(ordinary.a, ordinary.w, inputs[i]);
        auto found = seen(constant.a, constant.w, inputs[i]);
        if constexpr (Observed) {
            expected += " records " + without_idle_ticks(ordinary_log.take());
            found += " records " + without_idle_ticks(constant_log.take());
        }
        compare(seed, i, found, expected);
        if (found != expected) return; // later differences would only follow from this one
    }
}

} // namespace random_chart

using namespace random_chart;
