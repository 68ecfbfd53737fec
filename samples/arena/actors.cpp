// Heroes, enemies and bats. Poses follow from the active states, and from the time in them.

#include "draw.hpp"
#include "figure.hpp"

#include <algorithm>
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

float milliseconds(hsm::time_span time) { return static_cast<float>(time.nanoseconds()) / 1e6f; }
/// Returns the value at a time: `a` until 0, `b` from 1 on.
float between(float a, float b, float t) { return a + (b - a) * std::clamp(t, 0.f, 1.f); }

pose standing(std::int64_t frame) {
    const float breath = std::sin(static_cast<float>(frame) / 14);
    return {.lean = 3 + breath, .arm = {15 + 3 * breath, -10}};
}

pose running(float phase) {
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

pose lunging(float far, pose p) {
    p.thigh[0] = between(8, 48, far), p.shin[0] = between(0, 2, far);
    p.thigh[1] = between(-8, -38, far), p.shin[1] = between(-8, -46, far);
    return p;
}

// The motions below have a part that moves from `a` to `b` while `t` grows from 0 to 1. Mostly that is the angle of an arm.

pose swinging(float a, float b, float t) {
    const float arm = between(a, b, t);
    pose p = lunging(t, {.lean = between(-6, 16, t),
                         .arm = {arm, -40},
                         .forearm = {arm + between(25, 5, t), 10},
                         .item = arm + between(40, 10, t)});
    if (t > 0 && t < 1) p.trail = a;
    return p;
}

/// Before a blow; leans back.
pose raised(float arm, float back, float t) {
    pose p = swinging(arm, arm, 0);
    p.lean -= between(0, back, t);
    return p;
}

/// After a blow; `b` = 1: comes back to a stand.
pose lowered(float arm, float b, float t) { return lunging(1 - between(0, b, t), swinging(arm, arm, 1)); }

pose thrusting(float a, float b, float t) { // from -1 to 1
    const float out = between(a, b, t);
    pose p = lunging(out, {.lean = between(-6, 16, out), .item = 92});
    p.arm[0] = 65 + 25 * out, p.forearm[0] = 105 - 15 * out;
    p.arm[1] = p.arm[0] - 20, p.forearm[1] = p.forearm[0];
    return p;
}

pose shooting(float a, float b, float t) {
    const float drawn = between(a, b, t);
    return lunging(.5f, {.lean = 0,
                         .arm = {86, between(70, -60, drawn)},
                         .forearm = {90, between(80, 88, drawn)},
                         .item = 90,
                         .drawn = std::max(.05f, drawn)});
}

pose released(float, float, float) {
    pose p = shooting(1, 1, 1);
    p.drawn = 0;
    return p;
}

pose guarding(float a, float b, float t) {
    return lunging(.4f, {.lean = 8, .arm = {15, 70}, .forearm = {40, 100}, .raised = between(a, b, t)});
}

pose shaken(float, float, float) {
    pose p = guarding(1, 1, 1);
    p.lean = -8;
    return p;
}

pose rolling(float a, float b, float t) {
    return {.lean = 50, .thigh = {100, 100}, .shin = {-30, -30}, .spin = between(a, b, t), .standing = false};
}

pose lying(float a, float b, float t) {
    const float down = between(a, b, t);
    return {.lean = -6 * down,
            .thigh = {14, -8},
            .shin = {-4, -8},
            .arm = {20, -15},
            .forearm = {5, -10},
            .item = 8,
            .spin = -88 * down,
            .lift = -7 * down};
}

pose dazed(float, float, float t) {
    return {.lean = -16 + 3 * std::sin(t), .thigh = {18, -14}, .arm = {-30, -50}, .forearm = {-10, -20}, .item = 30};
}

pose bowed(float lean, float more, float t) { return {.lean = lean + more * std::sin(t), .arm = {50, -10}}; }
pose calling(float a, float b, float t) { return {.arm = {15, between(a, b, t)}, .forearm = {40, 180}}; }

/// The boss before and after its leap.
pose crouching(float a, float, float) {
    pose p = swinging(200, 20, a);
    p.thigh[0] = 70, p.shin[0] = -20, p.thigh[1] = 20, p.shin[1] = -70;
    return p;
}

pose leaping(float, float, float) {
    pose p = airborne(0);
    p.arm[0] = 190, p.forearm[0] = 200, p.item = 210;
    return p;
}

/// How a figure moves in a state, for some milliseconds. The path of the state ends with this text.
constexpr struct {
    std::string_view state;
    float milliseconds;
    pose (*motion)(float a, float b, float t);
    float a, b;
} animations[] = {
    {"/dead", 350, lying, 0, 1},
    {"/stunned", 60, dazed, 0, 0},
    // the hero
    {"slash/wind up", 1, raised, 190, 0},
    {"slash/swing", 80, swinging, 190, 25},
    {"slash/window", 1, lowered, 20, 0},
    {"stab/wind up", 1, raised, 30, 0},
    {"stab/swing", 80, swinging, 30, 92},
    {"stab/window", 1, lowered, 87, 0},
    {"smash/wind up", 1, raised, 205, 0},
    {"smash/swing", 80, swinging, 205, 20},
    {"smash/window", 1, lowered, 15, 0},
    {"bow/draw", 500, shooting, 0, 1},
    {"bow/aim", 1, shooting, 1, 1},
    {"bow/loose", 1, released, 0, 0},
    {"spear/ready", 140, thrusting, 0, -1},
    {"spear/thrust", 60, thrusting, 0, 1},
    {"spear/back", 240, thrusting, 1, 0},
    {"spear/sweep", 160, swinging, -60, 120},
    {"/dodge", 320, rolling, 0, 360},
    {"block/raise", 80, guarding, 0, 1},
    {"block/guard", 1, guarding, 1, 1},
    {"block/shaken", 1, shaken, 0, 0},
    {"/down", 200, lying, 0, 1},
    {"/rise", 500, lying, 1, 0},
    // enemies
    {"/wind up", 1, raised, 200, 0},
    {"/lift", 1, raised, 200, 0},
    {"/stab", 90, swinging, 200, 40},
    {"/kick", 90, swinging, 200, 40},
    {"/blow", 120, swinging, 215, 25},
    {"attack/recover", 600, lowered, 30, 1},
    {"slam/recover", 600, lowered, 30, 1},
    {"/snort", 40, bowed, 30, 4},
    {"fight/draw", 600, shooting, 0, 1},
    {"/shoot", 1, released, 0, 0},
    {"/volley", 1, released, 0, 0},
    // the boss
    {"/asleep", 1, bowed, 12, 0},
    {"/staggered", 60, dazed, 0, 0},
    {"cleave/tell", 480, raised, 210, 8},
    {"cleave/deed", 140, swinging, 210, 10},
    {"cleave/recover", 1, lowered, 10, 0},
    {"leap/tell", 1, crouching, 0, 0},
    {"leap/deed", 1, leaping, 0, 0},
    {"leap/recover", 1, crouching, 1, 0},
    {"volley/tell", 500, calling, 60, 180},
};

pose pose_of(const hsm::instance_base& machine, const body& b, std::int64_t frame, float size) {
    const auto state = machine.leaves().front(); // of the boss: the leaf of its moves
    const auto path = state.path();
    const float time = milliseconds(machine.time_in_state(state));
    for (const auto& each : animations)
        if (path.ends_with(each.state)) return each.motion(each.a, each.b, time / each.milliseconds);
    if (!b.grounded) return airborne(b.vy);
    if (std::abs(b.vx) > 60) return running(static_cast<float>(b.px()) * .16f / size);
    return standing(frame);
}

void draw_body(canvas& to, const body& b, int left, const pose& p, const look& l, tint t) {
    const point feet = {static_cast<float>(b.x) / unit - static_cast<float>(left), static_cast<float>(b.py())};
    if (feet.x < -80 || feet.x > canvas::width + 80) return;
    for (int x = -b.w / 2 - 2; x <= b.w / 2 + 2; ++x) // its shadow
        to.set(static_cast<int>(feet.x) + x, b.py(), 0, b.grounded ? .35f : 0);
    draw_figure(to, feet, b.facing, p, l, t);
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
    draw_body(to, boss.self.at, left, pose_of(machine, boss.self.at, frame, boss_look.size), boss_look, t);
    if (machine.is_in("staggered")) draw_stars(to, boss.self.at, left, frame);
}

void draw_enemy(const actor<enemy>& foe, std::int64_t frame, canvas& to, int left) {
    const auto& [chart, e, machine] = foe;
    const auto& l = enemy_looks[e.kind];
    const float gone = e.is_dead() ? between(0, 1, (milliseconds(machine.time_in_state()) - 1500) / 1500) : 0;
    if (gone >= 1) return;
    auto p = pose_of(machine, e.at, frame + e.home, l.size);
    if (machine.current().name() == "rush") p.lean = 40;
    draw_body(to, e.at, left, p, l, {0x17131F, gone});
    if (machine.current().name() == "stunned") draw_stars(to, e.at, left, frame);
    const int most = enemy::make(static_cast<enemy_kind>(e.kind), 0, 0).health;
    if (!e.is_dead() && e.health < most) draw_bar(to, e.at, left, e.health, most);
}

void draw_hero(const actor<fighter>& hero, look l, std::int64_t frame, canvas& to, int left) {
    constexpr held_item items[] = {held_item::sword, held_item::bow, held_item::spear};
    const auto& [chart, f, machine] = hero;
    l.item = items[static_cast<int>(f.in_hand)];
    auto p = pose_of(machine, f.at, frame, l.size);
    if (f.at.vx * f.at.facing < 0 && machine.is_in("dodge")) p.spin = -p.spin; // backwards
    const bool stunned = machine.is_in("stunned");
    const bool flashes = stunned ? frame / 3 % 2 : machine.is_in("rise") && frame / 4 % 2;
    draw_body(to, f.at, left, p, l, {0xFFFFFF, flashes ? .5f : 0});
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
