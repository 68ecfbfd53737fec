// Why did it not attack? A machine explains the obstacles of each of its transitions.

#include <hsm/hsm.hpp>
#include <hsm/observe/explain.hpp>

#include "expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

struct fighter {
    float stamina = 0.1f;
    bool rested() const { return stamina > 0.5f; }
};

int main() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& idle = root->add("idle");
    auto& attack = root->add("attack");
    auto& stunned = root->add("stunned").min_duration(300ms);

    idle.to(attack).on("attack").when(&fighter::rested).when("IsArmed");
    root->to(stunned).on("blow").unless_in(stunned);
    stunned.to(idle);
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();

    // [why_not]
    auto why = to_string(hsm::explain(agent, "attack")); // an event: what would process("attack") do?
    expect("an event", why,
           "on attack: guarded\n"
           "  fighter/idle -> fighter/attack on attack: IsArmed is not set; 1 guard not evaluated\n");

    const auto all = hsm::explain(agent, "attack", {.all_guards = true}); // data instead of text: both causes
    expect("all causes", std::to_string(all.candidates[0].obstacles.size()), "2");

    agent.process("blow");
    agent.tick(100ms);
    why = to_string(hsm::explain(agent)); // no event: what would a tick do? (unhandled: no transition fires)
    expect("a tick", why,
           "in a tick: unhandled\n"
           "  fighter/stunned -> fighter/idle: fighter/stunned holds for 200 ms\n");

    why = to_string(hsm::why_not(agent, "attack")); // a state: which transitions lead there, and what is missing?
    expect("a state", why,
           "to fighter/attack: guarded\n"
           "  fighter/idle -> fighter/attack on attack: its source is not active; it waits for attack; "
           "IsArmed is not set; 1 guard not evaluated\n");

    agent.tick(200ms);
    agent.set("IsArmed");
    f.stamina = 1.0f;
    why = to_string(hsm::possible(agent)); // what could happen now?
    expect("what is possible", why,
           "attack: fighter/idle -> fighter/attack on attack\n"
           "blow: fighter -> fighter/stunned on blow\n");
    // [/why_not]
}
