/// A picture of 384 x 216 pixels, and the shapes that the game consists of.
#pragma once

#include "body.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace arena {

using color = std::uint32_t; // 0xRRGGBB

struct point {
    float x, y;
};
constexpr point operator+(point a, point b) { return {a.x + b.x, a.y + b.y}; }
constexpr point operator-(point a, point b) { return {a.x - b.x, a.y - b.y}; }
/// Returns the point at a distance; 0 degrees is down, and 90 degrees is in the direction of x.
point at_angle(point from, float degrees, float distance);

color mixed(color a, color b, float part_of_b);

class canvas {
public:
    static constexpr int width = 384, height = 216;

    canvas() : pixels_(static_cast<std::size_t>(width) * height) {}

    /// The y of the upper edge, for all functions.
    int top = 0;

    const std::vector<color>& pixels() const { return pixels_; }
    bool contains(int x, int y) const { return x >= 0 && x < width && y >= top && y < top + height; }
    void set(int x, int y, color c, float part = 1) {
        if (contains(x, y)) at(x, y) = part >= 1 ? c : mixed(at(x, y), c, part);
    }
    void fill(const box& b, color c, float part = 1);
    void disc(point middle, float radius, color c, float part = 1);
    /// Draws a line with round ends, whose radius changes from one end to the other.
    void limb(point a, point b, float radius_a, float radius_b, color c);
    /// Draws a part of a ring, between two angles in degrees.
    void arc(point middle, float inner, float outer, float from, float to, color c, float part);
    /// Letters are 3 x 5 pixels in cells of 4 x 7.
    void text(int x, int y, std::string_view words, color c, int scale = 1);
    void shadowed_text(int x, int y, std::string_view words, color c, int scale = 1);

private:
    color& at(int x, int y) { return pixels_[static_cast<std::size_t>(y - top) * width + static_cast<std::size_t>(x)]; }

    std::vector<color> pixels_;
};

} // namespace arena
