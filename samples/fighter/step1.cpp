// A fighter, step 1: it stands, runs and jumps. Each frame polls the input.

#include <hsm/hsm.hpp>

#include <samples/expect.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

using namespace std::chrono_literals;

// [context]
struct fighter {
    float stick = 0;    // left stick, from -1 to 1
    bool jumps = false; // the jump button is down

    float x = 0, height = 0; // in meters
    float rise = 0;          // in meters per second

    bool moves() const { return std::abs(stick) > 0.2f; }
    bool grounded() const { return height == 0; }
};
// [/context]

// [machine]
auto make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& idle = root->add("idle");
    auto& run = root->add("run").on_update([](fighter& f, float seconds) { f.x += 6 * f.stick * seconds; });
    auto& jump = root->add("jump").on_enter([](fighter& f) { f.rise = 3.3f; }).on_update([](fighter& f, float seconds) {
        f.rise -= 10 * seconds;
        f.height = std::max(0.f, f.height + f.rise * seconds);
    });

    const auto moves = hsm::named("moves", &fighter::moves); // the label is for pictures
    const auto jumps = hsm::named("jumps", &fighter::jumps);
    idle.to(jump).when(jumps);
    idle.to(run).when(moves);
    run.to(jump).when(jumps);
    run.to(idle).when(hsm::no(moves));
    jump.to(idle).when(hsm::named("grounded", &fighter::grounded));
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
    expect("the stick is centered", frame(), "idle");
    f.stick = 1;
    expect("to the right", frame(), "run");
    expect("still to the right", frame(), "run");
    expect("position in cm", std::to_string(std::lround(100 * f.x)), "120");
    f.jumps = true;
    expect("the jump button", frame(), "jump");
    f.jumps = false;
    f.stick = 0;
    for (int i = 0; i < 4; ++i) expect("in the air", frame(), "jump");
    expect("it lands", frame(), "jump"); // grounded after this update
    expect("one frame later", frame(), "idle");
    // [/run]
}
