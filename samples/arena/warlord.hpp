/// The boss of the lair. One region chooses its moves, the other its mood. After a stagger, history returns to both.
#pragma once

#include "enemy.hpp"

#include <hsm/hsm.hpp>

#include <algorithm>
#include <chrono>

namespace arena {

using namespace std::chrono_literals;

struct wake {};

struct warlord : opponent {
    static constexpr int strength = 320;

    warlord() : opponent{{.w = 26, .h = 48, .facing = -1}, strength} {}

    int poise = 70; // at 0, it staggers
    int turn = 0;   // counts its attacks
    int volley = 0; // the number of orbs that it throws in this frame
};

template <class A> void serialize(A& archive, warlord& w) {
    serialize(archive, static_cast<opponent&>(w));
    archive("poise", w.poise)("turn", w.turn)("volley", w.volley);
}

inline void halt(warlord& w) { w.at.brake(40); }
inline void turn_to(warlord& w) { w.at.face(w.ahead); }

/// A move: it is announced, it happens, and it leaves the boss open for a while.
class act : public hsm::fsm<warlord> {
public:
    act(std::string name, hsm::time_span announced, hsm::time_span open) : fsm(std::move(name)) {
        tell.on_enter(turn_to).on_update(halt).tag("announces");
        recover.on_update(halt);
        tell.to(deed).after(announced);
        recover.to(done).after(open);
        on_enter([](warlord& w) { ++w.turn; });
    }

    state& tell = add("tell");
    state& deed = add("deed");
    state& recover = add("recover");

private:
    state& done = add_final("done");
};

class moves : public hsm::fsm<warlord> {
public:
    moves() : fsm("moves") {
        const auto near = hsm::named("near", [](const warlord& w) { return w.distance() < 52; });
        const auto every_third = hsm::named("every third", [](const warlord& w) { return w.turn % 3 == 2; });
        auto& stalk = add("stalk");
        stalk.on_update([](warlord& w) {
            turn_to(w);
            w.at.accelerate(240 * w.at.facing, 24);
        });

        auto& cleave = add<act>("cleave", 480ms, 600ms);
        cleave.deed.on_enter([](warlord& w) {
            w.strike(22, 64);
            w.at.vx = 500 * w.at.facing;
        });
        cleave.deed.to(cleave.recover).after(180ms);

        auto& leap = add<act>("leap", 350ms, 700ms);
        leap.deed.on_enter([](warlord& w) { w.at.push(std::clamp(w.ahead, -150, 150) * 6, 1350); });
        leap.deed.to(leap.recover).when("OnGround").after(200ms).then([](warlord& w) { w.strike(28, 56); });

        auto& volley = add<act>("volley", 600ms, 500ms);
        volley.deed.on_enter([](warlord& w) { w.volley = 5; });
        volley.deed.to(volley.recover).after(300ms);

        stalk.to(volley).when("Furious").when(every_third).after(700ms);
        stalk.to(leap).when("Angry").after(900ms);
        stalk.to(cleave).when(near);
        stalk.to(leap).after(3s); // its opponent runs away
        for (auto* move : {&cleave, &leap, &volley}) move->to(stalk).on_finished();
    }
};

class mood : public hsm::fsm<warlord> {
public:
    mood() : fsm("mood") {
        auto& calm = add("calm");
        auto& angry = add("angry").on_enter([](warlord&, hsm::step<warlord>& s) { s.set("Angry"); });
        auto& furious = add("furious").on_enter([](warlord&, hsm::step<warlord>& s) { s.set("Furious"); });
        calm.to(angry).when(hsm::named("hurt", [](const warlord& w) { return w.health < warlord::strength * 2 / 3; }));
        angry.to(furious).when(hsm::named("worn", [](const warlord& w) { return w.health < warlord::strength / 3; }));
    }
};

inline hsm::chart<warlord> make_warlord() {
    auto root = hsm::make_fsm<warlord>("warlord");
    for (const char* name : {"Angry", "Furious", "OnGround"}) root->condition(name);
    root->conditions_declared();
    auto& asleep = root->add("asleep").on_update(halt);
    auto& fight = root->add_parallel("fight");
    fight.add<moves>();
    fight.add<mood>();
    fight.remembers_deep();
    auto& staggered = root->add("staggered").on_update(halt);
    auto& dead = root->add("dead").on_update(halt);

    asleep.to(fight).on<wake>();
    staggered.to(fight).after(1400ms).then([](warlord& w) { w.poise = 70; }); // to the leaves of both regions
    root->to(dead).when(hsm::named("is dead", &warlord::is_dead)).force().always();
    fight.to(staggered).when(hsm::named("off balance", [](const warlord& w) { return w.poise <= 0; }));
    fight.on<parried>().then([](warlord& w) { w.poise -= 40; });
    root->on<hit>().unless_in(dead, asleep).then(hsm::named("hurt", [](warlord& w, const hit& h) {
        w.health -= h.damage;
        w.poise -= h.damage;
    }));
    return hsm::compile(std::move(root));
}

} // namespace arena
