// Blows, missiles and their targets.

#include "world.hpp"

#include <algorithm>

namespace arena {

void world::show(effect_kind kind, int x, int y, int side) {
    auto& e = now.effects[static_cast<std::size_t>(now.next_effect)];
    e = {kind, x, y, side, now.frame};
    now.next_effect = (now.next_effect + 1) % static_cast<int>(now.effects.size());
}

void world::stop_for(int frames) { now.freeze = std::max(now.freeze, frames); }

bool world::hit_foes(const box& where, const hit& h) {
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
    now.swatted += swarm.swat_in(where);
    if (where.overlaps(gates.the_switch().bounds())) gates.send("switch", pulled{});
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

world::blow world::hit_heroes(const box& where, const hit& h) {
    auto result = blow::missed;
    for (auto& hero : heroes) {
        const bool is_safe = hero.self.is_dead() || hero.machine.is_in(hsm::tag("safe"));
        if (is_safe || !where.overlaps(hero.self.at.bounds())) continue;
        hit_hero(hero, h, where);
        if (result != blow::parried) result = hero.self.parried ? blow::parried : blow::hit;
    }
    return result;
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
        } else if (m.from_hero ? hit_foes(at, h) : hit_heroes(at, h) != blow::missed) {
            m.lives = 0;
        }
    }
}

} // namespace arena
