// The world as bytes: images of the machines, their contexts, and the scene.

#include "bytes.hpp"
#include "world.hpp"

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/manager_image.hpp>

namespace arena {

template <class A> void serialize(A& archive, missile& m) {
    archive("x", m.x)("y", m.y)("vx", m.vx)("vy", m.vy)("damage", m.damage)("from hero", m.from_hero)("lives", m.lives);
}
/// Without effects, which have no influence.
template <class A> void serialize(A& archive, scene& s) {
    archive("frame", s.frame)("freeze", s.freeze)("bitten", s.bitten)("kills", s.kills)("swatted", s.swatted);
    archive("awake", s.awake)("won", s.won)("held", s.held)("lives", s.lives)("checkpoints", s.checkpoints)("missiles",
                                                                                                            s.missiles);
}

namespace {

/// Calls f for each context with its machine.
template <class World, class F> void each_actor(World& game, F f) {
    for (auto& hero : game.heroes) f(hero);
    for (auto& foe : game.enemies) f(foe);
    f(game.boss);
}

} // namespace

std::vector<std::byte> world::save() const {
    writer out;
    out.value(now);
    each_actor(*this, [&out](const auto& of) { out.value(of.self), out.bytes(hsm::save(of.machine)); });
    out.bytes(hsm::save(swarm.herd()));
    out.bytes(hsm::save(gates.machines(), gates.kinds()));
    return std::move(out.all);
}

void world::load(std::span<const std::byte> saved) {
    reader in{saved};
    in.value(now);
    each_actor(*this, [&in](auto& to) { in.value(to.self), hsm::restore(to.machine, in.bytes()); });
    hsm::restore(swarm.herd(), in.bytes());
    hsm::restore(gates.machines(), gates.kinds(), in.bytes());
    gates.barriers(place.barriers);
}

std::uint64_t world::hash() const {
    std::uint64_t all = hsm::hash_of(now);
    const auto add = [&all](std::uint64_t more) { all = (all ^ more) * 0x9E3779B97F4A7C15u + (all >> 29); };
    each_actor(*this, [&add](const auto& of) { add(hsm::hash(of.machine)), add(hsm::hash_of(of.self)); });
    add(hsm::hash(swarm.herd()));
    add(hsm::hash(gates.machines(), gates.kinds()));
    return all;
}

} // namespace arena
