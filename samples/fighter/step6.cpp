// A fighter, step 6: the attack chooses the machine of the weapon in the fighter's hand.

#include <samples/fighter/weapons.hpp>

#include <samples/expect.hpp>

// [machine]
auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& move = root->add<locomotion>();
    auto& fight = root->add<attack>();
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
    agent.process(press::attack);
    expect("without a bow", after(agent, 0), "attack/sword/slash/wind up");
    expect("at 0.4 s", after(agent, 4), "move/idle");

    f.in_hand = weapon::bow;
    agent.process(press::attack);
    expect("with a bow", after(agent, 0), "attack/bow/draw");
    expect("drawn for 0.3 s", after(agent, 3), "attack/bow/draw");
    agent.process(press::release);
    expect("release", after(agent, 0), "attack/bow/loose");
    expect("damage", std::to_string(f.shot), "25");
    expect("0.2 s later", after(agent, 2), "move/idle");

    agent.process(press::attack);
    expect("a long draw", after(agent, 9), "attack/bow/aim");
    agent.process(press::release);
    expect("damage", std::to_string(f.shot), "30");

    // The sword alone, as a chart of its own.
    const auto alone = hsm::compile(hsm::make_fsm<sword>());
    hsm::instance tested{alone, f};
    tested.start();
    expect("the sword alone", tested.current().path(), "sword/slash/wind up");
    // [/run]
}
