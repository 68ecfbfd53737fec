#include "figure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace arena {

namespace {

constexpr color ink = 0x17131F;

struct stroke {
    point a, b;
    float radius_a, radius_b;
    color c;
};

/// Collects the parts of a figure at (0, 0) that looks to the right, then draws them.
class sketch {
public:
    sketch(point feet, int facing, const look& l, tint t) : feet_(feet), facing_(facing), look_(l), tint_(t) {}

    void add(point a, point b, float radius_a, float radius_b, color c) {
        strokes_.push_back({a, b, radius_a * look_.width, radius_b * look_.width, mixed(c, tint_.to, tint_.part)});
    }
    void thin(point a, point b, float radius, color c) {
        strokes_.push_back({a, b, radius, radius, mixed(c, tint_.to, tint_.part)});
    }
    void turn(float degrees, point around) {
        const float s = std::sin(degrees * .0174533f), c = std::cos(degrees * .0174533f);
        for (auto& each : strokes_)
            for (auto* p : {&each.a, &each.b}) {
                const point q = *p - around;
                *p = around + point{q.x * c - q.y * s, q.x * s + q.y * c};
            }
    }
    void draw(canvas& to) {
        for (const auto& s : strokes_) to.limb(placed(s.a), placed(s.b), s.radius_a + 1.1f, s.radius_b + 1.1f, ink);
        for (const auto& s : strokes_) to.limb(placed(s.a), placed(s.b), s.radius_a, s.radius_b, s.c);
    }

private:
    point placed(point p) const { return {feet_.x + p.x * static_cast<float>(facing_), feet_.y + p.y}; }

    point feet_;
    int facing_;
    look look_;
    tint tint_;
    std::vector<stroke> strokes_;
};

void add_item(sketch& s, point hand, point other_hand, const pose& p, const look& l) {
    const auto along = [&](float distance) { return at_angle(hand, p.item, distance * l.size); };
    const auto blade = [&](float from, float to, float radius, color c) { s.thin(along(from), along(to), radius, c); };
    const auto guard = [&](float from, float half, float radius, color c) {
        s.thin(at_angle(along(from), p.item + 90, half), at_angle(along(from), p.item - 90, half), radius, c);
    };
    switch (l.item) {
    case held_item::none: break;
    case held_item::dagger: blade(0, 8, .8f, 0xC9D3DC); break;
    case held_item::sword:
        blade(0, 17, 1, 0xE6EEF5);
        guard(2, 2.5f, .8f, 0xD8A83C);
        break;
    case held_item::great_sword:
        blade(0, 21, 1.7f, 0xB9C2D0);
        blade(3, 20, .6f, 0xEFF4FA);
        guard(2.5f, 6, 1.2f, 0x8A5A28);
        break;
    case held_item::club:
        blade(0, 8, 1.2f, 0x70492C);
        blade(8, 15, 2.6f, 0x8A5F3A);
        break;
    case held_item::spear:
        blade(-14, 26, .7f, 0x8A5F3A);
        blade(25, 31, 1.1f, 0xE6EEF5);
        break;
    case held_item::bow: {
        const point up = hand + point{-4, -9}, low = hand + point{-4, 9};
        const point upper = hand + point{0, -4}, lower = hand + point{0, 4};
        const point nock = p.drawn > 0 ? other_hand : hand + point{-4, 0};
        s.thin(up, upper, .8f, 0x9C6B3C);
        s.thin(upper, lower, .8f, 0x9C6B3C);
        s.thin(low, lower, .8f, 0x9C6B3C);
        s.thin(up, nock, .3f, 0xEFE6CF);
        s.thin(low, nock, .3f, 0xEFE6CF);
        if (p.drawn > 0) s.thin(nock, nock + point{15, 0}, .5f, 0xF3E9B5);
    }
    }
}

void add_head(sketch& s, point head, const pose& p, const look& l) {
    const float size = l.size;
    const auto at = [&](float x, float y) { return head + point{x * size, y * size}; };
    const auto add = [&](point a, point b, float radius_a, float radius_b, color c) {
        s.add(a, b, radius_a * size, radius_b * size, c);
    };
    add(head, head, 3.3f, 3.3f, l.skin);
    if (l.hood) {
        add(at(-1, -1), at(-2, 1), 3.2f, 2.6f, l.trim);
        add(at(-2.6f, -2.6f), at(-4.4f, -1.5f), 1.2f, .4f, l.trim);
    } else if (l.ears) {
        add(at(-1, 0), at(-5.4f, -2.6f), 1.1f, .3f, mixed(l.skin, ink, .15f));
        add(at(2, 1), at(4, 1.2f), 1, .4f, l.skin);
    } else if (l.horns) {
        add(at(-1, -2), at(1, -2.4f), 2.2f, 2, 0x4A4654);
        for (const float side : {-1.f, 1.f}) add(at(side * 2.4f, -3), at(side * 4, -7), .9f, .3f, 0xE8DEC0);
    } else { // hair, and a headband whose ends flutter
        add(at(-.8f, -1.6f), at(-1.6f, 0), 2.6f, 2, 0x5B3A22);
        add(at(-2.6f, -.6f), at(-7, 1 - p.lean * .05f), .8f, .5f, l.trim);
        s.thin(at(-2.4f, -.8f), at(2.6f, -.8f), .7f, l.trim);
    }
    s.thin(at(1.6f, .2f), at(1.6f, .6f), .35f * size, l.horns ? 0xFFD24A : ink); // an eye
}

} // namespace

void draw_figure(canvas& to, point feet, int facing, const pose& p, const look& l, tint t) {
    const float size = l.size;
    sketch s(feet, facing, l, t);
    const auto add = [&](point a, point b, float radius_a, float radius_b, color c) {
        s.add(a, b, radius_a * size, radius_b * size, c);
    };
    // The hip is where the lower foot, or the middle of the figure, is at the right height.
    const auto knee_of = [&](point hip, int i) { return at_angle(hip, p.thigh[i], 5.2f * size); };
    const auto sole_of = [&](point hip, int i) { return at_angle(knee_of(hip, i), p.shin[i], 5.2f * size); };
    const float lowest = p.standing ? std::max(sole_of({}, 0).y, sole_of({}, 1).y) + 1 : 10 * size;
    const point hip = {0, -lowest - p.lift};
    const point neck = at_angle(hip, 180 - p.lean, 8 * size), shoulder = at_angle(hip, 180 - p.lean, 7 * size);
    const auto arm = [&](point from, float angle) { return at_angle(from, angle, 4.6f * size); };
    const point elbows[] = {arm(shoulder, p.arm[0]), arm(shoulder, p.arm[1])};
    const point hands[] = {arm(elbows[0], p.forearm[0]), arm(elbows[1], p.forearm[1])};

    if (l.cape) add(neck, at_angle(neck, -20 - p.lean * 1.5f, 17 * size), 2.2f, 3.6f, l.trim);
    add(shoulder, elbows[1], 1.5f, 1.3f, mixed(l.shirt, ink, .3f));
    add(elbows[1], hands[1], 1.3f, 1.2f, mixed(l.skin, ink, .2f));
    for (const int i : {1, 0}) {
        const point knee = knee_of(hip, i), sole = sole_of(hip, i);
        const color c = i ? mixed(l.trousers, ink, .3f) : l.trousers;
        add(hip, knee, 1.9f, 1.5f, c);
        add(knee, sole, 1.5f, 1.2f, c);
        add(sole, sole + point{1.6f * size, 0}, 1.1f, .9f, mixed(l.trim, ink, .45f));
    }
    add(hip, shoulder, 2.3f, 3, l.shirt);
    add(hip + point{-1.4f * size, -size}, hip + point{1.6f * size, -size}, .9f, .9f, l.trim);
    add_head(s, at_angle(neck, 180 - p.lean * .7f, 4 * size), p, l);
    add_item(s, hands[0], hands[1], p, l);
    add(shoulder, elbows[0], 1.6f, 1.4f, mixed(l.shirt, 0xFFFFFF, .08f));
    add(elbows[0], hands[0], 1.4f, 1.3f, l.skin);
    if (l.shield && p.raised > 0) {
        const point middle = shoulder + point{7 * size, 2 * size};
        s.add(middle - point{0, 4 * p.raised}, middle + point{0, 4 * p.raised}, 2.6f, 2.2f, 0x4F6FA8);
        s.thin(middle - point{0, 3 * p.raised}, middle + point{0, 3 * p.raised}, .8f, 0xD8A83C);
    }
    if (p.spin != 0) s.turn(p.spin, {0, -11 * size});
    s.draw(to);
}

} // namespace arena
