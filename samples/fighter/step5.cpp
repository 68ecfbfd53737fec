// A fighter, step 5: three blows make a combo. A press that is a little too early counts.

#include <samples/fighter/weapons.hpp>

#include <samples/expect.hpp>

// [machine]
auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& move = root->add<locomotion>();
    auto& fight = root->add<sword>();
    move.to(fight).on<press::attack>();
    fight.to(move.jump).on<press::jump>().when("CanCancel").when("OnGround");
    fight.to(move).on_finished();
    return hsm::compile(std::move(root));
}
// [/machine]

int main() {
    // [run]
    const auto chart = make_fighter();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    agent.set("OnGround");
    const auto attack = [&] { return to_string(agent.process(press::attack)); };

    std::puts("a combo");
    expect("attack", attack(), "taken");
    expect("much too early", attack(), "guarded");
    expect("at 0.1 s", after(agent, 1), "sword/slash/swing");
    expect("a little too early", attack(), "internal"); // a reaction remembers it
    expect("at 0.2 s", after(agent, 1), "sword/slash/window");
    expect("at 0.3 s", after(agent, 1), "sword/stab/wind up");
    expect("at 0.4 s", after(agent, 1), "sword/stab/swing");
    expect("damage", std::to_string(f.damage), "15");
    expect("no press: at 0.5 s", after(agent, 1), "sword/stab/window");
    expect("at 0.7 s", after(agent, 2), "move/idle");

    std::puts("\na jump out of a blow");
    attack();
    expect("at 0.1 s", after(agent, 1), "sword/slash/swing");
    expect("during the swing", to_string(agent.process(press::jump)), "guarded");
    expect("at 0.2 s", after(agent, 1), "sword/slash/window");
    expect("in the window", to_string(agent.process(press::jump)), "taken");
    expect("now", after(agent, 0), "move/jump");
    // [/run]
}
