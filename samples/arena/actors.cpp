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
float part(float time, float of) { return std::clamp(time / of, 0.f, 1.f); }

constexpr pose lunging(float far, pose p) {
    p.thigh[0] = 8 + 40 * far, p.thigh[1] = -8 - 30 * far;
    p.shin[0] = 2 * far, p.shin[1] = -8 - 38 * far;
    return p;
}
constexpr pose ready(float arm, float lean = -6) { // for a blow
    return {.lean = lean, .arm = {arm, -40}, .forearm = {arm + 25, 10}, .item = arm + 40};
}
constexpr pose struck(float arm, float far = 1) { // after a blow; 0: back on both feet
    return lunging(far, {.lean = 16, .arm = {arm, -40}, .forearm = {arm + 5, 10}, .item = arm + 10});
}
constexpr pose thrust(float out) { // from -1 to 1
    return lunging(std::max(0.f, out), {.lean = 5 + 11 * out,
                                        .arm = {65 + 25 * out, 45 + 25 * out},
                                        .forearm = {105 - 15 * out, 105 - 15 * out},
                                        .item = 92});
}
constexpr pose aiming(float drawn) {
    return lunging(.5f, {.arm = {86, 70 - 130 * drawn}, .forearm = {90, 80 + 8 * drawn}, .item = 90, .drawn = drawn});
}
constexpr pose released() {
    auto p = aiming(1);
    p.drawn = 0;
    return p;
}
constexpr pose guarding(float raised, float lean = 8) {
    return lunging(.4f, {.lean = lean, .arm = {15, 70}, .forearm = {40, 100}, .raised = raised});
}
constexpr pose rolled(float spin) {
    return {.lean = 50, .thigh = {100, 100}, .shin = {-30, -30}, .spin = spin, .standing = false};
}
constexpr pose crouched(pose p) {
    p.thigh[0] = 70, p.shin[0] = -20, p.thigh[1] = 20, p.shin[1] = -70;
    return p;
}
constexpr pose calling(float arm) { return {.lean = 3, .arm = {15, arm}, .forearm = {40, 180}}; }
constexpr pose bowed(float lean) { return {.lean = lean, .arm = {50, -10}, .forearm = {30, 10}, .item = 0}; }
constexpr pose limp = {.arm = {20, -15}, .forearm = {5, -10}, .item = 8};
constexpr pose lying = {.lean = -6,
                        .thigh = {14, -8},
                        .shin = {-4, -8},
                        .arm = {20, -15},
                        .forearm = {5, -10},
                        .item = 8,
                        .spin = -88,
                        .lift = -7};
constexpr pose dazed = {.lean = -16, .thigh = {18, -14}, .arm = {-30, -50}, .forearm = {-10, -20}, .item = 30};
constexpr pose leaping = {.lean = 8,
                          .thigh = {50, -12},
                          .shin = {-20, -50},
                          .arm = {190, -60},
                          .forearm = {200, -70},
                          .item = 210,
                          .standing = false};

enum class with { nothing, trail, tremble };

/// In a state whose path ends with this text, a figure moves from one pose to another in some milliseconds.
constexpr struct {
    std::string_view state;
    float milliseconds;
    pose from, to;
    with more = with::nothing;
} animations[] = {
    {"/dead", 350, limp, lying},
    {"/stunned", 1, dazed, dazed, with::tremble},
    // the hero
    {"slash/wind up", 1, ready(190), ready(190)},
    {"slash/swing", 80, ready(190), struck(25), with::trail},
    {"slash/window", 200, struck(25), struck(15)},
    {"stab/wind up", 1, ready(30), ready(30)},
    {"stab/swing", 80, ready(30), struck(92), with::trail},
    {"stab/window", 200, struck(92), struck(82)},
    {"smash/wind up", 1, ready(205), ready(205)},
    {"smash/swing", 80, ready(205), struck(20), with::trail},
    {"smash/window", 200, struck(20), struck(10)},
    {"bow/draw", 500, aiming(.05f), aiming(1)},
    {"bow/aim", 1, aiming(1), aiming(1)},
    {"bow/loose", 1, released(), released()},
    {"spear/ready", 140, thrust(0), thrust(-1)},
    {"spear/thrust", 60, thrust(0), thrust(1)},
    {"spear/back", 240, thrust(1), thrust(0)},
    {"spear/sweep", 160, ready(-60), struck(120), with::trail},
    {"/dodge", 320, rolled(0), rolled(360)},
    {"block/raise", 80, guarding(0), guarding(1)},
    {"block/guard", 1, guarding(1), guarding(1)},
    {"block/shaken", 1, guarding(1, -8), guarding(1, -8)},
    {"/down", 200, limp, lying},
    {"/rise", 500, lying, limp},
    // enemies
    {"/wind up", 1, ready(200), ready(200)},
    {"/lift", 1, ready(200), ready(200)},
    {"/stab", 90, ready(200), struck(40), with::trail},
    {"/kick", 90, ready(200), struck(40), with::trail},
    {"/blow", 120, ready(215), struck(25), with::trail},
    {"attack/recover", 600, struck(30), struck(30, 0)},
    {"slam/recover", 600, struck(30), struck(30, 0)},
    {"/snort", 1, bowed(30), bowed(30), with::tremble},
    {"fight/draw", 600, aiming(.05f), aiming(1)},
    {"/shoot", 1, released(), released()},
    {"/volley", 1, released(), released()},
    // the boss
    {"/asleep", 1, bowed(12), bowed(12)},
    {"/staggered", 1, dazed, dazed, with::tremble},
    {"cleave/tell", 480, ready(210), ready(210, -14)},
    {"cleave/deed", 140, ready(210), struck(10), with::trail},
    {"cleave/recover", 1, struck(10), struck(10)},
    {"leap/tell", 1, crouched(ready(200)), crouched(ready(200))},
    {"leap/deed", 1, leaping, leaping},
    {"leap/recover", 1, crouched(struck(20)), crouched(struck(20))},
    {"volley/tell", 500, calling(60), calling(180)},
};

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

/// Returns the pose of an animation, or if the state has none, one that follows from the movement.
pose pose_of(const hsm::instance_base& machine, const body& b, std::int64_t frame, float size) {
    const auto state = machine.leaves().front(); // of the boss: the leaf of its moves
    const auto path = state.path();
    const float time = milliseconds(machine.time_in_state(state));
    for (const auto& each : animations)
        if (path.ends_with(each.state)) {
            const float t = part(time, each.milliseconds);
            auto p = mixed(each.from, each.to, t);
            if (each.more == with::trail && t > 0 && t < 1) p.trail = each.from.arm[0];
            if (each.more == with::tremble) p.lean += 3 * std::sin(time / 50);
            return p;
        }
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
    const float gone = e.is_dead() ? part(milliseconds(machine.time_in_state()) - 1500, 1500) : 0;
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
