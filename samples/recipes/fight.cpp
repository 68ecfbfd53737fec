// Recipes: when a hit or a press counts.

#include "recipes.hpp"

#include <hsm/hsm.hpp>

#include "../expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

namespace {

struct hero {
    int life = 3;
    int shots = 0;
    int attacks = 0;
};
struct press {};
struct hit {
    int damage;
};

} // namespace

void any_state_except() {
    // [any_state_except]
    auto root = hsm::make_fsm<hero>("hero");
    auto& alive = root->add_fsm("alive");
    auto& idle = alive.add("idle");
    auto& run = alive.add("run");
    auto& dead = root->add("dead");

    idle.to(run).on<press>();
    root->to(dead)
        .on<hit>()
        .when([](const hero& h, const hit& e) { return h.life <= e.damage; })
        .unless_in(dead); // otherwise a hit would exit and enter dead again
    alive.on<hit>().then([](hero& h, const hit& e) { h.life -= e.damage; });
    // [/any_state_except]

    dead.on_enter([](hero& h) { h.life = 0; });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(press{});
    expect("a scratch", to_string(agent.process(hit{1})), "internal");
    expect("while running", agent.current().name(), "run");
    expect("the last hit", to_string(agent.process(hit{2})), "taken");
    expect("a hit after death", to_string(agent.process(hit{9})), "guarded");
}

void cooldown() {
    // [cooldown]
    auto root = hsm::make_fsm<hero>("gun");
    auto& ready = root->add("ready");
    auto& cooling = root->add("cooling");

    ready.to(cooling).on<press>().then([](hero& h) { ++h.shots; });
    cooling.to(ready).after(500ms).label("cooldown");
    // [/cooldown]

    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(press{});
    expect("too early", to_string(agent.process(press{})), "unhandled");
    agent.tick(500ms);
    agent.process(press{});
    expect("shots", std::to_string(h.shots), "2");
    agent.tick(100ms);
    // [cooldown_bar]
    const auto left = agent.time_left("cooldown");            // nothing while the gun is ready
    const double bar = left ? left->seconds() / 0.5 : 0;      // what the game draws
    if (left) agent.set_time_left("cooldown", *left - 300ms); // an item shortens the wait
    // [/cooldown_bar]
    expect("the bar", std::to_string(int(bar * 100)) + " %", "80 %");
    agent.tick(100ms);
    expect("sooner", agent.current().name(), "ready");
}

void input_buffer() {
    // [input_buffer]
    auto root = hsm::make_fsm<hero>("hero");
    auto& idle = root->add("idle");
    auto& attack = root->add_fsm("attack");
    auto& strike = attack.add("strike");   // too early: a press is lost
    auto& recover = attack.add("recover"); // the last moments: a press is stored

    idle.to(attack).on<press>();
    strike.to(recover).after(300ms);
    recover.defer<press>();
    attack.to(idle).after(450ms); // here a stored press is recalled: the next attack begins
    // [/input_buffer]

    attack.on_enter([](hero& h) { ++h.attacks; });
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(press{});
    agent.tick(100ms);
    expect("a press too early", to_string(agent.process(press{})), "unhandled");
    agent.tick(250ms);
    expect("a press in time", to_string(agent.process(press{})), "deferred");
    agent.tick(100ms);
    expect("strikes again", agent.current().path(), "hero/attack/strike");
    agent.tick(300ms);
    agent.tick(150ms);
    expect("and rests", agent.current().name(), "idle");
    expect("attacks", std::to_string(h.attacks), "2");
}

void invulnerability() {
    // [invulnerability]
    auto root = hsm::make_fsm<hero>("hero");
    auto& alive = root->add_parallel("alive");
    auto& legs = alive.add_fsm("legs");
    auto& stand = legs.add("stand");
    auto& run = legs.add("run");
    auto& body = alive.add_fsm("body");
    auto& soft = body.add("soft");
    auto& blinking = body.add("blinking"); // no transition here waits for a hit

    stand.to(run).on<press>();
    run.to(stand).on<press>();
    soft.to(blinking).on<hit>().then([](hero& h, const hit& e) { h.life -= e.damage; });
    blinking.to(soft).after(1s);
    // [/invulnerability]

    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    agent.process(hit{1});
    agent.process(press{});
    agent.tick(900ms);
    expect("a hit while it blinks", to_string(agent.process(hit{1})), "unhandled");
    expect("active states", agent.path_of_leaves(), "hero/alive/legs/run, hero/alive/body/blinking");
    agent.tick(100ms);
    agent.process(hit{1});
    expect("life", std::to_string(h.life), "1");
}
