/// The boss of the lair. One region chooses its moves, the other its mood. After a stagger, history returns to both.
#pragma once

#include "enemy.hpp"

#include <hsm/hsm.hpp>

namespace arena {

struct wake {};

struct warlord : opponent {
    static constexpr int strength = 320;

    int poise = 70; // at 0, it staggers
    int turn = 0;   // counts its attacks
    int volley = 0; // this many orbs in this frame
};

template <class A> void serialize(A& archive, warlord& w) {
    serialize(archive, static_cast<opponent&>(w));
    archive("poise", w.poise)("turn", w.turn)("volley", w.volley);
}

hsm::chart<warlord> make_warlord();

} // namespace arena
