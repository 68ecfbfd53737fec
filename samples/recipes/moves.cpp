// Recipes: moves that take time.

#include "recipes.hpp"

#include <hsm/hsm.hpp>

#include "../expect.hpp"

#include <algorithm>
#include <chrono>
#include <string>

using namespace std::chrono_literals;

namespace {

struct hero {
    double power = 0;
    double speed = 1;
    std::string moves;
};
struct press {};
struct release {};
struct walk {};

} // namespace

void charge() {
    // [charge]
    auto root = hsm::make_fsm<hero>("bow");
    auto& idle = root->add("idle");
    auto& charging = root->add("charging");

    idle.to(charging).on<press>();
    charging.on_exit([](hero& h, hsm::step<hero>& s) { // here, time_in_state() is still the time in charging
        h.power = std::min(s.time_in_state().seconds(), 1.0);
    });
    charging.to(idle).on<release>().then([](hero& h) { h.moves += h.power < 1 ? "shot " : "full shot "; });
    charging.to(idle).after(3s).then([](hero& h) { h.moves += "too long "; }); // the arm is tired
    // [/charge]

    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    for (const auto held : {250ms, 1500ms, 3000ms}) {
        agent.process(press{});
        agent.tick(held);
        agent.process(release{});
    }
    expect("shots", h.moves, "shot full shot too long ");
}

void combo() {
    // [combo]
    auto root = hsm::make_fsm<hero>("sword");
    auto& idle = root->add("idle");
    auto& combo = root->add_fsm("combo");
    auto& first = combo.add("first");
    auto& second = combo.add("second");
    auto& third = combo.add("third");

    idle.to(first).on<press>();
    first.to(second).on<press>().after(200ms); // a press before that is too early
    second.to(third).on<press>().after(200ms);
    first.to(idle).after(500ms); // no press until now: the combo is finished
    second.to(idle).after(500ms);
    third.to(idle).after(500ms);
    // [/combo]

    for (auto* move : {&first, &second, &third})
        move->on_enter([](hero& h, hsm::step<hero>& s) { h.moves += std::string(s.state().name()) + ' '; });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(press{});
    agent.tick(100ms);
    expect("too early", to_string(agent.process(press{})), "guarded");
    agent.tick(150ms);
    agent.process(press{});
    agent.tick(250ms);
    agent.process(press{});
    expect("all three", h.moves, "first second third ");
    agent.tick(500ms);
    agent.process(press{});
    agent.tick(500ms);
    expect("the chance is gone", agent.current().name(), "idle");
}

void buffered_combo() {
    // [buffered_combo]
    auto root = hsm::make_fsm<hero>("sword");
    const auto strike = root->condition("Strike").trigger();
    auto& idle = root->add("idle");
    auto& combo = root->add_fsm("combo");
    auto& first = combo.add("first");
    auto& second = combo.add("second");
    idle.to(first).when(strike);
    first.to(second).when(strike).after(200ms); // a press before that waits, and counts once
    combo.to(idle).after(600ms);
    combo.on_exit([strike](hero&, hsm::step<hero>& s) { s.clear(strike); }); // drops a press that came too late
    // [/buffered_combo]

    for (auto* move : {&first, &second})
        move->on_enter([](hero& h, hsm::step<hero>& s) { h.moves += std::string(s.state().name()) + ' '; });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.trigger(strike);
    agent.tick(50ms);
    agent.trigger(strike); // early
    agent.tick(50ms);
    agent.trigger(strike); // again
    agent.tick(50ms);
    expect("too early", h.moves, "first ");
    agent.tick(100ms);
    expect("the press was kept", h.moves, "first second ");
    agent.trigger(strike);
    agent.tick(400ms);
    agent.tick(50ms);
    expect("a late press is dropped", agent.current().name(), "idle");
}

void dash() {
    // [dash]
    auto root = hsm::make_fsm<hero>("hero");
    auto& ground = root->add_fsm("ground").remembers(); // when entered again, it enters its last substate
    auto& stand = ground.add("stand");
    auto& run = ground.add("run");
    auto& dash = root->add("dash");

    stand.to(run).on<walk>();
    ground.to(dash).on<press>();
    dash.on_enter([](hero& h) { h.speed = 4; }).on_exit([](hero& h) { h.speed = 1; });
    dash.to(ground).after(200ms);
    // [/dash]

    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(walk{});
    agent.process(press{});
    expect("speed", std::to_string(int(h.speed)), "4");
    expect("a press in a dash", to_string(agent.process(press{})), "unhandled");
    agent.tick(200ms);
    expect("runs again", agent.current().name(), "run");
}
