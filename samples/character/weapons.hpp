/// The weapons: each is a machine that begins with a stroke and ends in its final state. Frames are those of 60 Hz.
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

class whip : public hsm::fsm<character> {
public:
    whip();
};

/// Up to three strokes: attacking during a stroke adds the next one.
class sword : public hsm::fsm<character> {
public:
    sword();
};

/// A machine with the bow as its context: it does not depend on characters.
class archery : public hsm::fsm<bow> {
public:
    archery();
    void enter(bow& b) const { b.draw = 0; }
};

/// Throws a missile when the player presses up and attack. Each missile costs a heart.
class throwing : public hsm::fsm<character> {
public:
    throwing();
};
