/// The whole fighter of steps 7 and 8, which is also the hero of samples/arena. A hit interrupts everything. A shield
/// and a dodge avoid hits.
#pragma once

#include <samples/fighter/weapons.hpp>

enum class notify { landed, revived }; // by the game

// [shield]
/// A blow is parried if it comes while the shield is raised, and blocked later. From behind, it hits.
class shield : public hsm::fsm<fighter> {
public:
    shield() : fsm("block") {
        auto& raise = add("raise");
        auto& guard = add("guard");
        auto& shaken = add("shaken").min_duration(160ms);
        on_update(brake(50));
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
// [/shield]

// [hero]
class hero : public hsm::fsm<fighter> {
public:
    explicit hero(std::string name) : fsm(std::move(name)) {
        for (const char* each : {"Moves", "OnGround", "Guards", "CanCancel"}) condition(each);
        conditions_declared();
        move.to(fight).on<press::attack>();
        move.on<press::swap>().then(
            hsm::named("next weapon", [](fighter& f) { f.in_hand = weapon((int(f.in_hand) + 1) % 3); }));
        fight.to(move.jump).on<press::jump>().when("CanCancel").when("OnGround");
        fight.to(move).on_finished();
        move.to(block).when("Guards").when("OnGround");
        block.to(move).when("!Guards");
        add_dodge();
        add_injuries();
    }

private:
    void add_dodge();
    void add_injuries();

    locomotion& move = add<locomotion>();
    attack& fight = add<attack>();
    shield& block = add<shield>();
    state& dodge = add("dodge").tag("safe");
    state& stunned = add("stunned");
    state& down = add("down").tag("safe");
    state& rise = add("rise").tag("safe");
    state& dead = add("dead").tag("safe");
};
// [/hero]

inline void hero::add_dodge() {
    const auto rested = hsm::named("rested", [](const fighter& f) { return f.stamina >= 25; });
    move.to(dodge).on<press::dodge>().when("OnGround").when(rested);
    fight.to(dodge).on<press::dodge>().when("CanCancel").when("OnGround").when(rested);
    dodge.to(fight).on<press::attack>();
    dodge.to(move).after(320ms);
    dodge.min_duration(220ms).on_update(brake(24)).on_enter([](fighter& f) {
        f.stamina -= 25;
        f.at.vx = (f.stick ? f.stick : -f.at.facing) * 1000;
    });
}

// [injuries]
inline void hero::add_injuries() {
    const auto hurt = hsm::named("hurt", [](fighter& f, const hit& h) {
        f.health -= h.damage;
        f.at.push(-500 * h.side, h.damage >= 24 ? 900 : 300);
    });
    const auto is_hard = hsm::named("hard", [](const fighter&, const hit& h) { return h.damage >= 24; });
    const auto behind = hsm::named("behind", [](const fighter& f, const hit& h) { return h.side != f.at.facing; });
    to(down).on<hit>().when(is_hard).unless_in(block, dodge, down, rise, dead).force().then(hurt);
    to(stunned).on<hit>().unless_in(block, dodge, down, rise, dead).force().then(hurt);
    block.to(down).on<hit>().when(behind).when(is_hard).force().then(hurt);
    block.to(stunned).on<hit>().when(behind).force().then(hurt);
    to(dead).when(hsm::named("is dead", [](const fighter& f) { return f.is_dead(); })).unless_in(dead).force().always();

    stunned.min_duration(200ms).on_update(brake(20));
    stunned.to(fight).on<press::attack>(); // waits until the stun allows it
    stunned.to(move).after(300ms);
    down.hold().on_update(brake(8));
    down.on<notify::landed>().then(hsm::named("release", [](fighter&, hsm::step<fighter>& s) { s.release(); }));
    down.to(rise);
    rise.on_update(brake(50));
    rise.to(move).after(500ms);
    dead.on_update(brake(12));
    dead.to(move).on<notify::revived>();
}
// [/injuries]

inline hsm::chart<fighter> make_hero() { return hsm::compile(hsm::make_fsm<hero>("fighter")); }
