/// The enemies whose machines are in enemies/*.xml, and the names that these files use.
#pragma once

#include <samples/fighter/fighter.hpp>

#include <hsm/hsm.hpp>

namespace arena {

enum enemy_kind { goblin, archer, brute, enemy_kinds };
constexpr const char* enemy_names[enemy_kinds] = {"goblin", "archer", "brute"};

struct parried {}; ///< an event of the attacker

/// The part of a context that enemies and the boss share.
struct opponent {
    body at;
    int health = 30;
    // Where its prey is, set by the world before each tick:
    int ahead = 1000, above = 0; // pixels; negative: to the left, below
    // What the machine wants from the world in this frame:
    int damage = 0, reach = 0;

    int distance() const { return std::abs(ahead); }
    bool is_dead() const { return health <= 0; }
    void strike(int with, int how_far) {
        damage = with;
        reach = how_far;
    }
};

template <class A> void serialize(A& archive, opponent& o) {
    archive("at", o.at)("health", o.health)("ahead", o.ahead)("above", o.above)("damage", o.damage)("reach", o.reach);
}

struct enemy : opponent {
    int kind = goblin;
    int home = 0; // pixels
    int shot = 0; // an arrow with this damage

    static enemy make(enemy_kind kind, int x, int y);
};

template <class A> void serialize(A& archive, enemy& e) {
    serialize(archive, static_cast<opponent&>(e));
    archive("kind", e.kind)("home", e.home)("shot", e.shot);
}

} // namespace arena
