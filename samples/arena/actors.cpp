// Heroes, enemies and bats: their poses follow from their active states, and from the time in these states.

#include "draw.hpp"
#include "figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace arena {

namespace {

constexpr look hero_looks[] = {
    {0xF0BE94, 0x3E7CB1, 0x3A3F5C, 0xD94F3D, held_item::sword, 1, 1, false, false, false, false, true},
    {0xD99B6C, 0x4FA36B, 0x4A3F35, 0xE2B33C, held_item::sword, 1, 1, false, false, false, false, true},
};
constexpr look enemy_looks[] = {
    {0x7FB04B, 0x8A5A35, 0x5A4630, 0x6B4A2B, held_item::dagger, .86f, 1, false, true},
    {0xC9A37C, 0x6A4C8C, 0x3F3A55, 0x4B3568, held_item::bow, .95f, .95f, true},
    {0xC98B6B, 0x7A4038, 0x4A3A36, 0x3B2E2C, held_item::club, 1.4f, 1.35f, false, true},
};
constexpr look boss_look = {0xB06A5A, 0x4C2735, 0x2F2733, 0x8E1F2F, held_item::great_sword, 2, 1.15f,
                            false,    false,    true,     true};

float milliseconds(const hsm::instance_base& machine) {
    return static_cast<float>(hsm::time_span(machine.time_in_state()).nanoseconds()) / 1e6f;
}
float part(float time, float of) { return std::clamp(time / of, 0.f, 1.f); }
float between(float a, float b, float part) { return a + (b - a) * part; }

pose standing(std::int64_t frame) {
    pose p;
    const float breath = std::sin(static_cast<float>(frame) / 14);
    p.lean = 3 + breath;
    p.arm[0] = 15 + 3 * breath;
    return p;
}

pose running(int x, float pace) {
    const float phase = static_cast<float>(x) * pace;
    pose p;
    p.lean = 14;
    for (int i = 0; i < 2; ++i) {
        const float swing = std::sin(phase + (i ? 3.1416f : 0));
        p.thigh[i] = 8 + 42 * swing;
        p.shin[i] = p.thigh[i] - 34 - 26 * std::cos(phase + (i ? 3.1416f : 0));
        p.arm[i] = 4 - 42 * swing;
        p.forearm[i] = p.arm[i] + 60;
    }
    p.item = 150;
    p.lift = 1 + std::abs(std::sin(phase)) * 1.2f;
    return p;
}

pose airborne(int vy) {
    pose p;
    p.standing = false;
    const float rise = std::clamp(static_cast<float>(-vy) / 900, -1.f, 1.f);
    p.lean = 8;
    p.thigh[0] = 50 + 15 * rise, p.shin[0] = -20;
    p.thigh[1] = -12, p.shin[1] = -50 + 20 * rise;
    p.arm[0] = 60 - 30 * rise, p.forearm[0] = 100;
    p.arm[1] = -60 - 40 * rise, p.forearm[1] = -70;
    p.item = 120;
    return p;
}

void lunge(pose& p, float by) {
    p.thigh[0] = between(8, 48, by), p.shin[0] = between(0, 2, by);
    p.thigh[1] = between(-8, -38, by), p.shin[1] = between(-8, -46, by);
}

/// A blow from one angle of the arm to another; `t` from 0 to 1.
pose swinging(float from, float to, float t, float step) {
    pose p;
    p.lean = between(-6, 16, t);
    p.arm[0] = between(from, to, t);
    p.forearm[0] = p.arm[0] + between(25, 5, t);
    p.item = p.arm[0] + between(40, 10, t);
    p.arm[1] = -40;
    lunge(p, step * t);
    return p;
}

pose lying(float t) {
    pose p;
    p.spin = -88 * t;
    p.lean = -6 * t;
    p.lift = -7 * t;
    p.arm[0] = 20, p.forearm[0] = 5, p.arm[1] = -15, p.forearm[1] = -10;
    p.thigh[0] = 14, p.shin[0] = -4;
    p.item = 8;
    return p;
}

pose dazed(float time) {
    pose p;
    p.lean = -16 + 3 * std::sin(time / 60);
    p.arm[0] = -30, p.forearm[0] = -10, p.arm[1] = -50, p.forearm[1] = -20;
    p.thigh[0] = 18, p.thigh[1] = -14;
    p.item = 30;
    return p;
}

pose shooting(float drawn, bool released) {
    pose p;
    p.lean = 0;
    p.arm[0] = 86, p.forearm[0] = 90;
    p.item = 90;
    p.arm[1] = between(70, -60, drawn), p.forearm[1] = between(80, 88, drawn);
    p.drawn = released ? 0 : std::max(.05f, drawn);
    lunge(p, .5f);
    return p;
}

struct posed {
    pose p;
    float swoosh = -1; // from 0 to 1 while a blade moves
    float from = 0, to = 0;
};

posed swoosh(float from, float to, float t, float step) { return {swinging(from, to, t, step), t, from, to}; }

posed pose_of_blow(const hsm::instance_base& machine, float time, std::string_view leaf) {
    const bool stab = machine.is_in("stab"), smash = machine.is_in("smash");
    const float from = smash ? 205.f : stab ? 30.f : 190.f, to = smash ? 20.f : stab ? 92.f : 25.f;
    if (leaf == "wind up") return {swinging(from, to, 0, 1)};
    if (leaf == "swing") return swoosh(from, to, part(time, 80), stab ? 1.2f : .9f);
    pose p = swinging(from, to, 1, 1);
    p.arm[0] -= 10 * part(time, 200);
    return {p};
}

posed pose_of_hero(const actor<fighter>& hero, std::int64_t frame) {
    const auto& f = hero.self;
    const auto& machine = hero.machine;
    const auto leaf = machine.current().name();
    const float time = milliseconds(machine);
    if (machine.is_in("sword")) return pose_of_blow(machine, time, leaf);
    if (machine.is_in("bow")) return {shooting(leaf == "draw" ? part(time, 500) : 1, leaf == "loose")};
    if (machine.is_in("spear")) {
        if (leaf == "sweep") return swoosh(-60, 120, part(time, 160), 1);
        const float out = leaf == "ready" ? -part(time, 140) : leaf == "thrust" ? part(time, 60) : 1 - part(time, 240);
        pose p = swinging(60, 88, std::max(0.f, out), 1);
        p.item = 92;
        p.arm[0] = between(40, 90, (out + 1) / 2);
        p.forearm[0] = between(120, 90, (out + 1) / 2);
        p.arm[1] = p.arm[0] - 20, p.forearm[1] = p.forearm[0];
        return {p};
    }
    if (leaf == "dodge") {
        pose p;
        p.spin = 360 * part(time, 320) * (f.at.vx * f.at.facing >= 0 ? 1.f : -1.f);
        p.thigh[0] = p.thigh[1] = 100, p.shin[0] = p.shin[1] = -30;
        p.lean = 50;
        p.standing = false;
        return {p};
    }
    if (machine.is_in("block")) {
        pose p = standing(frame);
        p.raised = leaf == "raise" ? part(time, 80) : 1;
        p.arm[1] = 70, p.forearm[1] = 100;
        p.lean = leaf == "shaken" ? -8.f : 8.f;
        lunge(p, .4f);
        return {p};
    }
    if (leaf == "stunned") return {dazed(time)};
    if (leaf == "down") return {lying(part(time, 200))};
    if (leaf == "rise") return {lying(1 - part(time, 500))};
    if (leaf == "dead") return {lying(part(time, 350))};
    if (!f.at.grounded) return {airborne(f.at.vy)};
    if (leaf == "run") return {running(f.at.px(), .16f)};
    return {standing(frame)};
}

posed pose_of_enemy(const actor<enemy>& foe, std::int64_t frame) {
    const auto& e = foe.self;
    const auto& machine = foe.machine;
    const auto leaf = machine.current().name();
    const float time = milliseconds(machine);
    if (leaf == "dead") return {lying(part(time, 300))};
    if (leaf == "stunned") return {dazed(time)};
    if (leaf == "wind up" || leaf == "lift") return {swinging(200, 30, 0, 1)};
    if (leaf == "stab" || leaf == "kick") return swoosh(200, 40, part(time, 90), 1);
    if (leaf == "blow") return swoosh(215, 25, part(time, 120), 1);
    if (leaf == "recover") return {swinging(200, 30, 1, 1 - part(time, 600))};
    if (leaf == "draw") return {shooting(part(time, 600), false)};
    if (leaf == "shoot" || leaf == "volley") return {shooting(1, true)};
    if (leaf == "snort") {
        pose p = standing(frame);
        p.lean = 30 + 4 * std::sin(time / 40);
        return {p};
    }
    if (!e.at.grounded) return {airborne(e.at.vy)};
    if (std::abs(e.at.vx) > 60) {
        pose p = running(e.at.px(), e.kind == brute ? .11f : .17f);
        if (leaf == "rush") p.lean = 40;
        return {p};
    }
    return {standing(frame + e.home)};
}

posed pose_of_boss(const actor<warlord>& boss, std::int64_t frame) {
    const auto& w = boss.self;
    const auto& machine = boss.machine;
    const float time = milliseconds(machine);
    if (w.is_dead()) return {lying(part(time, 500))};
    if (machine.is_in("staggered")) return {dazed(time)};
    if (machine.is_in("asleep")) {
        pose p = standing(frame / 2);
        p.lean = 12;
        p.item = 0;
        p.arm[0] = 50, p.forearm[0] = 30;
        return {p};
    }
    const auto deed = [&](const char* path) {
        const auto state = boss.chart.find(path);
        return machine.is_in(state)
                   ? static_cast<float>(hsm::time_span(machine.time_in_state(state)).nanoseconds()) / 1e6f
                   : -1.f;
    };
    if (const float t = deed("fight/moves/cleave/deed"); t >= 0) return swoosh(210, 10, part(t, 140), 1);
    if (const float t = deed("fight/moves/cleave/tell"); t >= 0) {
        pose p = swinging(210, 10, 0, 1);
        p.lean = -6 - 8 * part(t, 480);
        return {p};
    }
    if (machine.is_in("cleave")) return {swinging(210, 10, 1, 1)};
    if (const float t = deed("fight/moves/volley/tell"); t >= 0) {
        pose p = standing(frame);
        p.arm[1] = 60 + 120 * part(t, 500), p.forearm[1] = 180;
        return {p};
    }
    if (!w.at.grounded) {
        pose p = airborne(w.at.vy);
        p.arm[0] = 190, p.forearm[0] = 200, p.item = 210;
        return {p};
    }
    if (machine.is_in("leap")) {
        pose p = swinging(200, 20, deed("fight/moves/leap/recover") >= 0 ? 1.f : 0.f, .6f);
        p.thigh[0] = 70, p.shin[0] = -20, p.thigh[1] = 20, p.shin[1] = -70;
        return {p};
    }
    if (std::abs(w.at.vx) > 60) return {running(w.at.px(), .08f)};
    return {standing(frame)};
}

void draw_posed(canvas& to, const body& b, int left, const posed& d, const look& l, tint t) {
    const point feet = {static_cast<float>(b.x) / unit - static_cast<float>(left), static_cast<float>(b.py())};
    if (feet.x < -80 || feet.x > canvas::width + 80) return;
    for (int x = -b.w / 2 - 2; x <= b.w / 2 + 2; ++x)
        to.blend(static_cast<int>(feet.x) + x, b.py(), 0, b.grounded ? .35f : 0);
    if (d.swoosh > 0 && d.swoosh < 1) {
        const float side = static_cast<float>(b.facing);
        const float outer = (l.item == held_item::dagger ? 17.f : 27.f) * l.size;
        to.arc({feet.x + 3 * side * l.size, feet.y - 16 * l.size}, outer * .35f, outer, side * d.from,
               side * between(d.from, d.to, d.swoosh), 0xFFFFFF, .75f);
    }
    draw_figure(to, feet, b.facing, d.p, l, t);
}

void draw_stars(canvas& to, const body& b, int left, std::int64_t frame) {
    for (int i = 0; i < 3; ++i) {
        const float turn = static_cast<float>(frame) / 8 + static_cast<float>(i) * 2.1f;
        const auto x = static_cast<int>(static_cast<float>(b.px() - left) + std::cos(turn) * 8);
        const auto y = static_cast<int>(static_cast<float>(b.py() - b.h - 5) + std::sin(turn) * 2.4f);
        to.fill({x - 1, y, 3, 1}, 0xFFE27A);
        to.fill({x, y - 1, 1, 3}, 0xFFE27A);
    }
}

void draw_bar(canvas& to, const body& b, int left, int health, int most) {
    const int x = b.px() - left - 10, y = b.py() - b.h - 12;
    to.fill({x - 1, y - 1, 22, 4}, 0x17131F);
    to.fill({x, y, std::max(0, health) * 20 / most, 2}, 0xE25440);
}

void draw_bats(const world& game, canvas& to, int left) {
    const auto& herd = game.swarm().herd();
    const auto frame = game.frame();
    herd.each([&](hsm::agent_id id, const bat& b) {
        const int x = b.x / bat::unit - left, y = b.y / bat::unit;
        if (x < -4 || x > canvas::width + 4 || y > canvas::height) return;
        const color c = id.index % 3 ? 0x6A5A8C : 0x8A78AC;
        if (herd.is_in(id, "roost")) {
            to.fill({x - 1, y, 2, 3}, c);
            return;
        }
        const int wing = static_cast<int>((frame + b.beat) / 3 % 3) - 1;
        to.fill({x - 1, y, 2, 2}, c);
        for (const int side : {-1, 1}) {
            to.set(x + side * 2 - (side > 0), y - wing, c);
            to.set(x + side * 3 - (side > 0), y - wing * 2 + 1, c);
            to.set(x + side * 4 - (side > 0), y - wing * 2, c);
        }
        if (id.index % 7 == 0) to.set(x, y, 0xFF6A50);
    });
}

} // namespace

void draw_actors(const world& game, canvas& to, int left) {
    const auto frame = game.frame();
    const auto& boss = game.boss();
    {
        const bool furious = boss.machine.get("Furious"), angry = boss.machine.get("Angry");
        tint t;
        if (boss.machine.is_in("asleep"))
            t = {0x2A2740, .5f};
        else if (boss.machine.is_in(hsm::tag("announces")) && frame / 4 % 2)
            t = {0xFF5030, .35f};
        else if (furious)
            t = {0xD02020, .28f};
        else if (angry)
            t = {0xD06020, .15f};
        draw_posed(to, boss.self.at, left, pose_of_boss(boss, frame), boss_look, t);
        if (boss.machine.is_in("staggered")) draw_stars(to, boss.self.at, left, frame);
    }
    for (const auto& foe : game.enemies()) {
        const auto& e = foe.self;
        const float gone = e.is_dead() ? part(milliseconds(foe.machine) - 1500, 1500) : 0;
        if (gone >= 1) continue;
        auto l = enemy_looks[e.kind];
        draw_posed(to, e.at, left, pose_of_enemy(foe, frame), l, {0x17131F, gone});
        if (foe.machine.current().name() == "stunned") draw_stars(to, e.at, left, frame);
        const int most = enemy::make(static_cast<enemy_kind>(e.kind), 0, 0).health;
        if (!e.is_dead() && e.health < most) draw_bar(to, e.at, left, e.health, most);
    }
    for (std::size_t i = 0; i < game.heroes().size(); ++i) {
        const auto& hero = game.heroes()[i];
        auto l = hero_looks[i];
        constexpr held_item items[] = {held_item::sword, held_item::bow, held_item::spear};
        l.item = items[static_cast<int>(hero.self.in_hand)];
        tint t;
        if (hero.machine.is_in("stunned") && frame / 3 % 2) t = {0xFFFFFF, .6f};
        if (hero.machine.is_in("rise") && frame / 4 % 2) t = {0xFFFFFF, .35f};
        draw_posed(to, hero.self.at, left, pose_of_hero(hero, frame), l, t);
        if (hero.machine.is_in("stunned")) draw_stars(to, hero.self.at, left, frame);
    }
    draw_bats(game, to, left);
}

} // namespace arena
