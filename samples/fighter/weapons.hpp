/// The weapons of steps 5 to 8. Each is a machine class.
#pragma once

#include <samples/fighter/fighter.hpp>

#include <string>
#include <utility>

// [sword]
/// A local of the sword: it records a press of the attack button until the state `window`.
struct combo {
    bool pressed = false;
    void press() { pressed = true; }
};

/// One blow of the combo. In the state `window`, the next blow, a jump or a dodge can cut it short.
class blow : public hsm::fsm<fighter> {
public:
    blow(std::string name, int damage, int reach) : fsm(std::move(name)) {
        wind_up.on_enter(hsm::named("step forward", [](fighter& f, combo& c) {
            c.pressed = false;
            f.at.face(f.stick);
            if (f.at.grounded) f.at.vx = 300 * f.at.facing;
        }));
        swing.on_enter(hsm::named("hit", [damage, reach](fighter& f) { f.strike(damage, reach); }));
        window.on_enter([](fighter&, hsm::step<fighter>& s) { s.set("CanCancel"); });
        window.on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("CanCancel"); });
        wind_up.to(swing).after(100ms);
        swing.to(window).after(100ms);
        window.to(done).after(200ms); // too late
    }

    state& wind_up = add("wind up");
    state& swing = add("swing");
    state& window = add("window");

private:
    state& done = add_final("done");
};

class sword : public hsm::fsm<fighter> {
public:
    sword() : fsm("sword") {
        local<combo>();
        auto& slash = add<blow>("slash", 10, 34);
        auto& stab = add<blow>("stab", 15, 40);
        auto& smash = add<blow>("smash", 40, 36);
        auto& done = add_final("done");
        follow(slash, stab, done);
        follow(stab, smash, done);
        smash.to(done).on_finished();
    }

private:
    static void follow(blow& first, blow& next, state& done) {
        first.on<press::attack>().after(100ms).then(hsm::named("remember", &combo::press)); // not earlier
        first.window.to(next).when(hsm::named("pressed", &combo::pressed));
        first.to(done).on_finished();
    }
};
// [/sword]

// [bow]
/// A local of the bow: its damage grows while the bow is drawn.
struct pull {
    int damage = 10;
};

class bow : public hsm::fsm<fighter> {
public:
    bow() : fsm("bow") {
        local<pull>();
        auto& draw = add("draw");
        auto& aim = add("aim");
        auto& loose = add("loose").on_enter(hsm::named("shoot", [](fighter& f, const pull& p) { f.shot = p.damage; }));
        auto& done = add_final("done");
        draw.every(100ms).then(hsm::named("pull", [](fighter&, pull& p) { p.damage += 5; }));
        draw.to(loose).on<press::release>();
        draw.to(aim).after(500ms); // fully drawn
        aim.to(loose).on<press::release>();
        loose.to(done).after(200ms);
    }
};
// [/bow]

/// Reaches far. A press that comes in time adds a sweep to the thrust.
class spear : public hsm::fsm<fighter> {
public:
    spear() : fsm("spear") {
        local<combo>();
        auto& ready = add("ready").on_enter([](fighter& f) { f.at.face(f.stick); });
        auto& thrust = add("thrust").on_enter([](fighter& f) { f.strike(16, 62); });
        auto& back = add("back");
        auto& sweep = add("sweep").on_enter([](fighter& f) {
            f.strike(24, 48);
            f.at.vx = 500 * f.at.facing;
        });
        auto& done = add_final("done");
        back.on_enter([](fighter&, hsm::step<fighter>& s) { s.set("CanCancel"); });
        back.on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("CanCancel"); });
        on<press::attack>().after(100ms).then(hsm::named("remember", &combo::press));
        ready.to(thrust).after(140ms);
        thrust.to(back).after(120ms);
        back.to(sweep).when(hsm::named("pressed", &combo::pressed));
        back.to(done).after(240ms);
        sweep.to(done).after(300ms);
    }
};

// [attack]
class attack : public hsm::fsm<fighter> {
public:
    attack() : fsm("attack") {
        auto& shoot = add<bow>();
        auto& poke = add<spear>();
        auto& cut = add<sword>();
        auto& done = add_final("done");
        dispatch(shoot).when(hsm::named("has bow", [](const fighter& f) { return f.in_hand == weapon::bow; }));
        dispatch(poke).when(hsm::named("has spear", [](const fighter& f) { return f.in_hand == weapon::spear; }));
        dispatch(cut); // otherwise
        shoot.to(done).on_finished();
        poke.to(done).on_finished();
        cut.to(done).on_finished();
        on_update(hsm::named("brake", [](fighter& f) {
            if (f.at.grounded) f.at.brake(28);
        }));
    }
};
// [/attack]
