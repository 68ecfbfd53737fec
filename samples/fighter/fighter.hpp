/// The fighter of steps 3 to 8: what the game knows about it, and how it moves.
#pragma once

#include <hsm/hsm.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;

// [context]
enum class press { jump, attack, release };

struct fighter {
    bool has_bow = false;
    int health = 100;
    int dealt = 0; // damage

    bool is_dead() const { return health <= 0; }
};
// [/context]

// [locomotion]
class locomotion : public hsm::fsm<fighter> {
public:
    locomotion() : fsm("move") {
        idle.to(run).when("Moves");
        run.to(idle).when("!Moves");
        to(jump).on<press::jump>().when("OnGround"); // from each substate
        jump.to(idle).when("OnGround");
        jump.on_enter([](fighter&, hsm::step<fighter>& s) { s.clear("OnGround"); });
    }

    state& idle = add("idle");
    state& run = add("run");
    state& jump = add("jump");
};
// [/locomotion]

// [after]
/// Runs frames of 0.1 s. Returns the path without the root, such as "move/idle".
inline std::string after(hsm::instance<fighter>& agent, int frames) {
    for (; frames > 0; --frames) agent.tick(100ms);
    const auto path = agent.current().path();
    return path.substr(path.find('/') + 1);
}
// [/after]
