/// The weapons of the fighter. Each is a machine, and the attack chooses the machine of the weapon in the hand.
#pragma once

#include "fighter.hpp"

#include <string>

namespace arena {

/// A local of the sword: an attack press that waits for the cancel window.
struct combo {
    int pressed = 0;
    void press() { pressed = 1; }
};

/// One blow of the combo. In its window, the next blow, a jump or a dodge can replace the rest.
class blow : public hsm::fsm<fighter> {
public:
    blow(std::string name, int damage, int reach);

    state& wind_up = add("wind up");
    state& swing = add("swing");
    state& window = add("window");

private:
    state& done = add_final("done");
};

class sword : public hsm::fsm<fighter> {
public:
    sword();

private:
    static void follow(blow& first, blow& next, state& done);
};

/// A local of the bow: the damage grows while it is drawn.
struct pull {
    int damage = 6;
};

class bow : public hsm::fsm<fighter> {
public:
    bow();
};

class spear : public hsm::fsm<fighter> {
public:
    spear();
};

class attack : public hsm::fsm<fighter> {
public:
    attack();
};

} // namespace arena
