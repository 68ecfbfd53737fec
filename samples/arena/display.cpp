// Effects, missiles, bars and banners; and the order in which everything is drawn.

#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace arena {

namespace {

/// The rays of each kind of effect.
constexpr struct {
    int count;
    float reach;
    color c;
} rays[] = {{7, 20, 0xFFE9A8}, {9, 26, 0xC8322B}, {5, 14, 0xA9C6F5}, {10, 28, 0x8FD3FF},
            {0, 0, 0},         {0, 0, 0},         {5, 9, 0xD8C7A8}};

void draw_effect(const effect& e, canvas& to, int left, float age) { // from 0 to 1
    const point at = {static_cast<float>(e.x - left), static_cast<float>(e.y)};
    if (e.kind == effect_kind::spark && age < .25f) to.disc(at, 7, 0xFFFFFF, .8f);
    if (e.kind == effect_kind::parry) to.arc(at, 22 * age, 22 * age + 4, 0, 359.9f, 0xFFFFFF, 1 - age);
    if (e.kind == effect_kind::slam) to.arc(at, 70 * age, 70 * age + 9, 90, 270, 0xFFD27A, .9f * (1 - age));
    for (int i = 0; i < 8; ++i) {
        const auto n = static_cast<float>(i), side = static_cast<float>(e.side);
        const point drop = {side * (6 + n * 4) * age, (20 + n * 3) * age - 46 * age * age};
        if (e.kind == effect_kind::blood) to.disc(at - drop, 1.4f, 0xA3221F);
        const point stone = {(4 - n) * 16 * age, 26 * age * (1 - age)};
        if (e.kind == effect_kind::slam) to.disc(at - stone, 2.2f, 0x8A7A6A);
    }
    for (const float side : {-1.f, 1.f})
        if (e.kind == effect_kind::dust)
            to.disc(at + point{side * (4 + 10 * age), -2 - 3 * age}, 3 - 2.6f * age, 0xD8C7A8, .7f * (1 - age));
    const auto& burst = rays[static_cast<int>(e.kind)];
    for (int i = 0; i < burst.count; ++i) {
        const auto degrees = static_cast<float>(e.frame * 37 % 90 + i * 360 / burst.count);
        const point outer = at_angle(at, degrees, burst.reach * age);
        const point inner = at_angle(at, degrees, burst.reach * (age * .6f + .4f));
        to.limb(outer, inner, 1.2f * (1 - age), .4f, burst.c);
    }
}

void draw_missiles(const world& game, canvas& to, int left) {
    for (const auto& m : game.now.missiles) {
        if (!m.lives) continue;
        const point at = {static_cast<float>(m.x) / unit - static_cast<float>(left), static_cast<float>(m.y) / unit};
        if (m.damage == 10) { // an orb
            to.disc(at, 6, 0xF05030, .5f);
            to.disc(at, 3.6f, 0xFF9A40);
            to.disc(at, 1.8f, 0xFFF0B0);
            continue;
        }
        const auto vx = static_cast<float>(m.vx), vy = static_cast<float>(m.vy);
        const float length = std::hypot(vx, vy) / 11;
        const point tail = {at.x - vx / length, at.y - vy / length};
        to.limb(tail, at, 1.3f, 1.3f, 0x17131F);
        to.limb(tail, at, .6f, .6f, 0xE8D3A0);
        to.limb({at.x - vx / length / 5, at.y - vy / length / 5}, at, 1, .6f, 0xF2F6FA);
    }
}

void draw_meter(canvas& to, int x, int y, int width, int height, int value, int most, color full, color low) {
    to.fill({x - 1, y - 1, width + 2, height + 2}, 0x0B0A14);
    to.fill({x, y, width, height}, 0x2B2838);
    const int filled = std::clamp(value, 0, most) * width / most;
    to.fill({x, y, filled, height}, value * 4 < most ? low : full);
    to.fill({x, y, filled, 1}, 0xFFFFFF, .35f);
}

void draw_heart(canvas& to, int x, int y, color c) {
    for (const box& part :
         {box{x, y, 2, 2}, {x + 3, y, 2, 2}, {x, y + 1, 5, 2}, {x + 1, y + 3, 3, 1}, {x + 2, y + 4, 1, 1}})
        to.fill(part, c);
}

void draw_hero_display(const actor<fighter>& hero, std::size_t number, int lives, canvas& to) {
    const auto& f = hero.self;
    const int x = number ? canvas::width - 116 : 10;
    draw_meter(to, x, 9, 104, 6, f.health, 100, 0xD9483B, 0xF2A03C);
    draw_meter(to, x, 18, 78, 3, f.stamina, 100, 0x6FC36B, 0xB8B04A);
    for (int i = 0; i < 3; ++i) draw_heart(to, x + i * 8, 25, i < lives ? 0xE25440 : 0x3A3448);
    constexpr const char* names[] = {"SWORD", "BOW", "SPEAR"};
    to.shadowed_text(x + 30, 25, names[static_cast<int>(f.in_hand)], 0xF3E9D2);
}

void draw_banner(canvas& to, std::string_view words, std::string_view more, color c) {
    to.fill({0, 76, canvas::width, 56}, 0x0B0A14, .72f);
    to.fill({0, 76, canvas::width, 1}, c);
    to.fill({0, 131, canvas::width, 1}, c);
    to.shadowed_text((canvas::width - static_cast<int>(words.size()) * 20) / 2, 86, words, c, 5);
    to.shadowed_text((canvas::width - static_cast<int>(more.size()) * 4) / 2, 119, more, 0xF3E9D2);
}

} // namespace

int camera_of(const world& game) {
    int sum = 0;
    for (const auto& hero : game.heroes) sum += hero.self.at.px() + hero.self.at.facing * 12;
    const int middle = sum / static_cast<int>(game.heroes.size()), widest = game.place.width() * tile - canvas::width;
    const int by = game.now.shake > 0 ? std::min(4, game.now.shake / 2 + 1) : 0;
    return std::clamp(middle - canvas::width / 2, 0, widest) + static_cast<int>(game.frame() % 3 - 1) * by;
}

void draw_effects(const world& game, canvas& to, int left) {
    draw_missiles(game, to, left);
    for (const auto& e : game.now.effects)
        if (const auto frames = game.frame() - e.frame; e.frame > 0 && frames >= 0 && frames <= 18)
            draw_effect(e, to, left, static_cast<float>(frames) / 18);
}

void draw_display(const world& game, canvas& to) {
    for (std::size_t i = 0; i < game.heroes.size(); ++i) draw_hero_display(game.heroes[i], i, game.now.lives[i], to);
    const auto& boss = game.boss;
    if (game.now.awake && !boss.self.is_dead()) {
        to.shadowed_text(canvas::width / 2 - 24, 190, "THE BAT LORD", 0xF3E9D2);
        const color mood = boss.machine.get("Furious") ? 0xF04030 : boss.machine.get("Angry") ? 0xE07030 : 0xB04A6A;
        draw_meter(to, canvas::width / 2 - 100, 198, 200, 5, boss.self.health, warlord::strength, mood, mood);
        draw_meter(to, canvas::width / 2 - 100, 206, 200, 2, boss.self.poise, 70, 0xE2C35A, 0xE2C35A);
    }
    const auto count = "ENEMIES " + std::to_string(game.now.kills) + "   BATS " + std::to_string(game.now.swatted);
    if (game.heroes.size() == 1)
        to.shadowed_text(canvas::width - 10 - static_cast<int>(count.size()) * 4, 10, count, 0xF3E9D2);
    if (game.won())
        draw_banner(to, "VICTORY", "THE VALLEY IS FREE", 0xF8D06A);
    else if (game.lost())
        draw_banner(to, "DEFEAT", "PRESS F2 FOR A NEW GAME", 0xE25440);
}

void draw(const world& game, canvas& to) {
    const int left = std::max(0, camera_of(game));
    to.top = game.place.height() * tile - canvas::height;
    draw_scenery(game, to, left);
    draw_doors(game, to, left);
    draw_actors(game, to, left);
    draw_effects(game, to, left);
    to.top = 0;
    draw_display(game, to);
}

} // namespace arena
