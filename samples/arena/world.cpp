#include "world.hpp"

#include <samples/fighter/hero.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace arena {

world::world(const world_options& how) : boss(make_warlord(), {}), swarm(make_bat(), place, how.bats), gates(place) {
    for (const char* name : enemy_names) files_.emplace_back(names_, how.enemies + '/' + name + ".xml");
    const auto hero_chart = make_hero();
    for (const auto& m : place.marks()) {
        if (m.kind == 'W') boss.self.at.x = m.x * unit, boss.self.at.y = m.y * unit;
        for (int i = 0; m.kind == 'h' && i < how.players; ++i)
            heroes.emplace_back(hero_chart, fighter{.at = body::at(m.x - 20 * i, m.y, 1)});
        for (const auto kind : {goblin, archer, brute})
            if (m.kind == enemy_names[kind][0]) {
                enemies.emplace_back(files_[kind].chart(), enemy::make(kind, m.x, m.y),
                                     hsm::instance_options{.seed = how.seed, .stream = enemies.size()});
                files_[kind].attach(enemies.back().machine);
            }
    }
    gates.barriers(place.barriers);
}

std::vector<std::string> world::reload() {
    std::vector<std::string> shown;
    for (auto& file : files_) {
        const auto seen = file.poll();
        if (seen.status == hsm::reload_status::unchanged) continue;
        std::istringstream lines(seen.status == hsm::reload_status::failed ? seen.errors : seen.report.to_string());
        for (std::string line; std::getline(lines, line);)
            if (std::find(shown.begin(), shown.end(), line) == shown.end()) shown.push_back(line);
    }
    for (auto& foe : enemies) foe.chart = files_[static_cast<std::size_t>(foe.self.kind)].chart();
    return shown;
}

bool world::lost() const {
    for (std::size_t i = 0; i < heroes.size(); ++i)
        if (now.lives[i] > 0) return false;
    return true;
}

void world::play(const pads& buttons) {
    for (std::size_t i = 0; i < heroes.size(); ++i) command(heroes[i], now.held[i], buttons[i]);
    now.held = buttons;
    ++now.frame;
    if (now.shake > 0) --now.shake;
    if (now.won > 0) ++now.won;
    if (now.freeze > 0) {
        --now.freeze;
        return;
    }
    for (std::size_t i = 0; i < heroes.size(); ++i) play_hero(i);
    for (auto& foe : enemies) play_enemy(foe);
    play_boss();
    play_missiles();
    play_bats();
    play_doors();
}

/// Buttons that were pressed or released in this frame are events, held buttons are conditions.
void world::command(actor<fighter>& hero, pad before, pad held) {
    auto& [chart, f, machine] = hero;
    f.damage = f.shot = 0; // also in a frame that stands still
    f.stick = ((held & right) ? 1 : 0) - ((held & left) ? 1 : 0);
    const int changed = before ^ held, pressed = held & changed, released = before & changed;
    if (changed & (left | right)) machine.set("Moves", f.stick != 0);
    if (changed & block) machine.set("Guards", (held & block) != 0);
    machine.set("OnGround", f.at.grounded != 0);
    if (pressed & jump) machine.process(press::jump);
    if (released & jump) machine.process(press::let_fall);
    if (pressed & dodge) machine.process(press::dodge);
    if (pressed & fire) machine.process(press::attack);
    if (released & fire) machine.process(press::release);
    if (pressed & swap) machine.process(press::swap);
}

void world::play_hero(std::size_t number) {
    auto& [chart, f, machine] = heroes[number];
    machine.tick(frame_time);
    if (f.shot) launch(f.at.px() + 10 * f.at.facing, f.at.py() - 15, 1700 * f.at.facing, -120, f.shot, true);
    if (f.damage && hit_foes(f.at.front(f.reach, 26), {f.damage, -f.at.facing})) stop_for(f.damage >= 24 ? 6 : 3);

    const bool flew = !f.at.grounded;
    place.move(f.at);
    if (flew && f.at.grounded) {
        if (machine.is_in("down")) machine.process(notify::landed);
        show(effect_kind::dust, f.at.px(), f.at.py());
    }
    if (now.frame % 3 == 0 && f.stamina < 100) ++f.stamina;
    if (f.is_dead()) return revive(number);
    if (at_spikes(f.at.bounds()) || f.at.py() > place.height() * tile) f.health = 0;
    for (const int room : {32, 64, 96, 120})
        if (f.at.px() > (room + 4) * tile)
            now.checkpoints[number] = std::max(now.checkpoints[number], (room + 4) * tile);
}

/// A dead hero has lost a life. While lives are left, it soon continues at its checkpoint.
void world::revive(std::size_t number) {
    auto& [chart, f, machine] = heroes[number];
    auto& lives = now.lives[number];
    if (!machine.is_in("dead") || machine.time_in_state() < 2s || lives == 0) return;
    if (--lives == 0) return;
    f.health = f.stamina = 100;
    f.at = body::at(now.checkpoints[number], 8 * tile, -1);
    machine.process(notify::revived);
}

const fighter& world::prey_of(const body& b) const {
    const fighter* nearest = &heroes[0].self;
    const auto away = [&](const fighter& f) { return std::abs(f.at.px() - b.px()) + (f.is_dead() ? 10'000 : 0); };
    for (const auto& hero : heroes)
        if (away(hero.self) < away(*nearest)) nearest = &hero.self;
    return *nearest;
}

/// Ticks an enemy or the boss. Returns whether it strikes.
bool world::act(opponent& o, hsm::instance_base& machine) {
    const auto& prey = prey_of(o.at);
    o.ahead = prey.is_dead() ? 1000 : prey.at.px() - o.at.px();
    o.above = o.at.py() - prey.at.py();
    o.damage = 0;
    machine.tick(frame_time);
    if (o.damage == 0) return false;
    const auto where = o.at.front(o.reach, o.at.h);
    if (hit_heroes(where, {o.damage, -o.at.facing}) == blow::parried) machine.process(parried{});
    return true;
}

void world::play_enemy(actor<enemy>& foe) {
    auto& [chart, e, machine] = foe;
    e.shot = 0;
    act(e, machine);
    if (e.shot) launch(e.at.px() + 8 * e.at.facing, e.at.py() - 14, 900 * e.at.facing, -150, e.shot, false);
    const bool was_alive = !e.is_dead();
    place.move(e.at);
    if (at_spikes(e.at.bounds()) || e.at.py() > place.height() * tile) e.health = 0;
    if (was_alive && e.is_dead()) ++now.kills;
}

void world::play_boss() {
    auto& [chart, w, machine] = boss;
    w.volley = 0;
    machine.set("OnGround", w.at.grounded != 0);
    if (act(w, machine) && machine.is_in("leap")) {
        show(effect_kind::slam, w.at.px(), w.at.py());
        stop_for(2);
        now.shake = 14;
    }
    for (int i = 0; i < w.volley; ++i)
        launch(w.at.px(), w.at.py() - 40, (i - 2) * 260 + 300 * w.at.facing, -900 + std::abs(i - 2) * 90, 10, false);
    place.move(w.at);
}

void world::play_bats() {
    const auto* target = &heroes[0].self;
    for (const auto& hero : heroes)
        if (!hero.self.is_dead() && hero.self.at.px() > target->at.px()) target = &hero.self;
    swarm.play(target->at.px(), target->at.py(), frame_time);
    if (now.bitten > 0) {
        --now.bitten;
        return;
    }
    for (auto& hero : heroes)
        if (!hero.self.is_dead() && swarm.biting(hero.self.at.bounds()) > 2) {
            hero.self.health -= 1;
            now.bitten = 40;
        }
}

void world::play_doors() {
    int living = 0, inside = 0;
    for (const auto& hero : heroes) {
        if (hero.self.is_dead()) continue;
        ++living;
        inside += hero.self.at.px() > (128 + 6) * tile;
        if (hero.self.at.px() > (128 + 31) * tile && !now.won) now.won = 1;
    }
    const bool fights = living > 0 && inside == living;
    if (fights && !now.awake) boss.machine.process(wake{});
    if (fights) now.awake = 1;
    if (now.awake && !boss.self.is_dead()) {
        if (fights) gates.send("lair", shut{});
        if (living == 0) gates.send("lair", open_up{}); // for the next life
    }
    if (boss.self.is_dead()) gates.send("exit", open_up{});
    gates.play(frame_time);
    gates.barriers(place.barriers);
}

bool world::at_spikes(const box& b) const { return place.at((b.x + b.w / 2) / tile, (b.y + b.h) / tile) == '^'; }

} // namespace arena
