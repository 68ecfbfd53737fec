#include "fighter.hpp"

#include "weapons.hpp"

#include <chrono>
#include <string>
#include <utility>

using namespace std::chrono_literals;

namespace arena {

namespace {

constexpr int speed = 520; // sub-pixels per frame

void steer(fighter& f) {
    f.at.face(f.stick);
    f.at.accelerate(f.stick * speed, 36);
}

class locomotion : public hsm::fsm<fighter> {
public:
    locomotion() : fsm("move") {
        idle.to(run).when("Moves");
        run.to(idle).when("!Moves");
        to(jump).on<press::jump>().when("OnGround"); // from each substate
        idle.to(fall).when("!OnGround");
        run.to(fall).when("!OnGround");
        jump.to(fall).when(hsm::named("sinks", [](const fighter& f) { return f.at.vy > 0; }));
        fall.to(idle).when("OnGround");
        idle.on_update([](fighter& f) { f.at.brake(50); });
        run.on_update(steer);
        fall.on_update(steer);
        jump.on_update(steer);
        jump.on_enter([](fighter& f, hsm::step<fighter>& s) {
            f.at.push(f.at.vx, 1290);
            s.clear("OnGround");
        });
        jump.on<press::let_fall>().then([](fighter& f) { f.at.vy /= 2; }); // a shorter jump
    }

    state& idle = add("idle");
    state& run = add("run");
    state& jump = add("jump");
    state& fall = add("fall");
};

/// A blow is parried if it comes while the shield is raised, and blocked later. From behind, it hits.
class shield : public hsm::fsm<fighter> {
public:
    shield() : fsm("block") {
        auto& raise = add("raise");
        auto& guard = add("guard");
        auto& shaken = add("shaken").min_duration(160ms);
        on_enter([](fighter&, hsm::step<fighter>& s) { s.set("Blocking"); });
        on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("Blocking"); });
        on_update([](fighter& f) { f.at.brake(50); });
        raise.to(guard).after(200ms);
        raise.on<hit>().then(hsm::named("parry", [](fighter& f) { f.parried = 1; }));
        for (auto* up : {&guard, &shaken})
            up->on<hit>().then(hsm::named("block", [](fighter& f, const hit& h) {
                f.stamina -= h.damage;
                f.at.vx = -300 * h.side;
            }));
        guard.to(shaken).when(hsm::named("is tired", [](const fighter& f) { return f.stamina <= 0; }));
        shaken.to(guard).after(500ms).then([](fighter& f) { f.stamina = 30; });
    }
};

void add_injuries(hsm::fsm<fighter>& root, hsm::state<fighter>& move, hsm::state<fighter>& fight) {
    auto& stunned = root.add("stunned").min_duration(180ms).on_update([](fighter& f) { f.at.brake(20); });
    auto& down = root.add("down").hold().on_update([](fighter& f) { f.at.brake(8); });
    auto& rise = root.add("rise").on_update([](fighter& f) { f.at.brake(50); });
    auto& dead = root.add("dead").on_update([](fighter& f) { f.at.brake(12); });
    auto& over = root.add("over").on_update([](fighter& f) { f.at.brake(12); });

    const auto hurt = hsm::named("hurt", [](fighter& f, const hit& h) {
        f.health -= h.damage;
        f.at.push(-500 * h.side, h.damage >= 24 ? 900 : 300);
    });
    const auto is_hard = hsm::named("hard", [](const fighter&, const hit& h) { return h.damage >= 24; });
    const auto behind = hsm::named("behind", [](const fighter& f, const hit& h) { return h.side != f.at.facing; });
    const auto unblocked = hsm::any("!Blocking", behind);
    const auto is_dead = hsm::named("is dead", &fighter::is_dead);
    root.to(down).on<hit>().when(is_hard).when(unblocked).when("!Safe").force().then(hurt);
    root.to(stunned).on<hit>().when(unblocked).when("!Safe").force().then(hurt);
    root.to(dead).when(is_dead).unless_in(dead, over).force().always();

    stunned.to(fight).on<press::attack>(); // waits until the stun allows it
    stunned.to(move).after(300ms);
    down.on<notify::landed>().then(hsm::named("release", [](fighter&, hsm::step<fighter>& s) { s.release(); }));
    down.to(rise);
    rise.to(move).after(500ms);
    dead.to(over).when(hsm::named("no life left", [](const fighter& f) { return f.lives <= 1; })).after(1s);
    dead.to(move).after(2s).then(hsm::named("revive", [](fighter& f) {
        --f.lives;
        f.health = f.stamina = 100;
        f.at.x = f.checkpoint * unit;
        f.at.y = 8 * tile * unit;
        f.at.push(0, 0);
    }));
    for (auto* safe : {&down, &rise, &dead, &over}) {
        safe->on_enter([](fighter&, hsm::step<fighter>& s) { s.set("Safe"); });
        safe->on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("Safe"); });
    }
}

} // namespace

hsm::chart<fighter> make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    for (const char* name : {"Moves", "OnGround", "Guards", "CanCancel", "Blocking", "Safe"}) root->condition(name);
    root->conditions_declared();
    auto& move = root->add<locomotion>();
    auto& fight = root->add<attack>();
    auto& dodge = root->add("dodge").min_duration(220ms);
    auto& block = root->add<shield>();

    move.to(fight).on<press::attack>();
    fight.to(move.jump).on<press::jump>().when("CanCancel").when("OnGround");
    fight.to(move).on_finished();

    const auto rested = hsm::named("rested", [](const fighter& f) { return f.stamina >= 25; });
    move.to(dodge).on<press::dodge>().when("OnGround").when(rested);
    fight.to(dodge).on<press::dodge>().when("CanCancel").when("OnGround").when(rested);
    dodge.on_enter([](fighter& f, hsm::step<fighter>& s) {
        f.stamina -= 25;
        f.at.vx = (f.stick ? f.stick : -f.at.facing) * 1000;
        s.set("Safe");
    });
    dodge.on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("Safe"); });
    dodge.on_update([](fighter& f) { f.at.brake(24); });
    dodge.to(fight).on<press::attack>();
    dodge.to(move).after(320ms);

    move.to(block).when("Guards").when("OnGround");
    block.to(move).when("!Guards");
    move.on<press::swap>().then([](fighter& f) { f.in_hand = (f.in_hand + 1) % weapons; });

    add_injuries(*root, move, fight);
    return hsm::compile(std::move(root));
}

} // namespace arena
