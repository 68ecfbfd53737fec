// A fighter, step 3: the attack is a machine class. It is a state of the fighter, and has states of its own.

#include <samples/fighter/fighter.hpp>

#include <samples/expect.hpp>

// [attack]
enum class notify { hit, over }; // marks in the animation of the blow

class attack : public hsm::fsm<fighter> {
public:
    attack() : fsm("attack") {
        auto& wind_up = add("wind up");
        auto& strike = add("strike").on_enter(hsm::named("hit", [](fighter& f) { f.strike(10, 34); }));
        auto& recovery = add("recovery");
        auto& done = add_final("done");
        wind_up.to(strike).on<notify::hit>();
        strike.to(recovery); // in the next frame
        recovery.to(done).on<notify::over>();
    }
};
// [/attack]

// [machine]
auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& move = root->add<locomotion>();
    auto& fight = root->add<attack>();
    move.to(fight).on<press::attack>(); // from idle, run and jump
    fight.to(move).on_finished();       // when it has entered "done"
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
    agent.set("Moves");
    expect("it runs", after(agent, 1), "move/run");
    agent.process(press::attack);
    expect("attack", after(agent, 0), "attack/wind up");
    expect("is in attack", agent.is_in("attack") ? "yes" : "no", "yes");
    expect("jump", to_string(agent.process(press::jump)), "unhandled");
    agent.process(notify::hit);
    expect("the animation hits", after(agent, 0), "attack/strike");
    expect("damage", std::to_string(f.damage), "10");
    expect("next frame", after(agent, 1), "attack/recovery");
    agent.process(notify::over);
    expect("the animation ends", after(agent, 0), "move/idle");
    expect("next frame", after(agent, 1), "move/run");
    // [/run]
}
