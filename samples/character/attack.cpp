#include <samples/character/attack.hpp>

#include <samples/character/weapons.hpp>

namespace {

auto holding(weapon w) {
    return [w](const character& c) { return c.holds(w); };
}

} // namespace

attack::attack() : fsm("attack") {
    auto& lash = add<whip>();
    auto& slash = add<sword>();
    auto& shoot = add<archery>(&character::longbow);
    auto& hurl = add<throwing>();
    auto& done = add_final("done");

    dispatch(hurl).when(hsm::named("wants to throw", &character::wants_to_throw));
    dispatch(shoot).when(hsm::named("holds the bow", holding(weapon::bow)));
    dispatch(slash).when(hsm::named("holds the sword", holding(weapon::sword)));
    dispatch(lash);

    lash.to(done).on_finished();
    slash.to(done).on_finished();
    shoot.to(done).on_finished();
    hurl.to(done).on_finished();
}

/// On the ground the character stands still to strike; in the air it continues to fly.
void attack::enter(character& c) const {
    if (c.is_grounded()) c.halt();
}

void attack::update(character& c) const {
    if (c.is_grounded()) c.halt();
    if (c.longbow.arrow > 0) c.shoot();
}
