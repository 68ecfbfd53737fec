// The world as bytes: images of the machines, their contexts, and the scene.

#include "world.hpp"

#include <hsm/save/crowd_image.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <hsm/save/manager_image.hpp>

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace arena {

namespace {

class writer {
public:
    void bytes(std::span<const std::byte> of) {
        value(of.size());
        all.insert(all.end(), of.begin(), of.end());
    }
    template <class T> void value(const T& of) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* first = reinterpret_cast<const std::byte*>(&of);
        all.insert(all.end(), first, first + sizeof of);
    }
    template <class Context> void machine(const actor<Context>& of) {
        value(of.self);
        bytes(hsm::save(of.machine));
    }

    std::vector<std::byte> all;
};

class reader {
public:
    explicit reader(std::span<const std::byte> from) : rest_(from) {}
    std::span<const std::byte> bytes() {
        std::size_t size = 0;
        value(size);
        return take(size);
    }
    template <class T> void value(T& to) { std::memcpy(&to, take(sizeof to).data(), sizeof to); }
    template <class Context> void machine(actor<Context>& to) {
        value(to.self);
        hsm::restore(to.machine, bytes());
    }

private:
    std::span<const std::byte> take(std::size_t size) {
        if (size > rest_.size()) throw std::out_of_range("the saved world is incomplete");
        const auto taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }
    std::span<const std::byte> rest_;
};

} // namespace

template <class A> void serialize(A& archive, missile& m) {
    archive("x", m.x)("y", m.y)("vx", m.vx)("vy", m.vy)("damage", m.damage)("from hero", m.from_hero)("lives", m.lives);
}
/// Without effects, which have no influence.
template <class A> void serialize(A& archive, scene& s) {
    archive("frame", s.frame)("freeze", s.freeze)("bitten", s.bitten)("kills", s.kills)("swatted", s.swatted);
    archive("awake", s.awake)("won", s.won)("held", s.held)("lives", s.lives)("checkpoints", s.checkpoints)("missiles",
                                                                                                            s.missiles);
}

std::vector<std::byte> world::save() const {
    writer out;
    out.value(scene_);
    for (const auto& hero : heroes_) out.machine(hero);
    for (const auto& foe : enemies_) out.machine(foe);
    out.machine(boss_);
    out.bytes(hsm::save(bats_.herd()));
    out.bytes(hsm::save(doors_.machines(), doors_.kinds()));
    return std::move(out.all);
}

void world::load(std::span<const std::byte> saved) {
    reader in(saved);
    in.value(scene_);
    for (auto& hero : heroes_) in.machine(hero);
    for (auto& foe : enemies_) in.machine(foe);
    in.machine(boss_);
    hsm::restore(bats_.herd(), in.bytes());
    hsm::restore(doors_.machines(), doors_.kinds(), in.bytes());
    doors_.barriers(level_.barriers);
}

std::uint64_t world::hash() const {
    std::uint64_t all = hsm::hash_of(scene_);
    const auto add = [&all](std::uint64_t more) { all = (all ^ more) * 0x9E3779B97F4A7C15u + (all >> 29); };
    const auto add_machine = [&add](const auto& of) { add(hsm::hash(of.machine)), add(hsm::hash_of(of.self)); };
    for (const auto& hero : heroes_) add_machine(hero);
    for (const auto& foe : enemies_) add_machine(foe);
    add_machine(boss_);
    add(hsm::hash(bats_.herd()));
    add(hsm::hash(doors_.machines(), doors_.kinds()));
    return all;
}

} // namespace arena
