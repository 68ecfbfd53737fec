// Deferred events: a press that no transition handles now is stored, and handled as soon as possible.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

enum class button { jump, attack, pause };

struct player {
    std::string done;
};

int main() {
    // [defer]
    auto root = hsm::make_fsm<player>("player");
    auto& idle = root->add("idle");
    auto& swing = root->add("swing").defer(button::attack).defer(button::jump); // stored for a later state
    auto& leap = root->add("leap").defer(button::attack);

    idle.to(swing).on(button::attack).then([](player& p) { p.done += "attack "; });
    idle.to(leap).on(button::jump).then([](player& p) { p.done += "jump "; });
    swing.to(idle).after(300ms);
    leap.to(idle).after(500ms);
    swing.on(button::pause).then([](player& p) { p.done += "pause "; });
    // [/defer]

    const auto chart = hsm::compile(std::move(root));
    player p;
    hsm::instance agent{chart, p, {.deferred_queue = 2}}; // the most presses that can wait
    agent.start();

    agent.process(button::attack);
    expect("jump during a swing", to_string(agent.process(button::jump)), "deferred");
    expect("another attack", to_string(agent.process(button::attack)), "deferred");
    expect("a third attack", to_string(agent.process(button::attack)), "full");
    agent.process(button::pause); // without a transition, nothing is recalled
    expect("so far", p.done, "attack pause ");
    expect("waiting", std::to_string(agent.queued()), "2");

    agent.tick(300ms); // the swing is finished: the jump is next, and the attack must wait for the landing
    expect("then", agent.current().name(), "leap");
    expect("waiting", std::to_string(agent.queued()), "1");
    agent.tick(500ms);
    expect("then", agent.current().name(), "swing");
    agent.tick(300ms);
    expect("all actions", p.done, "attack pause jump attack ");
    expect("at the end", agent.current().name(), "idle");
}
