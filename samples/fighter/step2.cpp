// A fighter, step 2: button presses are events, lasting facts are conditions.

#include <hsm/hsm.hpp>

#include <samples/expect.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;

// [machine]
enum class press { jump };

struct fighter {
    float stamina = 1;
    bool is_tired() const { return stamina < 0.25f; }
};

auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    root->condition("Moves");
    root->condition("OnGround");
    root->conditions_declared(); // any other name is an error

    auto& idle = root->add("idle").on_update([](fighter& f, float seconds) { f.stamina += seconds; });
    auto& run = root->add("run").on_update([](fighter& f, float seconds) { f.stamina -= 2 * seconds; });
    auto& jump = root->add("jump").on_enter([](fighter&, hsm::step<fighter>& s) { s.clear("OnGround"); });

    const auto is_tired = hsm::named("is tired", &fighter::is_tired);
    idle.to(run).when("Moves").when(hsm::no(is_tired));
    run.to(idle).when(hsm::any("!Moves", is_tired));
    idle.to(jump).on<press::jump>().when("OnGround");
    run.to(jump).on<press::jump>().when("OnGround");
    jump.to(idle).when("OnGround");
    return hsm::compile(std::move(root));
}
// [/machine]

int main() {
    // [run]
    const auto chart = make_fighter();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    const auto frame = [&] {
        agent.tick(100ms);
        return agent.current().name();
    };
    agent.set("OnGround"); // by the physics of the game
    agent.set("Moves");    // by its input
    expect("the stick is tilted", frame(), "run");
    for (int i = 0; i < 3; ++i) expect("it runs", frame(), "run");
    expect("out of breath", frame(), "idle");

    expect("jump", to_string(agent.process(press::jump)), "taken");
    expect("now", agent.current().name(), "jump"); // without a frame in between
    expect("jump again", to_string(agent.process(press::jump)), "unhandled");
    expect("in the air", frame(), "jump");
    agent.set("OnGround");
    expect("the physics report ground", frame(), "idle");
    agent.clear("OnGround");
    expect("jump off a ledge", to_string(agent.process(press::jump)), "guarded");
    // [/run]
}
