/// Integer geometry: positions are in sub-pixels, so that every compiler computes the same game.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace arena {

constexpr int unit = 256; ///< sub-pixels in a pixel
constexpr int tile = 16;  ///< pixels in a tile

/// A rectangle in pixels.
struct box {
    int x, y, w, h;

    box moved(int dx, int dy) const { return {x + dx, y + dy, w, h}; }
    bool overlaps(const box& o) const { return x < o.x + o.w && o.x < x + w && y < o.y + o.h && o.y < y + h; }
};

/// A moving rectangle. Its position is the middle of its feet.
struct body {
    int x = 0, y = 0;   // sub-pixels
    int vx = 0, vy = 0; // sub-pixels per frame
    int w = 10, h = 24; // pixels
    int facing = 1;     // 1: right, -1: left
    int grounded = 0;
    int blocked = 0; // a wall or an edge is in front

    /// Returns a body at this place, in pixels.
    static body at(int x, int y, int facing) { return {.x = x * unit, .y = y * unit, .facing = facing}; }
    int px() const { return x / unit; }
    int py() const { return y / unit; }
    box bounds() const { return {px() - w / 2, py() - h, w, h}; }
    /// Returns the rectangle in front of the body, `reach` pixels long.
    box front(int reach, int height) const {
        return {facing > 0 ? px() : px() - reach, py() - h / 2 - height / 2, reach, height};
    }
    void brake(int by) { vx = vx > 0 ? std::max(0, vx - by) : std::min(0, vx + by); }
    void accelerate(int to, int by) { vx = vx < to ? std::min(to, vx + by) : std::max(to, vx - by); }
    void push(int sideways, int up) {
        vx = sideways;
        vy = -up;
        grounded = 0;
    }
    void face(int direction) {
        if (direction) facing = direction > 0 ? 1 : -1;
    }
};

template <class A> void serialize(A& archive, body& b) {
    archive("x", b.x)("y", b.y)("vx", b.vx)("vy", b.vy)("w", b.w)("h", b.h)("facing", b.facing);
    archive("grounded", b.grounded)("blocked", b.blocked);
}

} // namespace arena
