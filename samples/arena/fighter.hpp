/// The fighter of docs/tutorial/fighter.md as the hero of a game: what the game knows about it.
#pragma once

#include "body.hpp"

#include <hsm/hsm.hpp>

namespace arena {

enum class press { jump, attack, release, let_fall, dodge, swap };
enum class notify { landed };
struct hit {
    int damage;
    int side; // from where: 1 right, -1 left
};
struct parried {};

enum weapon { sword_in_hand, bow_in_hand, spear_in_hand, weapons };

struct fighter {
    body at;
    int stick = 0; // -1, 0, 1
    int health = 100;
    int stamina = 100;
    int lives = 3;
    int in_hand = sword_in_hand;
    int checkpoint = 3 * tile; // pixels
    // What the machine wants from the world in this frame:
    int damage = 0, reach = 0; // a blow
    int shot = 0;              // an arrow with this damage
    int parried = 0;           // a blow was parried

    bool is_dead() const { return health <= 0; }
    bool has_bow() const { return in_hand == bow_in_hand; }
    bool has_spear() const { return in_hand == spear_in_hand; }
    void strike(int with, int how_far) {
        damage = with;
        reach = how_far;
    }
};

template <class A> void serialize(A& archive, fighter& f) {
    archive("at", f.at)("stick", f.stick)("health", f.health)("stamina", f.stamina)("lives", f.lives);
    archive("in hand", f.in_hand)("checkpoint", f.checkpoint)("damage", f.damage)("reach", f.reach);
    archive("shot", f.shot)("parried", f.parried);
}

hsm::chart<fighter> make_fighter();

} // namespace arena
