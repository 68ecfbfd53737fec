// Machines of constant charts over a part of the context. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/constant/fixed.hpp>
#include <tests/constant/both_kinds.hpp>

#include <string>

using namespace test;

namespace {

struct barrel {
    int heat = 0;
};
struct weapon {
    int rounds = 2;
    barrel b;
    std::string log;
    bool is_empty() const { return rounds == 0; }
};
/// The traces of the weapon are in the context.
struct soldier : trace_context {
    weapon gun;
};
weapon& gun_of(trace_context& c) { return static_cast<soldier&>(c).gun; }

struct timer {
    int updates = 0;
    void enter(weapon& w) { w.log += "start "; }
    void update(weapon& w, float seconds) { w.log += std::to_string(static_cast<int>(seconds * 1000)) + " ", ++updates; }
    bool finished(const weapon& w) const { return updates > 1 && w.rounds == 0; }
};
struct shot {
    int power = 3;
};

template <class Root> constexpr void define(Root& root) {
    auto& idle = root.add("idle").on_enter([](soldier& s) { s.gun.log += "idle "; });
    auto& armed = root.template add<hsm::fsm<weapon>>([](soldier& s) -> weapon& { return s.gun; }, "armed");
    armed.on_enter([](weapon& w) { w.log += "armed "; }).on_exit([](weapon& w) { w.log += "away "; });
    auto& ready = armed.add("ready").on_update([](weapon& w, float) { w.log += "ready "; });
    auto& hot = armed.template add<hsm::fsm<barrel>>(hsm::named("barrel", [](weapon& w) -> barrel& { return w.b; }), "hot");
    auto& cooling = hot.add("cooling").on_update([](barrel& b) { --b.heat; });
    auto& cold = hot.add("cold");
    auto& empty = armed.add("empty").template local<timer>();
    idle.to(armed).on(key::A);
    ready.to(hot).template on<shot>().when([](const weapon& w) { return w.rounds > 0; }).then([](weapon& w, const shot& s) {
        --w.rounds, w.b.heat += s.power;
        w.log += "shot ";
    });
    cooling.to(cold).when([](const barrel& b) { return b.heat <= 1; });
    cold.to(ready).after([](const barrel& b) { return hsm::time_span::from_nanoseconds(b.heat * 1'000'000); });
    ready.to(empty).when([](const weapon& w) { return w.is_empty(); });
    empty.to(ready).on_finished().then([](weapon& w) { w.rounds = 2; });
    armed.on_change([](weapon& w, hsm::state_ref, hsm::state_ref to, hsm::reason) { w.log += ">" + std::string(to.name()) + " "; });
    armed.to(idle).on(key::B).when("Safe").when([](const weapon& w) { return w.b.heat < 9; });
    armed.on_unhandled([](weapon& w) { w.log += "? "; });
}
constexpr auto outer_first = hsm::constant_chart<soldier>([](auto& root) { define(root); });
constexpr auto inner_first = hsm::constant_chart<soldier, hsm::decision_order::substate_first>([](auto& root) { define(root); });

template <class Root> constexpr void define_regions(Root& root) {
    auto& both = root.template add<hsm::parallel<weapon>>(hsm::fixed<gun_of>, "both");
    auto& a = both.add("a").on_update([](weapon& w) { w.log += "a "; });
    auto& b = both.template add<hsm::fsm<barrel>>([](weapon& w) -> barrel& { return w.b; }, "b");
    auto& x = b.add("x");
    auto& y = b.add("y").on_enter([](barrel& c) { c.heat += 10; });
    x.to(y).on(key::A);
    a.on(key::A).then([](weapon& w) { w.log += std::to_string(w.b.heat) + " "; });
    both.to(both).when([](const weapon& w) { return w.b.heat > 5; }).then([](weapon& w) { w.b.heat = 0; });
}
constexpr auto outer_regions = hsm::constant_chart<soldier>([](auto& root) { define_regions(root); });
constexpr auto inner_regions = hsm::constant_chart<soldier, hsm::decision_order::substate_first>([](auto& root) { define_regions(root); });

/// Plays both kinds of charts. The results and the logs must be equal.
template <auto Chart> struct both_soldiers {
    hsm::chart<soldier> chart = [] {
        auto root = hsm::make_fsm<soldier>("root");
        typename std::remove_const_t<decltype(Chart)>::definition{}(*root);
        return hsm::compile(std::move(root), {.order = Chart.order});
    }();
    soldier a, b;
    hsm::instance<soldier> ordinary{chart, a};
    hsm::constant_instance<Chart> constant{b};
    std::string text;

    template <class F> void operator()(F does) {
        const auto expected = does(ordinary);
        CHECK(does(constant) == expected);
        CHECK(b.gun.log == a.gun.log);
        CHECK(constant.current().path() == ordinary.current().path());
        text += std::exchange(a.gun.log, "") + "| ";
        b.gun.log.clear();
    }
};
constexpr auto tick = [](auto& agent) { return agent.tick(hsm::time_span::from_nanoseconds(1'000'000)); };

template <auto Chart> std::string play() {
    both_soldiers<Chart> both;
    both([](auto& agent) { return agent.start(); });
    for (int round = 0; round < 2; ++round) {
        both([](auto& agent) { return agent.process(key::A); });
        both([](auto& agent) { return agent.process(shot{2}); });
        for (int i = 0; i < 5; ++i) both(tick);
        both([](auto& agent) { return agent.set("Safe"), agent.process(key::B); });
    }
    return both.text;
}
template <class Root> constexpr void define_base(Root& root) {
    root.template add<hsm::fsm<trace_context>>("m").add("a").on_update([](trace_context& c) { gun_of(c).log += "a "; });
}
constexpr auto on_base = hsm::constant_chart<soldier>([](auto& root) { define_base(root); });

template <auto Chart> std::string play_regions() {
    both_soldiers<Chart> both;
    both([](auto& agent) { return agent.start(); });
    both(tick);
    both([](auto& agent) { return agent.process(key::A); });
    both(tick), both(tick);
    return both.text;
}

} // namespace

TEST_CASE("hooks of a machine of a constant chart get the part of the context that the machine works on") {
    const auto log =
        "idle | armed >ready | shot >cooling | | >cold | >ready ready | ready | ready | away idle | armed >ready | shot >cooling | | | >cold | "
        ">ready ready | start >empty 1 | away idle | ";
    CHECK(play<outer_first>() == log);
    CHECK(play<inner_first>() == log);
    CHECK(play_regions<outer_regions>() == "| a | 0 | a | a | ");
    CHECK(play_regions<inner_regions>() == "| a | 0 | a | a | ");
}

TEST_CASE("a machine of a constant chart can work on a base class of the context") { CHECK(play_regions<on_base>() == "| a | | a | a | "); }
