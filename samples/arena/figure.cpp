#include "figure.hpp"

#include <algorithm>
#include <array>
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
    void turn(float degrees, point around, float lift) {
        const float s = std::sin(degrees * .0174533f), c = std::cos(degrees * .0174533f);
        for (auto& each : strokes_)
            for (auto* p : {&each.a, &each.b}) {
                const point q = {p->x - around.x, p->y - around.y};
                *p = {around.x + q.x * c - q.y * s, around.y + q.x * s + q.y * c - lift};
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
    const float size = l.size;
    const auto blade = [&](float from, float length, float radius, color c) {
        s.thin(at_angle(hand, p.item, from * size), at_angle(hand, p.item, length * size), radius, c);
    };
    switch (l.item) {
    case held_item::none: break;
    case held_item::dagger: blade(0, 8, .8f, 0xC9D3DC); break;
    case held_item::sword:
        blade(0, 17, 1, 0xE6EEF5);
        s.thin(at_angle(at_angle(hand, p.item, 2), p.item + 90, 2.5f),
               at_angle(at_angle(hand, p.item, 2), p.item - 90, 2.5f), .8f, 0xD8A83C);
        break;
    case held_item::great_sword:
        blade(0, 21, 1.7f, 0xB9C2D0);
        blade(3, 20, .6f, 0xEFF4FA);
        s.thin(at_angle(at_angle(hand, p.item, 5), p.item + 90, 6), at_angle(at_angle(hand, p.item, 5), p.item - 90, 6),
               1.2f, 0x8A5A28);
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
        const point up = at_angle(at_angle(hand, 180, 9), 270, 4), low = at_angle(at_angle(hand, 0, 9), 270, 4);
        s.thin(up, at_angle(hand, 180, 4), .8f, 0x9C6B3C);
        s.thin(at_angle(hand, 180, 4), at_angle(hand, 0, 4), .8f, 0x9C6B3C);
        s.thin(low, at_angle(hand, 0, 4), .8f, 0x9C6B3C);
        const point nock = p.drawn > 0 ? other_hand : at_angle(hand, 270, 4);
        s.thin(up, nock, .3f, 0xEFE6CF);
        s.thin(low, nock, .3f, 0xEFE6CF);
        if (p.drawn > 0) s.thin(nock, at_angle(nock, 90, 15), .5f, 0xF3E9B5);
    }
    }
}

} // namespace

void draw_figure(canvas& to, point feet, int facing, const pose& p, const look& l, tint t) {
    const float size = l.size;
    sketch s(feet, facing, l, t);
    std::array<point, 2> knees, soles;
    point hip = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
        knees[i] = at_angle(hip, p.thigh[i], 5.2f * size);
        soles[i] = at_angle(knees[i], p.shin[i], 5.2f * size);
    }
    const float lowest = p.standing ? std::max(soles[0].y, soles[1].y) + 1 : 10 * size;
    const auto raise = [&](point& q) { q.y -= lowest + p.lift; };
    for (auto* q : {&hip, &knees[0], &knees[1], &soles[0], &soles[1]}) raise(*q);
    const point neck = at_angle(hip, 180 - p.lean, 8 * size);
    const point shoulder = at_angle(hip, 180 - p.lean, 7 * size);
    const point head = at_angle(neck, 180 - p.lean * .7f, 4 * size);
    std::array<point, 2> elbows, hands;
    for (std::size_t i = 0; i < 2; ++i) {
        elbows[i] = at_angle(shoulder, p.arm[i], 4.6f * size);
        hands[i] = at_angle(elbows[i], p.forearm[i], 4.6f * size);
    }
    const color dark_shirt = mixed(l.shirt, ink, .3f), dark_trousers = mixed(l.trousers, ink, .3f);

    if (l.cape) {
        const point tip = at_angle(neck, -20 - p.lean * 1.5f, 17 * size);
        s.add(neck, tip, 2.2f * size, 3.6f * size, l.trim);
    }
    s.add(shoulder, elbows[1], 1.5f * size, 1.3f * size, dark_shirt);
    s.add(elbows[1], hands[1], 1.3f * size, 1.2f * size, mixed(l.skin, ink, .2f));
    for (const std::size_t i : {1u, 0u}) {
        s.add(hip, knees[i], 1.9f * size, 1.5f * size, i ? dark_trousers : l.trousers);
        s.add(knees[i], soles[i], 1.5f * size, 1.2f * size, i ? dark_trousers : l.trousers);
        s.add(soles[i], {soles[i].x + 1.6f * size, soles[i].y}, 1.1f * size, .9f * size, mixed(l.trim, ink, .45f));
    }
    s.add(hip, shoulder, 2.3f * size, 3 * size, l.shirt);
    s.add({hip.x - 1.4f * size, hip.y - size}, {hip.x + 1.6f * size, hip.y - size}, .9f * size, .9f * size, l.trim);
    s.add(head, head, 3.3f * size, 3.3f * size, l.skin);
    if (l.hood) {
        s.add({head.x - size, head.y - size}, {head.x - 2 * size, head.y + size}, 3.2f * size, 2.6f * size, l.trim);
        s.add({head.x - 2.6f * size, head.y - 2.6f * size}, {head.x - 4.4f * size, head.y - 1.5f * size}, 1.2f * size,
              .4f, l.trim);
    } else if (l.ears) {
        s.add({head.x - size, head.y}, {head.x - 5.4f * size, head.y - 2.6f * size}, 1.1f * size, .3f,
              mixed(l.skin, ink, .15f));
        s.add({head.x + 2 * size, head.y + size}, {head.x + 4 * size, head.y + 1.2f * size}, 1 * size, .4f, l.skin);
    } else if (l.horns) {
        s.add({head.x - size, head.y - 2 * size}, {head.x + size, head.y - 2.4f * size}, 2.2f * size, 2 * size,
              0x4A4654);
        for (const float side : {-1.f, 1.f})
            s.add({head.x + side * 2.4f * size, head.y - 3 * size}, {head.x + side * 4 * size, head.y - 7 * size},
                  .9f * size, .3f, 0xE8DEC0);
    } else { // hair, and a headband whose ends flutter
        s.add({head.x - .8f * size, head.y - 1.6f * size}, {head.x - 1.6f * size, head.y}, 2.6f * size, 2 * size,
              0x5B3A22);
        s.add({head.x - 2.6f * size, head.y - .6f * size}, {head.x - 7 * size, head.y + (1 - p.lean * .05f) * size},
              .8f, .5f, l.trim);
        s.thin({head.x - 2.4f * size, head.y - .8f * size}, {head.x + 2.6f * size, head.y - .8f * size}, .7f, l.trim);
    }
    s.thin({head.x + 1.6f * size, head.y + .2f}, {head.x + 1.6f * size, head.y + .6f}, .35f * size,
           l.horns ? 0xFFD24A : ink);
    add_item(s, hands[0], hands[1], p, l);
    s.add(shoulder, elbows[0], 1.6f * size, 1.4f * size, mixed(l.shirt, 0xFFFFFF, .08f));
    s.add(elbows[0], hands[0], 1.4f * size, 1.3f * size, l.skin);
    if (l.shield && p.raised > 0) {
        const point middle = {shoulder.x + 7 * size, shoulder.y + 2 * size};
        s.add({middle.x, middle.y - 4 * p.raised}, {middle.x, middle.y + 4 * p.raised}, 2.6f, 2.2f, 0x4F6FA8);
        s.thin({middle.x, middle.y - 3 * p.raised}, {middle.x, middle.y + 3 * p.raised}, .8f, 0xD8A83C);
    }
    const point center = {0, -11 * size};
    if (p.spin != 0) s.turn(p.spin, center, 0);
    s.draw(to);
}

} // namespace arena
