/// Fighting: a machine whose substates are weapons, each a machine of its own. It is over when its weapon is.
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

class attack : public hsm::fsm<character> {
public:
    attack();
    void enter(character& c) const;
    void update(character& c) const;
};
