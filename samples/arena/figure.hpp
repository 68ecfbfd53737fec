/// Figures of arms and legs. A pose is a list of angles, so animations are a few numbers.
#pragma once

#include "canvas.hpp"

#include <optional>

namespace arena {

enum class held_item { none, sword, bow, spear, dagger, club, great_sword };

struct look {
    color skin, shirt, trousers, trim; // trim: belt, hood, cape
    held_item item;
    float size = 1, width = 1;
    bool hood = false, ears = false, horns = false, cape = false, shield = false;
};

/// Angles in degrees: 0 is down, 90 is ahead, 180 is up.
struct pose {
    float lean = 0; // of the body
    float thigh[2] = {8, -8}, shin[2] = {0, -8};
    float arm[2] = {20, -10}, forearm[2] = {40, 10}; // [0] holds the item
    float item = 130;
    float spin = 0;                  // of everything
    float drawn = 0;                 // the bow, 0 to 1
    float raised = 0;                // the shield, 0 to 1
    float lift = 0;                  // pixels above the ground
    bool standing = true;            // the lower foot is on the ground
    std::optional<float> trail = {}; // of the blade: where the arm was when the blow began
};

/// A color that is mixed into all colors of a figure, and its part of the mixture.
struct tint {
    color to = 0;
    float part = 0;
};

constexpr color ink = 0x17131F;

/// Collects the parts of a figure at (0, 0) that looks to the right, then draws them.
class sketch {
public:
    sketch(const look& l, tint t) : look_(l), tint_(t) {}

    /// Adds a limb, whose radii are those of a figure of usual size.
    void add(point a, point b, float radius_a, float radius_b, color c) {
        const float by = look_.size * look_.width;
        strokes_.push_back({a, b, radius_a * by, radius_b * by, mixed(c, tint_.to, tint_.part)});
    }
    void thin(point a, point b, float radius, color c) {
        strokes_.push_back({a, b, radius, radius, mixed(c, tint_.to, tint_.part)});
    }
    void turn(float degrees, point around) {
        const float s = std::sin(degrees * degree), c = std::cos(degrees * degree);
        for (auto& each : strokes_)
            for (auto* p : {&each.a, &each.b}) {
                const point q = *p - around;
                *p = around + point{q.x * c - q.y * s, q.x * s + q.y * c};
            }
    }
    void draw(canvas& to, point feet, int facing) const {
        const auto at = [&](point p) { return feet + point{p.x * static_cast<float>(facing), p.y}; };
        for (const auto& s : strokes_) to.limb(at(s.a), at(s.b), s.radius_a + 1.1f, s.radius_b + 1.1f, ink);
        for (const auto& s : strokes_) to.limb(at(s.a), at(s.b), s.radius_a, s.radius_b, s.c);
    }

private:
    struct stroke {
        point a, b;
        float radius_a, radius_b;
        color c;
    };

    look look_;
    tint tint_;
    std::vector<stroke> strokes_;
};

/// The parts of an item, along its length. A part with `across` is a line to both sides instead.
constexpr struct {
    held_item item;
    float from, to, radius;
    color c;
    float across = 0;
} item_parts[] = {
    {held_item::dagger, 0, 8, .8f, 0xC9D3DC},       {held_item::sword, 0, 17, 1, 0xE6EEF5},
    {held_item::sword, 2, 2, .8f, 0xD8A83C, 2.5f},  {held_item::great_sword, 0, 21, 1.7f, 0xB9C2D0},
    {held_item::great_sword, 3, 20, .6f, 0xEFF4FA}, {held_item::great_sword, 2.5f, 2.5f, 1.2f, 0x8A5A28, 6},
    {held_item::club, 0, 8, 1.2f, 0x70492C},        {held_item::club, 8, 15, 2.6f, 0x8A5F3A},
    {held_item::spear, -14, 26, .7f, 0x8A5F3A},     {held_item::spear, 25, 31, 1.1f, 0xE6EEF5},
};

inline void add_bow(sketch& s, point hand, point nock, bool drawn) {
    for (const float side : {-1.f, 1.f}) {
        const point tip = hand + point{-4, 9 * side}, bend = hand + point{0, 4 * side};
        s.thin(tip, bend, .8f, 0x9C6B3C);
        s.thin(bend, hand, .8f, 0x9C6B3C);
        s.thin(tip, nock, .3f, 0xEFE6CF);
    }
    if (drawn) s.thin(nock, nock + point{15, 0}, .5f, 0xF3E9B5);
}

inline void add_item(sketch& s, point hand, point other_hand, const pose& p, const look& l) {
    for (const auto& part : item_parts) {
        if (part.item != l.item) continue;
        const point from = at_angle(hand, p.item, part.from * l.size), to = at_angle(hand, p.item, part.to * l.size);
        s.thin(at_angle(from, p.item + 90, part.across), at_angle(to, p.item - 90, part.across), part.radius, part.c);
    }
    if (l.item == held_item::bow) add_bow(s, hand, p.drawn > 0 ? other_hand : hand + point{-4, 0}, p.drawn > 0);
}

inline void add_head(sketch& s, point head, const pose& p, const look& l) {
    const auto at = [&](float x, float y) { return head + point{x * l.size, y * l.size}; };
    s.add(head, head, 3.3f, 3.3f, l.skin);
    if (l.hood) {
        s.add(at(-1, -1), at(-2, 1), 3.2f, 2.6f, l.trim);
        s.add(at(-2.6f, -2.6f), at(-4.4f, -1.5f), 1.2f, .4f, l.trim);
    } else if (l.ears) {
        s.add(at(-1, 0), at(-5.4f, -2.6f), 1.1f, .3f, mixed(l.skin, ink, .15f));
        s.add(at(2, 1), at(4, 1.2f), 1, .4f, l.skin);
    } else if (l.horns) {
        s.add(at(-1, -2), at(1, -2.4f), 2.2f, 2, 0x4A4654);
        for (const float side : {-1.f, 1.f}) s.add(at(side * 2.4f, -3), at(side * 4, -7), .9f, .3f, 0xE8DEC0);
    } else { // hair, and a headband whose ends flutter
        s.add(at(-.8f, -1.6f), at(-1.6f, 0), 2.6f, 2, 0x5B3A22);
        s.add(at(-2.6f, -.6f), at(-7, 1 - p.lean * .05f), .8f, .5f, l.trim);
        s.thin(at(-2.4f, -.8f), at(2.6f, -.8f), .7f, l.trim);
    }
    s.thin(at(1.6f, .2f), at(1.6f, .6f), .35f * l.size, l.horns ? 0xFFD24A : ink); // an eye
}

inline void draw_trail(canvas& to, point feet, int facing, const pose& p, const look& l) {
    const auto side = static_cast<float>(facing);
    const float outer = (l.item == held_item::dagger ? 17.f : 27.f) * l.size;
    const point shoulder = feet + point{3 * side * l.size, -16 * l.size};
    to.arc(shoulder, outer * .35f, outer, side * *p.trail, side * p.arm[0], 0xFFFFFF, .75f);
}

inline pose mixed(pose a, const pose& b, float part) {
    const auto mix = [part](float& x, float y) { x += (y - x) * part; };
    for (auto each : {&pose::lean, &pose::item, &pose::spin, &pose::drawn, &pose::raised, &pose::lift})
        mix(a.*each, b.*each);
    for (auto each : {&pose::thigh, &pose::shin, &pose::arm, &pose::forearm})
        for (int i = 0; i < 2; ++i) mix((a.*each)[i], (b.*each)[i]);
    return a;
}

inline void draw_figure(canvas& to, point feet, int facing, const pose& p, const look& l, tint t = {}) {
    if (p.trail) draw_trail(to, feet, facing, p, l);
    const float size = l.size;
    // The hip is where the lower foot, or the middle of the figure, is at the right height.
    const auto knee_of = [&](point hip, int i) { return at_angle(hip, p.thigh[i], 5.2f * size); };
    const auto sole_of = [&](point hip, int i) { return at_angle(knee_of(hip, i), p.shin[i], 5.2f * size); };
    const float lowest = p.standing ? std::max(sole_of({}, 0).y, sole_of({}, 1).y) + 1 : 10 * size;
    const point hip = {0, -lowest - p.lift};
    const point neck = at_angle(hip, 180 - p.lean, 8 * size), shoulder = at_angle(hip, 180 - p.lean, 7 * size);
    const auto arm = [&](point from, float angle) { return at_angle(from, angle, 4.6f * size); };
    const point elbows[] = {arm(shoulder, p.arm[0]), arm(shoulder, p.arm[1])};
    const point hands[] = {arm(elbows[0], p.forearm[0]), arm(elbows[1], p.forearm[1])};

    // From back to front:
    sketch s(l, t);
    if (l.cape) s.add(neck, at_angle(neck, -20 - p.lean * 1.5f, 17 * size), 2.2f, 3.6f, l.trim);
    s.add(shoulder, elbows[1], 1.5f, 1.3f, mixed(l.shirt, ink, .3f));
    s.add(elbows[1], hands[1], 1.3f, 1.2f, mixed(l.skin, ink, .2f));
    for (const int i : {1, 0}) {
        const point knee = knee_of(hip, i), sole = sole_of(hip, i);
        const color c = i ? mixed(l.trousers, ink, .3f) : l.trousers;
        s.add(hip, knee, 1.9f, 1.5f, c);
        s.add(knee, sole, 1.5f, 1.2f, c);
        s.add(sole, sole + point{1.6f * size, 0}, 1.1f, .9f, mixed(l.trim, ink, .45f));
    }
    s.add(hip, shoulder, 2.3f, 3, l.shirt);
    s.add(hip + point{-1.4f * size, -size}, hip + point{1.6f * size, -size}, .9f, .9f, l.trim); // belt
    add_head(s, at_angle(neck, 180 - p.lean * .7f, 4 * size), p, l);
    add_item(s, hands[0], hands[1], p, l);
    s.add(shoulder, elbows[0], 1.6f, 1.4f, mixed(l.shirt, 0xFFFFFF, .08f));
    s.add(elbows[0], hands[0], 1.4f, 1.3f, l.skin);
    if (l.shield && p.raised > 0) {
        const point middle = shoulder + point{7 * size, 2 * size}, up = {0, -4 * p.raised};
        s.add(middle + up, middle - up, 2.6f, 2.2f, 0x4F6FA8);
        s.thin(middle + up, middle - up, .8f, 0xD8A83C);
    }
    if (p.spin != 0) s.turn(p.spin, {0, -11 * size});
    s.draw(to, feet, facing);
}

} // namespace arena
