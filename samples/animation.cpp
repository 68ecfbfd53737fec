// Animations of a character, chosen by conditions: named bits that the game sets and transitions test.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <string>

struct clip {
    std::string playing;
};

/// Makes a state play the clip with its name.
auto& play(hsm::state<clip>& state) {
    return state.on_enter([name = std::string(state.name())](clip& c) { c.playing = name; });
}

int main() {
    // [table]
    auto root = hsm::make_fsm<clip>("animation");
    auto& idle = play(root->add("Idle"));
    auto& run = play(root->add("Run"));
    auto& attack = play(root->add("Attack"));
    auto& jump = play(root->add("Jump"));

    idle.to(run).when("IsRun");
    idle.to(attack).when("IsAttack");
    idle.to(jump).when("IsJump");
    run.to(idle).when("!IsRun");
    run.to(attack).when("IsAttack");
    run.to(jump).when("IsJump");
    attack.to(idle).when("!IsAttack");
    attack.to(jump).when("IsJump");
    jump.to(idle).when(hsm::is_over);
    // [/table]

    const auto chart = hsm::compile(std::move(root));
    clip c;
    hsm::instance agent{chart, c};
    agent.start();
    const auto tick = [&](const char* what, const char* wanted) {
        agent.tick();
        expect(what, c.playing, wanted);
    };
    tick("nothing is set", "Idle");

    // [use]
    const auto is_run = chart.condition("IsRun"); // looked up once
    agent.set(is_run);
    agent.set("IsAttack", false); // or by name
    // [/use]
    tick("IsRun", "Run");
    tick("still", "Run");
    agent.pulse("IsAttack"); // for one tick
    tick("a pulse of IsAttack", "Attack");
    tick("the attack has ended", "Idle");
    agent.clear(is_run);

    // [over]
    agent.set("IsJump");
    tick("IsJump", "Jump");
    tick("in the air", "Jump");
    agent.finish(); // the clip has ended
    tick("the jump is over", "Idle");
    tick("and it does not jump again", "Idle");
    // [/over]
    expect("condition of the entry", agent.get("IsJump") ? "set" : "not set", "not set");
}
