// Blows, missiles and their targets.

#include "world.hpp"

#include <algorithm>
#include <cstdlib>

namespace arena {

void world::show(effect_kind kind, int x, int y, int side) {
    auto& e = now.effects[static_cast<std::size_t>(now.next_effect)];
    e = {kind, x, y, side, now.frame};
    now.next_effect = (now.next_effect + 1) % static_cast<int>(now.effects.size());
}

void world::stop_for(int frames) { now.freeze = std::max(now.freeze, frames); }

void world::strike_of(const fighter& f) {
    const auto where = f.at.front(f.reach, 26);
    if (hit_enemies(where, {f.damage, -f.at.facing})) stop_for(f.damage >= 24 ? 6 : 3);
    now.swatted += swarm.swat_in(where);
    if (where.overlaps(gates.the_switch().bounds())) gates.send("switch", pulled{});
}

bool world::hit_enemies(const box& where, const hit& h) {
    bool any = false;
    for (auto& foe : enemies) {
        auto& e = foe.self;
        if (e.is_dead() || !where.overlaps(e.at.bounds())) continue;
        foe.machine.process(h);
        if (e.is_dead()) ++now.kills;
        show(e.is_dead() ? effect_kind::blood : effect_kind::spark, e.at.px(), e.at.py() - e.at.h / 2, h.side);
        any = true;
    }
    auto& w = boss.self;
    if (!w.is_dead() && where.overlaps(w.at.bounds())) {
        boss.machine.process(h);
        if (w.is_dead()) now.shake = 40;
        show(effect_kind::spark, w.at.px() + 8 * h.side, w.at.py() - 26, h.side);
        any = true;
    }
    return any;
}

void world::hit_hero(actor<fighter>& hero, const hit& h, const box& where) {
    auto& f = hero.self;
    f.parried = 0;
    const auto before = f.health;
    const auto result = hero.machine.process(h);
    const int x = std::clamp(where.x + where.w / 2, f.at.px() - 8, f.at.px() + 8), y = f.at.py() - 16;
    if (f.parried) {
        show(effect_kind::parry, x, y, h.side);
        stop_for(8);
    } else if (f.health < before) {
        show(f.is_dead() ? effect_kind::blood : effect_kind::spark, x, y, h.side);
        stop_for(4);
        now.shake = h.damage >= 24 ? 10 : 4;
    } else if (result == hsm::result::internal) {
        show(effect_kind::block, x, y, h.side);
    }
}

/// Returns whether a hero parried the blow.
bool world::strike_heroes(const body& from, int damage, int reach) {
    const auto where = from.front(reach, from.h);
    bool parried = false;
    for (auto& hero : heroes) {
        if (hero.self.is_dead() || !where.overlaps(hero.self.at.bounds())) continue;
        hit_hero(hero, {damage, -from.facing}, where);
        parried = parried || hero.self.parried;
    }
    return parried;
}

void world::launch(int x, int y, int vx, int vy, int damage, bool from_hero) {
    const auto is_free = [](const missile& m) { return m.lives == 0; };
    const auto found = std::find_if(now.missiles.begin(), now.missiles.end(), is_free);
    if (found != now.missiles.end()) *found = {x * unit, y * unit, vx, vy, damage, from_hero, 150};
}

void world::play_missiles() {
    for (auto& m : now.missiles) {
        if (!m.lives) continue;
        --m.lives;
        m.vy += 14;
        m.x += m.vx;
        m.y += m.vy;
        const box at = {m.x / unit - 4, m.y / unit - 2, 8, 4};
        const hit h = {m.damage, m.vx > 0 ? -1 : 1};
        if (place.hits(at)) {
            show(effect_kind::puff, at.x + 4, at.y);
            m.lives = 0;
        } else if (m.from_hero) {
            if (hit_enemies(at, h)) m.lives = 0;
            now.swatted += swarm.swat_in(at);
            if (at.overlaps(gates.the_switch().bounds())) gates.send("switch", pulled{});
        } else {
            for (auto& hero : heroes)
                if (m.lives && !hero.self.is_dead() && !hero.machine.is_in(hsm::tag("safe")) &&
                    at.overlaps(hero.self.at.bounds())) {
                    hit_hero(hero, h, at);
                    m.lives = 0;
                }
        }
    }
}

} // namespace arena
