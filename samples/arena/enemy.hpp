/// The enemies whose machines are in enemies/*.xml, and the names that these files use.
#pragma once

#include <samples/fighter/fighter.hpp>

#include <hsm/hsm.hpp>

namespace arena {

enum enemy_kind { goblin, archer, brute, enemy_kinds };
constexpr const char* enemy_names[enemy_kinds] = {"goblin", "archer", "brute"};

struct parried {}; ///< an event of the attacker

struct enemy {
    body at;
    int kind = goblin;
    int health = 30;
    int home = 0; // pixels
    // Where its opponent is, set by the world before each tick:
    int ahead = 1000, above = 0; // pixels; negative: to the left, below
    // What the machine wants from the world in this frame:
    int damage = 0, reach = 0;
    int shot = 0;

    static enemy make(enemy_kind kind, int x, int y);
    int distance() const { return std::abs(ahead); }
    bool is_dead() const { return health <= 0; }
    void strike(int with, int how_far) {
        damage = with;
        reach = how_far;
    }
};

template <class A> void serialize(A& archive, enemy& e) {
    archive("at", e.at)("kind", e.kind)("health", e.health)("home", e.home)("ahead", e.ahead)("above", e.above);
    archive("damage", e.damage)("reach", e.reach)("shot", e.shot);
}

} // namespace arena
