// A fighter, step 7: a hit interrupts everything, and the fighter needs time to recover from it.

#include <samples/fighter/weapons.hpp>

#include <samples/expect.hpp>

// [machine]
struct hit {
    int damage;
};
enum class notify { landed }; // a mark in the animation of the fall

auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& move = root->add<locomotion>();
    auto& fight = root->add<attack>();
    auto& stunned = root->add("stunned").min_duration(300ms);
    auto& down = root->add("down").hold();
    auto& dead = root->add("dead");

    move.to(fight).on<press::attack>();
    fight.to(move.jump).on<press::jump>().when("CanCancel").when("OnGround");
    fight.to(move).on_finished();

    const auto hurt = hsm::named("hurt", [](fighter& f, const hit& h) { f.health -= h.damage; });
    const auto is_hard = hsm::named("hard", [](const fighter&, const hit& h) { return h.damage >= 40; });
    root->to(down).on<hit>().when(is_hard).unless_in(dead, down).force().then(hurt);
    root->to(stunned).on<hit>().unless_in(dead, down).force().then(hurt);
    root->to(dead).when(hsm::named("is dead", &fighter::is_dead)).force().always();

    stunned.to(fight).on<press::attack>(); // waits until the stun allows it
    stunned.to(move).after(500ms);
    down.on<notify::landed>().then(hsm::named("release", [](fighter&, hsm::step<fighter>& s) { s.release(); }));
    down.to(move);
    return hsm::compile(std::move(root));
}
// [/machine]

int main() {
    // [run]
    const auto chart = make_fighter();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();

    std::puts("a light hit interrupts a blow");
    agent.process(press::attack);
    expect("at 0.1 s", after(agent, 1), "attack/sword/slash/swing");
    expect("hit", to_string(agent.process(hit{10})), "taken");
    expect("now", after(agent, 0), "stunned");
    expect("attack", to_string(agent.process(press::attack)), "held");
    expect("0.2 s later", after(agent, 2), "stunned");
    expect("0.3 s later", after(agent, 1), "attack/sword/slash/swing");

    std::puts("\na hard one needs an animation");
    agent.process(hit{50});
    expect("however long it takes", after(agent, 20), "down");
    expect("hit on the ground", to_string(agent.process(hit{10})), "guarded");
    agent.process(notify::landed);
    expect("the fall has ended", after(agent, 1), "move/idle");

    std::puts("\ndeath");
    agent.process(hit{10});
    f.health = 0; // by poison, not by an event
    expect("dead during the stun", after(agent, 1), "dead");
    expect("hit", to_string(agent.process(hit{10})), "guarded");
    // [/run]
}
