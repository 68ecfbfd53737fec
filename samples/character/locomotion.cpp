#include <samples/character/locomotion.hpp>

#include <samples/character/frames.hpp>

locomotion::locomotion() : fsm("move") {
    auto& ground = add<on_ground>();
    auto& air = add<in_air>();
    auto& land = add("land").on_enter(&character::halt);
    auto& climb = add("climb").on_enter(&character::hang_on).on_update(&character::climb).on_exit(&character::let_go);

    dispatch(ground).when(
        hsm::named("is grounded", &character::is_grounded)); // after a fight the character may be in the air
    dispatch(air);

    ground.to(air).on<press::jump>().then(hsm::named("jump", &character::jump));
    ground.to(air).when(hsm::no(hsm::named("is grounded", &character::is_grounded)));
    air.to(land).when(hsm::named("landed hard", &character::landed_hard)).priority(1);
    air.to(ground).when(hsm::named("is grounded", &character::is_grounded));
    land.to(ground).after(frames(12));

    ground.to(climb).when(hsm::named("can climb", &character::can_climb));
    air.to(climb).when(hsm::named("can climb", &character::can_climb));
    climb.to(air).on<press::jump>();
    climb.to(ground)
        .when(hsm::named("is above ladder", &character::is_above_ladder))
        .then(hsm::named("vault", &character::vault))
        .priority(1);
    climb.to(ground).when(hsm::named("is grounded", &character::is_grounded));

    on<press::select>().then(hsm::named("change weapon", &character::change_weapon));
}
