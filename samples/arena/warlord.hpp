/// The boss of the lair. One region chooses its moves, the other its mood. After a stagger, history returns to both.
#pragma once

#include "enemy.hpp"

#include <hsm/hsm.hpp>

namespace arena {

struct wake {};

struct warlord {
    static constexpr int strength = 320;

    body at;
    int health = strength;
    int poise = 70; // at 0, it staggers
    int turn = 0;   // counts its attacks
    // Where its opponent is, set by the world before each tick:
    int ahead = 1000, above = 0; // pixels
    // What the machine wants from the world in this frame:
    int damage = 0, reach = 0;
    int volley = 0; // this many orbs

    int distance() const { return std::abs(ahead); }
    bool is_dead() const { return health <= 0; }
    void strike(int with, int how_far) {
        damage = with;
        reach = how_far;
    }
};

template <class A> void serialize(A& archive, warlord& w) {
    archive("at", w.at)("health", w.health)("poise", w.poise)("turn", w.turn)("ahead", w.ahead)("above", w.above);
    archive("damage", w.damage)("reach", w.reach)("volley", w.volley);
}

hsm::chart<warlord> make_warlord();

} // namespace arena
