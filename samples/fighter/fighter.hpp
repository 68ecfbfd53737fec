/// The fighter of steps 3 to 8, also the hero of samples/arena: what the game knows about it, and how it moves.
#pragma once

#include <samples/arena/body.hpp>

#include <hsm/hsm.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;

// [context]
enum class press { jump, let_fall, attack, release, dodge, swap };
enum class weapon { sword, bow, spear };

struct fighter {
    arena::body at; // position and velocity. The game moves it
    int stick = 0;  // -1: left, 1: right
    int health = 100, stamina = 100;
    weapon in_hand = weapon::sword;
    // What it does in this frame, for the game to carry out:
    int damage = 0, reach = 0; // a blow
    int shot = 0;              // an arrow with this damage
    int parried = 0;           // it has parried a blow

    bool is_dead() const { return health <= 0; }
    void strike(int with, int how_far) {
        damage = with;
        reach = how_far;
    }
};
// [/context]

struct hit {
    int damage;
    int side; // from where: 1 right, -1 left
};

template <class A> void serialize(A& archive, fighter& f) {
    archive("at", f.at)("stick", f.stick)("health", f.health)("stamina", f.stamina)("in hand", f.in_hand);
    archive("damage", f.damage)("reach", f.reach)("shot", f.shot)("parried", f.parried);
}

// [locomotion]
inline auto brake(int by) {
    return hsm::named("brake", [by](fighter& f) { f.at.brake(by); });
}
inline void steer(fighter& f) {
    f.at.face(f.stick);
    f.at.accelerate(520 * f.stick, 36);
}

class locomotion : public hsm::fsm<fighter> {
public:
    locomotion() : fsm("move") {
        idle.on_update(brake(50));
        for (auto* moving : {&run, &jump, &fall}) moving->on_update(&steer);

        idle.to(run).when("Moves");
        run.to(idle).when("!Moves");
        to(jump).on<press::jump>().when("OnGround"); // from each substate
        for (auto* standing : {&idle, &run}) standing->to(fall).when("!OnGround");
        jump.to(fall).when(hsm::named("sinks", [](const fighter& f) { return f.at.vy > 0; }));
        fall.to(idle).when("OnGround");

        jump.on_enter([](fighter& f, hsm::step<fighter>& s) {
            f.at.push(f.at.vx, 1290);
            s.clear("OnGround");
        });
        jump.on<press::let_fall>().then([](fighter& f) { f.at.vy /= 2; }); // a shorter jump
    }

    state& idle = add("idle");
    state& run = add("run");
    state& jump = add("jump");
    state& fall = add("fall");
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
