/// Fighting: a machine whose substates are weapons, each of them a machine. It is finished when its weapon is.
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

class attack : public hsm::fsm<character> {
public:
    attack();
    void enter(character& c) const;
    void update(character& c) const;
};
