// A fighter, step 4: timers move the attack from wind-up to strike to recovery.

#include <samples/fighter/fighter.hpp>

#include <samples/expect.hpp>

// [attack]
class attack : public hsm::fsm<fighter> {
public:
    attack() : fsm("attack") {
        auto& wind_up = add("wind up");
        auto& strike = add("strike").on_enter(hsm::named("hit", [](fighter& f) { f.strike(10, 34); }));
        auto& recovery = add("recovery");
        auto& done = add_final("done");
        wind_up.to(strike).after(200ms);
        strike.to(recovery).after(100ms);
        recovery.to(done).after(300ms);
    }
};
// [/attack]

auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& move = root->add<locomotion>();
    auto& fight = root->add<attack>();
    move.to(fight).on<press::attack>();
    fight.to(move).on_finished();
    return hsm::compile(std::move(root));
}

int main() {
    // [run]
    const auto chart = make_fighter();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    agent.set("OnGround");
    agent.process(press::attack);
    expect("at 0.1 s", after(agent, 1), "attack/wind up");
    expect("at 0.2 s", after(agent, 1), "attack/strike");
    agent.pause(); // hit stop: the fighter freezes for some frames
    expect("hit stop", after(agent, 5), "attack/strike");
    agent.resume();
    expect("at 0.3 s", after(agent, 1), "attack/recovery");
    expect("at 0.5 s", after(agent, 2), "attack/recovery");
    expect("at 0.6 s", after(agent, 1), "move/idle");

    agent.set_time_scale(0.5); // slow motion
    agent.process(press::attack);
    expect("slow, at 0.3 s", after(agent, 3), "attack/wind up");
    expect("slow, at 0.4 s", after(agent, 1), "attack/strike");
    // [/run]
}
