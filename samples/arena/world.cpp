#include "world.hpp"

#include <samples/fighter/hero.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace arena {

namespace {

warlord first_warlord(const level& where) {
    warlord w;
    w.at.w = 26;
    w.at.h = 48;
    w.at.facing = -1;
    for (const auto& m : where.marks())
        if (m.kind == 'W') w.at.x = m.x * unit, w.at.y = m.y * unit;
    return w;
}

enemy_kind kind_of(char mark) { return mark == 'a' ? archer : mark == 'b' ? brute : goblin; }

} // namespace

world::world(const world_options& options)
    : options_(options), boss_(make_warlord(), first_warlord(level_)), bats_(make_bat(), level_, options.bats),
      doors_(level_) {
    for (const char* name : enemy_names) files_.emplace_back(names_, options_.enemies + '/' + name + ".xml");
    const auto hero_chart = make_hero();
    for (const auto& m : level_.marks()) {
        if (m.kind == 'h')
            for (int i = 0; i < options.players; ++i) {
                fighter f;
                f.at.x = (m.x - 20 * i) * unit;
                f.at.y = m.y * unit;
                heroes_.emplace_back(hero_chart, f);
            }
        if (m.kind == 'g' || m.kind == 'a' || m.kind == 'b') {
            const auto kind = kind_of(m.kind);
            enemies_.emplace_back(files_[kind].chart(), enemy::make(kind, m.x, m.y),
                                  hsm::instance_options{.seed = options.seed, .stream = enemies_.size()});
            files_[kind].attach(enemies_.back().machine);
        }
    }
    doors_.barriers(level_.barriers);
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
    for (auto& foe : enemies_) foe.chart = files_[static_cast<std::size_t>(foe.self.kind)].chart();
    return shown;
}

bool world::lost() const {
    for (std::size_t i = 0; i < heroes_.size(); ++i)
        if (scene_.lives[i] > 0) return false;
    return true;
}

void world::play(const pads& buttons) {
    for (std::size_t i = 0; i < heroes_.size(); ++i) command(heroes_[i], scene_.held[i], buttons[i]);
    scene_.held = buttons;
    ++scene_.frame;
    if (scene_.shake > 0) --scene_.shake;
    if (scene_.won > 0) ++scene_.won;
    if (scene_.freeze > 0) {
        --scene_.freeze;
        return;
    }
    for (std::size_t i = 0; i < heroes_.size(); ++i) play_hero(i);
    for (auto& foe : enemies_) play_enemy(foe);
    play_boss();
    play_missiles();
    play_bats();
    play_doors();
}

/// Buttons that were pressed or released in this frame are events, held buttons are conditions.
void world::command(actor<fighter>& hero, pad before, pad now) {
    auto& f = hero.self;
    auto& machine = hero.machine;
    f.damage = f.shot = 0; // also in a frame that stands still
    const int pressed = now & ~before, released = before & ~now;
    f.stick = ((now & right) ? 1 : 0) - ((now & left) ? 1 : 0);
    machine.set("Moves", f.stick != 0);
    machine.set("Guards", (now & block) != 0);
    machine.set("OnGround", f.at.grounded != 0);
    if (pressed & jump) machine.process(press::jump);
    if (released & jump) machine.process(press::let_fall);
    if (pressed & dodge) machine.process(press::dodge);
    if (pressed & fire) machine.process(press::attack);
    if (released & fire) machine.process(press::release);
    if (pressed & swap) machine.process(press::swap);
}

void world::play_hero(std::size_t number) {
    auto& hero = heroes_[number];
    auto& f = hero.self;
    auto& machine = hero.machine;
    machine.tick(frame_time);
    if (f.shot) launch(f.at.px() + 10 * f.at.facing, f.at.py() - 15, 1700 * f.at.facing, -120, f.shot, true);
    if (f.damage) strike_of(hero);

    const bool flew = !f.at.grounded;
    level_.move(f.at);
    if (flew && f.at.grounded) {
        if (machine.is_in("down")) machine.process(notify::landed);
        show(effect_kind::dust, f.at.px(), f.at.py());
    }
    if (scene_.frame % 3 == 0 && f.stamina < 100) ++f.stamina;
    if (f.is_dead()) return revive(number);
    if (at_spikes(f.at.bounds()) || f.at.py() > level_.height() * tile) f.health = 0;
    for (const int room : {32, 64, 96, 120})
        if (f.at.px() > (room + 4) * tile)
            scene_.checkpoints[number] = std::max(scene_.checkpoints[number], (room + 4) * tile);
}

/// A dead hero has lost a life. While lives are left, it soon continues at its checkpoint.
void world::revive(std::size_t number) {
    auto& [chart, f, machine] = heroes_[number];
    auto& lives = scene_.lives[number];
    if (!machine.is_in("dead") || machine.time_in_state() < 2s || lives == 0) return;
    if (--lives == 0) return;
    f.health = f.stamina = 100;
    f.at.x = scene_.checkpoints[number] * unit;
    f.at.y = 8 * tile * unit;
    f.at.push(0, 0);
    machine.process(notify::revived);
}

const fighter& world::prey_of(const body& b) const {
    const fighter* nearest = &heroes_[0].self;
    const auto away = [&](const fighter& f) { return std::abs(f.at.px() - b.px()) + (f.is_dead() ? 10'000 : 0); };
    for (const auto& hero : heroes_)
        if (away(hero.self) < away(*nearest)) nearest = &hero.self;
    return *nearest;
}

void world::play_enemy(actor<enemy>& foe) {
    auto& e = foe.self;
    auto& machine = foe.machine;
    const auto& prey = prey_of(e.at);
    e.ahead = prey.is_dead() ? 1000 : prey.at.px() - e.at.px();
    e.above = e.at.py() - prey.at.py();
    e.damage = e.shot = 0;
    machine.tick(frame_time);
    if (e.shot) launch(e.at.px() + 8 * e.at.facing, e.at.py() - 14, 900 * e.at.facing, -150, e.shot, false);
    if (e.damage && strike_heroes(e.at, e.damage, e.reach)) machine.process(parried{});
    const bool was_alive = !e.is_dead();
    level_.move(e.at);
    if (at_spikes(e.at.bounds()) || e.at.py() > level_.height() * tile) e.health = 0;
    if (was_alive && e.is_dead()) ++scene_.kills;
}

void world::play_boss() {
    auto& w = boss_.self;
    auto& machine = boss_.machine;
    const auto& prey = prey_of(w.at);
    w.ahead = prey.at.px() - w.at.px();
    w.above = w.at.py() - prey.at.py();
    w.damage = w.volley = 0;
    machine.set("OnGround", w.at.grounded != 0);
    machine.tick(frame_time);
    if (w.damage) {
        if (w.reach == 56) stop_for(2), scene_.shake = 14, show(effect_kind::slam, w.at.px(), w.at.py());
        if (strike_heroes(w.at, w.damage, w.reach)) machine.process(parried{});
    }
    for (int i = 0; i < w.volley; ++i)
        launch(w.at.px(), w.at.py() - 40, (i - 2) * 260 + 300 * w.at.facing, -900 + std::abs(i - 2) * 90, 10, false);
    level_.move(w.at);
}

void world::play_bats() {
    const auto* target = &heroes_[0].self;
    for (const auto& hero : heroes_)
        if (!hero.self.is_dead() && hero.self.at.px() > target->at.px()) target = &hero.self;
    bats_.play(target->at.px(), target->at.py(), frame_time);
    if (scene_.bitten > 0) {
        --scene_.bitten;
        return;
    }
    for (auto& hero : heroes_)
        if (!hero.self.is_dead() && bats_.biting(hero.self.at.bounds()) > 2) {
            hero.self.health -= 1;
            scene_.bitten = 40;
        }
}

void world::play_doors() {
    bool inside = !heroes_.empty(), any = false, through = false;
    for (const auto& hero : heroes_) {
        if (hero.self.is_dead()) continue;
        any = true;
        inside = inside && hero.self.at.px() > (128 + 6) * tile;
        through = through || hero.self.at.px() > (128 + 31) * tile;
    }
    if (any && inside && !scene_.awake) {
        scene_.awake = 1;
        doors_.send("lair", shut{});
        boss_.machine.process(wake{});
    }
    if (!any && scene_.awake && !boss_.self.is_dead()) doors_.send("lair", open_up{}); // for the next life
    if (any && scene_.awake && inside && !boss_.self.is_dead()) doors_.send("lair", shut{});
    if (boss_.self.is_dead()) doors_.send("exit", open_up{});
    if (through && !scene_.won) scene_.won = 1;
    doors_.play(frame_time);
    doors_.barriers(level_.barriers);
}

bool world::at_spikes(const box& b) const { return level_.at((b.x + b.w / 2) / tile, (b.y + b.h) / tile) == '^'; }

} // namespace arena
