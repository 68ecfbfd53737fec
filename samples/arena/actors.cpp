// Heroes, enemies and bats: their poses follow from their active states, and from the time in these states.

#include "draw.hpp"
#include "figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
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

float milliseconds(hsm::time_span time) { return static_cast<float>(time.nanoseconds()) / 1e6f; }
float milliseconds(const hsm::instance_base& machine) { return milliseconds(machine.time_in_state()); }
float part(float time, float of) { return std::clamp(time / of, 0.f, 1.f); }
float between(float a, float b, float part) { return a + (b - a) * part; }

pose standing(std::int64_t frame) {
    const float breath = std::sin(static_cast<float>(frame) / 14);
    return {.lean = 3 + breath, .arm = {15 + 3 * breath, -10}};
}

pose running(int x, float pace) {
    const float phase = static_cast<float>(x) * pace;
    pose p = {.lean = 14, .item = 150, .lift = 1 + std::abs(std::sin(phase)) * 1.2f};
    for (int i = 0; i < 2; ++i) {
        const float leg = phase + (i ? 3.1416f : 0);
        p.thigh[i] = 8 + 42 * std::sin(leg);
        p.shin[i] = p.thigh[i] - 34 - 26 * std::cos(leg);
        p.arm[i] = 4 - 42 * std::sin(leg);
        p.forearm[i] = p.arm[i] + 60;
    }
    return p;
}

pose airborne(int vy) {
    const float rise = std::clamp(static_cast<float>(-vy) / 900, -1.f, 1.f);
    return {.lean = 8,
            .thigh = {50 + 15 * rise, -12},
            .shin = {-20, -50 + 20 * rise},
            .arm = {60 - 30 * rise, -60 - 40 * rise},
            .forearm = {100, -70},
            .item = 120,
            .standing = false};
}

pose lunging(float by, pose p) {
    p.thigh[0] = between(8, 48, by), p.shin[0] = between(0, 2, by);
    p.thigh[1] = between(-8, -38, by), p.shin[1] = between(-8, -46, by);
    return p;
}

/// A blow from one angle of the arm to another; `t` from 0 to 1.
pose swinging(float from, float to, float t, float step) {
    const float arm = between(from, to, t);
    return lunging(step * t, {.lean = between(-6, 16, t),
                              .arm = {arm, -40},
                              .forearm = {arm + between(25, 5, t), 10},
                              .item = arm + between(40, 10, t)});
}

pose lying(float t) {
    return {.lean = -6 * t,
            .thigh = {14, -8},
            .shin = {-4, -8},
            .arm = {20, -15},
            .forearm = {5, -10},
            .item = 8,
            .spin = -88 * t,
            .lift = -7 * t};
}

pose dazed(float time) {
    return {.lean = -16 + 3 * std::sin(time / 60),
            .thigh = {18, -14},
            .arm = {-30, -50},
            .forearm = {-10, -20},
            .item = 30};
}

pose shooting(float drawn, bool released) {
    return lunging(.5f, {.lean = 0,
                         .arm = {86, between(70, -60, drawn)},
                         .forearm = {90, between(80, 88, drawn)},
                         .item = 90,
                         .drawn = released ? 0 : std::max(.05f, drawn)});
}

pose thrusting(float out) { // from -1 to 1
    pose p = swinging(60, 88, std::max(0.f, out), 1);
    p.item = 92;
    p.arm[0] = between(40, 90, (out + 1) / 2), p.forearm[0] = between(120, 90, (out + 1) / 2);
    p.arm[1] = p.arm[0] - 20, p.forearm[1] = p.forearm[0];
    return p;
}

pose rolling(float degrees) {
    return {.lean = 50, .thigh = {100, 100}, .shin = {-30, -30}, .spin = degrees, .standing = false};
}

pose guarding(float raised, float lean) {
    return lunging(.4f, {.lean = lean, .arm = {15, 70}, .forearm = {40, 100}, .raised = raised});
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

/// The poses that all figures have.
posed common_pose(std::string_view leaf, float time, const body& b, std::int64_t frame, float pace) {
    if (leaf == "dead") return {lying(part(time, 350))};
    if (leaf == "stunned" || leaf == "staggered") return {dazed(time)};
    if (!b.grounded) return {airborne(b.vy)};
    if (std::abs(b.vx) > 60) return {running(b.px(), pace)};
    return {standing(frame)};
}

posed pose_of_hero(const actor<fighter>& hero, std::int64_t frame) {
    const auto& [chart, f, machine] = hero;
    const auto leaf = machine.current().name();
    const float time = milliseconds(machine);
    if (machine.is_in("sword")) return pose_of_blow(machine, time, leaf);
    if (machine.is_in("bow")) return {shooting(leaf == "draw" ? part(time, 500) : 1, leaf == "loose")};
    if (leaf == "ready") return {thrusting(-part(time, 140))};
    if (leaf == "thrust") return {thrusting(part(time, 60))};
    if (leaf == "back") return {thrusting(1 - part(time, 240))};
    if (leaf == "sweep") return swoosh(-60, 120, part(time, 160), 1);
    if (leaf == "dodge") return {rolling((f.at.vx * f.at.facing >= 0 ? 360.f : -360.f) * part(time, 320))};
    if (leaf == "raise") return {guarding(part(time, 80), 8)};
    if (leaf == "guard") return {guarding(1, 8)};
    if (leaf == "shaken") return {guarding(1, -8)};
    if (leaf == "down") return {lying(part(time, 200))};
    if (leaf == "rise") return {lying(1 - part(time, 500))};
    return common_pose(leaf, time, f.at, frame, .16f);
}

posed pose_of_enemy(const actor<enemy>& foe, std::int64_t frame) {
    const auto& e = foe.self;
    const auto leaf = foe.machine.current().name();
    const float time = milliseconds(foe.machine);
    if (leaf == "wind up" || leaf == "lift") return {swinging(200, 30, 0, 1)};
    if (leaf == "stab" || leaf == "kick") return swoosh(200, 40, part(time, 90), 1);
    if (leaf == "blow") return swoosh(215, 25, part(time, 120), 1);
    if (leaf == "recover") return {swinging(200, 30, 1, 1 - part(time, 600))};
    if (leaf == "draw") return {shooting(part(time, 600), false)};
    if (leaf == "shoot" || leaf == "volley") return {shooting(1, true)};
    auto found = common_pose(leaf, time, e.at, frame + e.home, e.kind == brute ? .11f : .17f);
    if (leaf == "snort") found.p.lean = 30 + 4 * std::sin(time / 40);
    if (leaf == "rush") found.p.lean = 40;
    return found;
}

posed pose_of_boss(const actor<warlord>& boss, std::int64_t frame) {
    const auto& w = boss.self;
    const auto& machine = boss.machine;
    if (machine.is_in("asleep")) return {{.lean = 12, .arm = {50, -10}, .forearm = {30, 10}, .item = 0}};
    if (!machine.is_in("fight")) return common_pose(machine.current().name(), milliseconds(machine), w.at, frame, .08f);
    const auto time_in = [&](const char* move) { // -1: it is not active
        const auto state = boss.chart.find(std::string("fight/moves/") + move);
        return machine.is_in(state) ? milliseconds(machine.time_in_state(state)) : -1;
    };
    if (const float t = time_in("cleave/deed"); t >= 0) return swoosh(210, 10, part(t, 140), 1);
    if (const float t = time_in("cleave/tell"); t >= 0) {
        pose p = swinging(210, 10, 0, 1);
        p.lean = -6 - 8 * part(t, 480);
        return {p};
    }
    if (machine.is_in("cleave")) return {swinging(210, 10, 1, 1)};
    auto found = common_pose({}, 0, w.at, frame, .08f);
    if (const float t = time_in("volley/tell"); t >= 0) {
        found.p.arm[1] = 60 + 120 * part(t, 500), found.p.forearm[1] = 180;
    } else if (!w.at.grounded) {
        found.p.arm[0] = 190, found.p.forearm[0] = 200, found.p.item = 210;
    } else if (machine.is_in("leap")) {
        found.p = swinging(200, 20, time_in("leap/recover") >= 0 ? 1.f : 0.f, .6f);
        found.p.thigh[0] = 70, found.p.shin[0] = -20, found.p.thigh[1] = 20, found.p.shin[1] = -70;
    }
    return found;
}

void draw_posed(canvas& to, const body& b, int left, const posed& d, const look& l, tint t) {
    const point feet = {static_cast<float>(b.x) / unit - static_cast<float>(left), static_cast<float>(b.py())};
    if (feet.x < -80 || feet.x > canvas::width + 80) return;
    for (int x = -b.w / 2 - 2; x <= b.w / 2 + 2; ++x)
        to.set(static_cast<int>(feet.x) + x, b.py(), 0, b.grounded ? .35f : 0);
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
        const int x = b.px() - left + static_cast<int>(std::cos(turn) * 8);
        const int y = b.py() - b.h - 5 + static_cast<int>(std::sin(turn) * 2.4f);
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
    const auto& herd = game.swarm.herd();
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

void draw_boss(const actor<warlord>& boss, std::int64_t frame, canvas& to, int left) {
    const auto& machine = boss.machine;
    tint t;
    if (machine.get("Angry")) t = {0xD06020, .15f};
    if (machine.get("Furious")) t = {0xD02020, .28f};
    if (machine.is_in(hsm::tag("announces")) && frame / 4 % 2) t = {0xFF5030, .35f};
    if (machine.is_in("asleep")) t = {0x2A2740, .5f};
    draw_posed(to, boss.self.at, left, pose_of_boss(boss, frame), boss_look, t);
    if (machine.is_in("staggered")) draw_stars(to, boss.self.at, left, frame);
}

void draw_enemy(const actor<enemy>& foe, std::int64_t frame, canvas& to, int left) {
    const auto& e = foe.self;
    const float gone = e.is_dead() ? part(milliseconds(foe.machine) - 1500, 1500) : 0;
    if (gone >= 1) return;
    draw_posed(to, e.at, left, pose_of_enemy(foe, frame), enemy_looks[e.kind], {0x17131F, gone});
    if (foe.machine.current().name() == "stunned") draw_stars(to, e.at, left, frame);
    const int most = enemy::make(static_cast<enemy_kind>(e.kind), 0, 0).health;
    if (!e.is_dead() && e.health < most) draw_bar(to, e.at, left, e.health, most);
}

void draw_hero(const actor<fighter>& hero, look l, std::int64_t frame, canvas& to, int left) {
    constexpr held_item items[] = {held_item::sword, held_item::bow, held_item::spear};
    const auto& [chart, f, machine] = hero;
    l.item = items[static_cast<int>(f.in_hand)];
    const bool stunned = machine.is_in("stunned");
    const bool flashes = stunned ? frame / 3 % 2 : machine.is_in("rise") && frame / 4 % 2;
    draw_posed(to, f.at, left, pose_of_hero(hero, frame), l, {0xFFFFFF, flashes ? .5f : 0});
    if (stunned) draw_stars(to, f.at, left, frame);
}

} // namespace

void draw_actors(const world& game, canvas& to, int left) {
    draw_boss(game.boss, game.frame(), to, left);
    for (const auto& foe : game.enemies) draw_enemy(foe, game.frame(), to, left);
    for (std::size_t i = 0; i < game.heroes.size(); ++i)
        draw_hero(game.heroes[i], hero_looks[i], game.frame(), to, left);
    draw_bats(game, to, left);
}

} // namespace arena
