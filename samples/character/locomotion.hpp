/// Movement of the character: on the ground, in the air, on a ladder.
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>
#include <hsm/define/named.hpp>

class on_ground : public hsm::fsm<character> {
public:
    on_ground() : fsm("ground") {
        auto& idle = add("idle").on_enter(&character::halt);
        auto& walk = add("walk").on_update(&character::walk);
        auto& crouch = add("crouch").on_enter(&character::halt);
        to(crouch).when(hsm::named("is ducking", &character::is_ducking)); // the first whose guard holds is taken
        to(walk).when(hsm::named("is walking", &character::is_walking));
        to(idle);
    }
};

class in_air : public hsm::fsm<character> {
public:
    in_air() : fsm("air") {
        auto& rise = add("rise");
        auto& fall = add("fall");
        dispatch(rise).when(hsm::named("is rising", &character::is_rising));
        dispatch(fall);
        rise.to(fall).when(hsm::no(hsm::named("is rising", &character::is_rising)));
    }
    void update(character& c) const { c.walk(); }
};

class locomotion : public hsm::fsm<character> {
public:
    locomotion();
};
