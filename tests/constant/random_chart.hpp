/// Parts of the definitions that emit.cpp writes. Plays each definition as a constant chart and as a chart that is compiled at run time, with
/// the same inputs.
#pragma once

#include <hsm/constant/observed_instance.hpp>
#include <hsm/hsm.hpp>
#include <hsm/run/error.hpp>
#include <tests/support/differential/plan.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

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

struct agent {
    virtual ~agent() = default;
    virtual hsm::result process(int event) = 0;
    virtual hsm::result post(int event) = 0;
    virtual hsm::result stop() = 0;
    virtual void change(int condition, hsm::condition_change to) = 0; ///< nothing if the chart does not have it
};

struct world;
/// The context of machines over a part of the world.
struct part {
    world* whole;
};
struct world {
    std::string trace;
    std::uint32_t bits = 0;
    agent* self = nullptr;
    random_chart::part part{this};
    bool has(int bit) const { return bits >> bit & 1; }
};

using differential::act;
using differential::none;

template <char Kind, int Token, int Act, int What, int Bit>
constexpr auto hook = [](world& w) {
    w.trace += Kind + std::to_string(Token) + " ";
    if (Bit != none && !w.has(Bit)) return;
    if constexpr (Act == static_cast<int>(act::process)) w.trace += "<" + std::string(to_string(w.self->process(What))) + "> ";
    if constexpr (Act == static_cast<int>(act::post)) w.trace += "<" + std::string(to_string(w.self->post(What))) + "> ";
    if constexpr (Act == static_cast<int>(act::stop)) w.trace += "<" + std::string(to_string(w.self->stop())) + "> ";
    if constexpr (Act == static_cast<int>(act::set_condition)) w.self->change(What, hsm::condition_change::on);
    if constexpr (Act == static_cast<int>(act::clear_condition)) w.self->change(What, hsm::condition_change::off);
    if constexpr (Act == static_cast<int>(act::pulse_condition)) w.self->change(What, hsm::condition_change::pulse);
    if constexpr (Act == static_cast<int>(act::flip)) w.bits ^= 1u << What;
};
template <char Kind, int Token, int Act, int What, int Bit>
constexpr auto change = [](world& w, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
    w.trace += from.path() + ">" + std::string(to.name()) + " " + std::string(to_string(why)) + " ";
    hook<Kind, Token, Act, What, Bit>(w);
};
/// Records its call in the trace only, because a guard must not change the machine.
template <int Token, int Bit, bool Wanted>
constexpr auto guard = [](const world& w) {
    const_cast<world&>(w).trace += "g" + std::to_string(Token) + " ";
    return w.has(Bit) == Wanted;
};
/// A local. Those of type 1 can finish their states.
template <int Type> struct tally {
    int count = 10 * Type;
    std::string text = "something that does not fit into a pointer";
};
template <> struct tally<1> {
    int count = 0;
    std::string text = "something that does not fit into a pointer";
    void update(world& w) { w.trace += "u" + std::to_string(++count) + " "; }
    bool finished(const world& w) const {
        const_cast<world&>(w).trace += "f ";
        return count % 3 == 2;
    }
};
template <char Kind, int Token, int Act, int What, int Bit, int Type>
constexpr auto counting_hook = [](world& w, tally<Type>& t) {
    w.trace += std::to_string(++t.count) + t.text.substr(0, 1);
    hook<Kind, Token, Act, What, Bit>(w);
};
template <int Token, int Bit, bool Wanted, int Type>
constexpr auto counting_guard = [](const tally<Type>& t, const world& w) {
    const_cast<world&>(w).trace += std::to_string(t.count);
    return guard<Token, Bit, Wanted>(w);
};
template <int Token, int Bit, long Value>
constexpr auto score = [](const world& w) {
    const_cast<world&>(w).trace += "V" + std::to_string(Token) + " ";
    return Bit != none && w.has(Bit) ? 2.0 * Value - 5 : Value;
};
template <int Token, int Bit, long Value>
constexpr auto delay = [](const world& w) {
    const_cast<world&>(w).trace += "T" + std::to_string(Token) + " ";
    return hsm::time_span::from_nanoseconds(Bit != none && w.has(Bit) ? 2 * Value - 5 : Value);
};
constexpr auto always = [](const world&) { return true; };

// The same for states of a machine over a part of the world.
constexpr auto part_of = [](world& w) -> part& { return w.part; };
template <auto... Values> constexpr auto part_hook = [](part& p) { hook<Values...>(*p.whole); };
template <auto... Values> constexpr auto part_change = [](part& p, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
    change<Values...>(*p.whole, from, to, why);
};
template <auto... Values> constexpr auto part_guard = [](const part& p) { return guard<Values...>(*p.whole); };
template <auto... Values> constexpr auto part_score = [](const part& p) { return score<Values...>(*p.whole); };
template <auto... Values> constexpr auto part_delay = [](const part& p) { return delay<Values...>(*p.whole); };
template <char Kind, int Token, int Act, int What, int Bit, int Type>
constexpr auto part_counting_hook = [](part& p, tally<Type>& t) { counting_hook<Kind, Token, Act, What, Bit, Type>(*p.whole, t); };
template <int Token, int Bit, bool Wanted, int Type>
constexpr auto part_counting_guard = [](const tally<Type>& t, const part& p) { return counting_guard<Token, Bit, Wanted, Type>(t, *p.whole); };
constexpr auto part_always = [](const part&) { return true; };

struct input {
    int does, what, amount;
    std::uint32_t flips, turned, pulsed;
};

/// Returns give(event).
template <class Give> hsm::result with_event(int event, Give give) {
    switch (event) {
    case 0: return give(hit{});
    case 1: return give(parcel{});
    case 2: return give(key::up);
    case 3: return give(key::down);
    case 4: return give(key::left);
    case 5: return give(far_apart::low);
    case 6: return give(far_apart::high);
    case 7: return give(ping{});
    case 8: return give(pong{});
    default: return give(unexpected{});
    }
}
template <class Agent> hsm::result process(Agent& a, int event) {
    return with_event(event, [&](const auto& e) { return a.process(e); });
}
template <class Agent> hsm::result post(Agent& a, int event) {
    return with_event(event, [&](const auto& e) { return a.post(e); });
}

template <class Chart, class Agent> hsm::result give(Agent& a, const input& in) {
    using differential::input;
    const auto time = hsm::time_span::from_nanoseconds(in.amount);
    switch (static_cast<input>(in.does)) {
    case input::start: return a.start();
    case input::stop: return a.stop();
    case input::destroy:
        if constexpr (Chart::size.has_life_hooks) return a.destroy();
        return a.stop();
    case input::update: return a.update(time);
    case input::decide: return a.decide();
    case input::drain: return a.drain();
    case input::post: return post(a, in.what);
    case input::process:
    case input::can: return process(a, in.what);
    case input::revive:
        if (a.finished()) a.stop();
        return a.start();
    default: return a.tick(time);
    }
}

/// The name of a condition, with a zero at the end.
template <class Chart, std::size_t C>
constexpr auto condition_name = [] {
    std::array<char, 8> name{};
    const auto text = Chart::tables.text(Chart::tables.conditions[C].name);
    for (std::size_t i = 0; i < text.size(); ++i) name[i] = text[i];
    return name;
}();

/// Changes conditions: f(name of the condition, its value) returns the change, if there is one.
template <class Chart, class Agent, class F> void change_conditions([[maybe_unused]] Agent& a, [[maybe_unused]] F f) {
    using hsm::condition_change;
    const auto change = [&]<std::size_t C>(std::integral_constant<std::size_t, C>) {
        const std::optional<condition_change> to = f(std::string(condition_name<Chart, C>.data()), a.get(condition_name<Chart, C>.data()));
        if (to == condition_change::pulse) {
            if constexpr (Chart::size.pulses) a.pulse(condition_name<Chart, C>.data());
        } else if (to) {
            a.set(condition_name<Chart, C>.data(), to == condition_change::on);
        }
    };
    [&]<std::size_t... C>(std::index_sequence<C...>) { (change(std::integral_constant<std::size_t, C>()), ...); }
    (std::make_index_sequence<Chart::size.conditions>());
}

/// Returns the tags of active states.
template <class Chart, class Agent> std::string tags_of([[maybe_unused]] const Agent& a) {
    std::string text;
    const auto add = [&]<std::size_t T>(std::integral_constant<std::size_t, T>) {
        static constexpr auto name = Chart::tables.text(Chart::tables.tags[T]);
        static constexpr auto tag = hsm::tag(name);
        if (a.is_in(tag)) text += " " + std::string(name);
    };
    [&]<std::size_t... T>(std::index_sequence<T...>) { (add(std::integral_constant<std::size_t, T>()), ...); }
    (std::make_index_sequence<Chart::size.tags>());
    return text;
}

/// Changes the timers with the label that plans use: `what` contains the call and the time left.
template <class Agent> hsm::result set_timer(Agent& a, int what) {
    switch (what % 4) {
    case 0: return a.restart_timer("timed");
    case 1: return a.cancel_timer("timed");
    default: return a.set_time_left("timed", hsm::time_span::from_nanoseconds(what / 4 % 5 * 8 - 1));
    }
}

/// Releases the state of that number; a negative one: the leaf.
template <class Chart, class Agent> hsm::result release(Agent& a, int number) {
    if (number < 0) return a.release();
    for (hsm::detail::index s = 0; s < Chart::size.states; ++s) {
        const hsm::detail::constant_ref<Chart> ref(s);
        if (ref.name() != "s" + std::to_string(number)) continue;
        if constexpr (requires { typename Agent::ref; })
            return a.release(ref);
        else
            return a.release(std::string(ref.path()));
    }
    return hsm::result::refused;
}

/// Returns the times that a machine stores.
template <class Chart, bool Labeled, class Agent> std::string times_of([[maybe_unused]] const Agent& a) {
    std::string text;
    if constexpr (Labeled)
        if (const auto left = a.time_left("timed")) text += " left " + std::to_string(left->nanoseconds());
    for (hsm::detail::index s = 0; Chart::options.entry_times && s < Chart::size.states; ++s) {
        const hsm::detail::constant_ref<Chart> ref(s);
        if constexpr (requires { typename Agent::ref; } && Chart::options.entry_times)
            text += " " + std::to_string(a.time_in_state(ref).nanoseconds());
        else if constexpr (Chart::options.entry_times)
            text += " " + std::to_string(a.time_in_state(std::string(ref.path())).nanoseconds());
    }
    return text;
}

/// Executes an input. Returns the trace, the result and the active state.
template <class Chart, class Agent> std::string seen(Agent& a, world& w, const input& in) {
    w.bits ^= in.flips;
    change_conditions<Chart>(a, [&](const std::string& name, bool is) -> std::optional<hsm::condition_change> {
        const auto number = std::stoi(name.substr(1));
        if (in.pulsed >> number & 1) return hsm::condition_change::pulse;
        if (!(in.turned >> number & 1)) return {};
        return is ? hsm::condition_change::off : hsm::condition_change::on;
    });
    if constexpr (Chart::size.conditions > 0)
        if (static_cast<differential::input>(in.does) == differential::input::clear_conditions) a.clear();
    std::string outcome;
    constexpr bool labeled = Chart::size.timers > 0 && Chart::tables.label_of("timed") < Chart::size.timers;
    try {
        if (labeled && static_cast<differential::input>(in.does) == differential::input::set_timer) {
            if constexpr (labeled) outcome = to_string(set_timer(a, in.what));
        } else if (Chart::size.holds > 0 && (in.does == int(differential::input::release) || in.does == int(differential::input::release_state))) {
            if constexpr (Chart::size.holds > 0) outcome = to_string(release<Chart>(a, in.does == int(differential::input::release) ? -1 : in.what));
        } else {
            outcome = to_string(give<Chart>(a, in));
        }
    } catch (const hsm::chain_error& e) {
        outcome = e.report().problem;
    } catch (const hsm::queue_error& e) {
        outcome = e.report().problem.substr(e.report().problem.rfind(' '));
    }
    std::string state = a.current() ? std::string(a.current().path()) : "none";
    for (hsm::detail::index s = 0; Chart::size.regions > 1 && s < Chart::size.states; ++s) {
        const hsm::detail::constant_ref<Chart> ref(s);
        bool active = false;
        if constexpr (requires { typename Agent::ref; })
            active = a.is_in(ref);
        else
            active = a.is_in(std::string(ref.path()));
        if (active) state += "+" + std::string(ref.name());
    }
    return std::exchange(w.trace, "") + "-> " + outcome + " in " + state + (a.finished() ? " finished " : " ") + std::to_string(a.queued()) +
           times_of<Chart, labeled>(a) + tags_of<Chart>(a);
}

template <class Names, class Agent> struct on_stage final : agent {
    on_stage() : a(w) { w.self = this; }
    explicit on_stage(test::text_observer& log) : a(w, log) { w.self = this; }
    template <class Chart> on_stage(const Chart& chart, const hsm::instance_options& options) : a(chart, w, options) { w.self = this; }
    hsm::result process(int event) override { return random_chart::process(a, event); }
    hsm::result post(int event) override { return random_chart::post(a, event); }
    hsm::result stop() override { return a.stop(); }
    void change(int condition, hsm::condition_change to) override {
        change_conditions<Names>(a, [&](const std::string& name, bool) {
            return name == "c" + std::to_string(condition) ? std::optional(to) : std::nullopt;
        });
    }

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

/// `Wanted`: if the chart has no conditions, both machines have an observer, and the records must be equal.
template <auto Chart, bool Wanted, std::size_t Inputs> void play(std::uint64_t seed, const input (&inputs)[Inputs]) {
    constexpr bool Observed = Wanted && decltype(Chart)::size.conditions + decltype(Chart)::size.holds == 0 && decltype(Chart)::size.regions == 1;
    using queues = hsm::queue<4, 3, 2>;
    using constant_agent = hsm::constant_instance<Chart, queues, std::conditional_t<Observed, test::text_observer, hsm::unobserved>>;
    using names = std::remove_const_t<decltype(Chart)>;
    auto root = hsm::make_fsm<world>("s0");
    typename decltype(Chart)::definition{}(*root);
    const auto chart = hsm::compile(std::move(root), {.order = Chart.order, .remember_finals = Chart.remember_finals});
    on_stage<names, hsm::instance<world>> ordinary(chart, hsm::instance_options{.internal_queue = 4, .posted_queue = 3, .deferred_queue = 2});
    test::text_observer ordinary_log, constant_log;
    auto constant = [&] {
        if constexpr (Observed)
            return on_stage<names, constant_agent>(constant_log);
        else
            return on_stage<names, constant_agent>();
    }();
    const auto attached = Observed ? ordinary.a.attach(ordinary_log) : hsm::attachment();
    for (std::size_t i = 0; i < Inputs; ++i) {
        auto expected = seen<names>(ordinary.a, ordinary.w, inputs[i]);
        auto found = seen<names>(constant.a, constant.w, inputs[i]);
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
