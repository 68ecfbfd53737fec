#include "weapons.hpp"

#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace arena {

namespace {

void set_can_cancel(fighter&, hsm::step<fighter>& s) { s.set("CanCancel"); }
void clear_can_cancel(fighter&, hsm::step<fighter>& s) { s.clear("CanCancel"); }

} // namespace

blow::blow(std::string name, int damage, int reach) : fsm(std::move(name)) {
    wind_up.on_enter([](fighter& f, combo& c) {
        c.pressed = 0;
        f.at.face(f.stick);
        if (f.at.grounded) f.at.vx = 300 * f.at.facing;
    });
    swing.on_enter([damage, reach](fighter& f) { f.strike(damage, reach); });
    window.on_enter(set_can_cancel).on_exit(clear_can_cancel);
    wind_up.to(swing).after(80ms);
    swing.to(window).after(110ms);
    window.to(done).after(200ms); // too late
}

sword::sword() : fsm("sword") {
    local<combo>();
    auto& slash = add<blow>("slash", 10, 34);
    auto& stab = add<blow>("stab", 15, 40);
    auto& smash = add<blow>("smash", 40, 36);
    auto& done = add_final("done");
    follow(slash, stab, done);
    follow(stab, smash, done);
    smash.to(done).on_finished();
}

void sword::follow(blow& first, blow& next, state& done) {
    first.on<press::attack>().after(60ms).then(hsm::named("remember", &combo::press)); // not earlier
    first.window.to(next).when(hsm::named("pressed", [](const combo& c) { return c.pressed != 0; }));
    first.to(done).on_finished();
}

bow::bow() : fsm("bow") {
    local<pull>();
    auto& draw = add("draw");
    auto& aim = add("aim");
    auto& loose = add("loose").on_enter([](fighter& f, const pull& p) { f.shot = p.damage; });
    auto& done = add_final("done");
    draw.every(80ms).then([](fighter&, pull& p) { p.damage += 4; });
    draw.to(loose).on<press::release>();
    draw.to(aim).after(500ms); // fully drawn
    aim.to(loose).on<press::release>();
    loose.to(done).after(180ms);
}

spear::spear() : fsm("spear") {
    local<combo>();
    auto& ready = add("ready").on_enter([](fighter& f) { f.at.face(f.stick); });
    auto& thrust = add("thrust").on_enter([](fighter& f) { f.strike(16, 62); });
    auto& back = add("back").on_enter(set_can_cancel).on_exit(clear_can_cancel);
    auto& sweep = add("sweep").on_enter([](fighter& f) {
        f.strike(24, 48);
        f.at.vx = 500 * f.at.facing;
    });
    auto& done = add_final("done");
    on<press::attack>().after(100ms).then(hsm::named("remember", &combo::press));
    ready.to(thrust).after(140ms);
    thrust.to(back).after(120ms);
    back.to(sweep).when(hsm::named("pressed", [](const combo& c) { return c.pressed != 0; }));
    back.to(done).after(240ms);
    sweep.to(done).after(300ms);
}

attack::attack() : fsm("attack") {
    auto& shoot = add<bow>();
    auto& poke = add<spear>();
    auto& cut = add<sword>();
    auto& done = add_final("done");
    dispatch(shoot).when(hsm::named("has bow", &fighter::has_bow));
    dispatch(poke).when(hsm::named("has spear", &fighter::has_spear));
    dispatch(cut); // otherwise
    shoot.to(done).on_finished();
    poke.to(done).on_finished();
    cut.to(done).on_finished();
    on_update([](fighter& f) {
        if (f.at.grounded) f.at.brake(28);
    });
}

} // namespace arena
