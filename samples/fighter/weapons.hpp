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

/// One blow of the combo. In the state `window`, the next blow or a jump can cut it short.
class blow : public hsm::fsm<fighter> {
public:
    blow(std::string name, int damage) : fsm(std::move(name)) {
        swing.on_enter(hsm::named("hit", [damage](fighter& f, combo& c) {
            f.dealt += damage;
            c.pressed = false;
        }));
        swing.to(window).after(300ms);
        window.to(done).after(200ms); // too late
        window.on_enter([](fighter&, hsm::step<fighter>& s) { s.set("CanCancel"); });
        window.on_exit([](fighter&, hsm::step<fighter>& s) { s.clear("CanCancel"); });
    }

    state& swing = add("swing");
    state& window = add("window");

private:
    state& done = add_final("done");
};

class sword : public hsm::fsm<fighter> {
public:
    sword() : fsm("sword") {
        local<combo>();
        auto& slash = add<blow>("slash", 10);
        auto& stab = add<blow>("stab", 15);
        auto& smash = add<blow>("smash", 30);
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
    int damage = 0;
};

class bow : public hsm::fsm<fighter> {
public:
    bow() : fsm("bow") {
        local<pull>();
        auto& draw = add("draw").on_update([](fighter&, pull& p) { p.damage += 5; });
        auto& aim = add("aim");
        auto& loose =
            add("loose").on_enter(hsm::named("shoot", [](fighter& f, const pull& p) { f.dealt += p.damage; }));
        auto& done = add_final("done");
        draw.to(loose).on<press::release>();
        draw.to(aim).after(500ms); // fully drawn
        aim.to(loose).on<press::release>();
        loose.to(done).after(200ms);
    }
};
// [/bow]

// [attack]
class attack : public hsm::fsm<fighter> {
public:
    attack() : fsm("attack") {
        auto& shoot = add<bow>();
        auto& cut = add<sword>();
        auto& done = add_final("done");
        dispatch(shoot).when(hsm::named("has bow", &fighter::has_bow));
        dispatch(cut); // otherwise
        shoot.to(done).on_finished();
        cut.to(done).on_finished();
    }
};
// [/attack]
