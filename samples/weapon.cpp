// A heavy weapon, as an example of delayed exit. It is charged while the button is held, but for a minimum time. Its
// blow cannot be interrupted: a dodge waits until it has landed. Attacking again during the recovery makes a combo. A
// hard hit does not wait.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

enum class press { attack, dodge };
struct hit {
    int force;
};

struct fighter {
    bool holds_button = false;
    int combo = 0;  // blows in a row
    int damage = 0; // dealt so far
};

/// A local of one blow: the time for which the button was held determines the damage.
struct power {
    int damage = 10;
    void update(const fighter& f, hsm::step<fighter>& s) {
        if (f.holds_button) damage = 10 + static_cast<int>(s.time_in_state().seconds() * 50);
    }
};

// [weapon]
class heavy_attack : public hsm::fsm<fighter> {
public:
    heavy_attack() : fsm("attack") {
        local<power>();
        auto& charge = add("charge").min_duration(200ms);
        auto& blow = add("blow").min_duration(300ms).on_enter([](fighter& f, const power& p) {
            ++f.combo;
            f.damage += p.damage;
        });
        auto& recover = add("recover");
        auto& done = add_final("done");

        charge.to(blow).when(hsm::named("let go", [](const fighter& f) { return !f.holds_button; }));
        charge.to(blow).after(1s); // waiting longer adds no power
        blow.to(recover).after(300ms);
        recover.to(blow).on<press::attack>(); // in time for a combo
        recover.to(done).after(400ms);
    }
    void exit(fighter& f) const { f.combo = 0; }
};

auto make_weapon() {
    auto root = hsm::make_fsm<fighter>("weapon");
    auto& ready = root->add("ready");
    auto& attack = root->add<heavy_attack>();
    auto& dodge = root->add("dodge");
    auto& staggered = root->add("staggered");

    ready.to(attack).on<press::attack>();
    ready.to(dodge).on<press::dodge>();
    attack.to(dodge).on<press::dodge>(); // as soon as the attack can be exited
    attack.to(ready).on_finished();
    dodge.to(ready).after(400ms);

    const auto is_hard = hsm::named("is hard", [](const fighter&, const hit& h) { return h.force > 5; });
    root->to(staggered).on<hit>().when(is_hard).force();
    staggered.to(ready).after(600ms);
    return hsm::compile(std::move(root));
}
// [/weapon]

/// Returns the path, such as "attack/blow", after `ticks` tenths of a second.
std::string after(hsm::instance<fighter>& agent, int ticks) {
    for (; ticks > 0; --ticks) agent.tick(100ms);
    const auto path = agent.current().path();
    return path.substr(path.find('/') + 1);
}

int main() {
    const auto chart = make_weapon();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();

    std::puts("a short press: the attack still winds up");
    agent.process(press::attack);
    expect("at 0.1 s", after(agent, 1), "attack/charge");
    expect("at 0.2 s", after(agent, 1), "attack/blow");

    std::puts("\na dodge waits until the blow ends");
    expect("dodge", to_string(agent.process(press::dodge)), "held");
    expect("at 0.3 s", after(agent, 1), "attack/blow");
    expect("at 0.5 s", after(agent, 2), "dodge");
    expect("at 0.9 s", after(agent, 4), "ready");

    std::puts("\na charged blow, then a combo");
    f.damage = 0;
    f.holds_button = true;
    agent.process(press::attack);
    expect("held for 0.9 s", after(agent, 9), "attack/charge");
    expect("held for 1 s", after(agent, 1), "attack/blow");
    expect("damage", std::to_string(f.damage), "60");
    expect("landed", after(agent, 3), "attack/recover");
    expect("attack", to_string(agent.process(press::attack)), "taken");
    expect("blows", std::to_string(f.combo), "2");
    expect("no third attack", after(agent, 7), "ready");

    std::puts("\na light hit has no effect, a hard hit does");
    agent.process(press::attack);
    f.holds_button = false;
    expect("during the attack", after(agent, 3), "attack/blow");
    expect("light hit", to_string(agent.process(hit{3})), "guarded");
    expect("dodge", to_string(agent.process(press::dodge)), "held");
    expect("hard hit", to_string(agent.process(hit{9})), "taken");
    expect("the dodge is dropped", after(agent, 5), "staggered");
    expect("0.1 s later", after(agent, 1), "ready");
}
