// A fighter, step 7: a hit interrupts everything, and the fighter needs time to recover from it. A shield avoids it.

#include <samples/fighter/hero.hpp>

#include <samples/expect.hpp>

int main() {
    // [run]
    const auto chart = make_hero();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    agent.set("OnGround");
    const hit light{10, 1}, hard{40, 1}; // from the right, which the fighter faces

    std::puts("a light hit interrupts a blow");
    agent.process(press::attack);
    expect("at 0.1 s", after(agent, 1), "attack/sword/slash/swing");
    expect("hit", to_string(agent.process(light)), "taken");
    expect("now", after(agent, 0), "stunned");
    expect("attack", to_string(agent.process(press::attack)), "held");
    expect("0.1 s later", after(agent, 1), "stunned");
    expect("0.2 s later", after(agent, 1), "attack/sword/slash/wind up");

    std::puts("\na hard one needs an animation");
    agent.process(hard);
    expect("however long it takes", after(agent, 20), "down");
    expect("hit on the ground", to_string(agent.process(light)), "guarded");
    agent.process(notify::landed);
    expect("the fall has ended", after(agent, 1), "rise");
    expect("0.5 s later", after(agent, 5), "move/idle");

    std::puts("\na shield");
    agent.set("Guards");
    expect("it is raised", after(agent, 1), "block/raise");
    expect("parry", to_string(agent.process(light)), "internal");
    expect("0.2 s later", after(agent, 2), "block/guard");
    agent.process(light);
    expect("health and stamina", std::to_string(f.health) + ' ' + std::to_string(f.stamina), "50 90");
    agent.process(hit{10, -1});
    expect("hit from behind", after(agent, 0), "stunned");

    std::puts("\ndeath");
    f.health = 0; // by poison, not by an event
    expect("dead during the stun", after(agent, 1), "dead");
    expect("hit", to_string(agent.process(light)), "guarded");
    // [/run]
}
