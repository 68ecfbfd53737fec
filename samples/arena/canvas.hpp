/// A picture of 384 x 216 pixels, and the shapes that the game consists of.
#pragma once

#include "body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

namespace arena {

using color = std::uint32_t; // 0xRRGGBB

constexpr float degree = std::numbers::pi_v<float> / 180; // in radians

struct point {
    float x, y;
};
constexpr point operator+(point a, point b) { return {a.x + b.x, a.y + b.y}; }
constexpr point operator-(point a, point b) { return {a.x - b.x, a.y - b.y}; }
/// Returns the point at a distance; 0 degrees is down, and 90 degrees is in the direction of x.
inline point at_angle(point from, float degrees, float distance) {
    return {from.x + std::sin(degrees * degree) * distance, from.y + std::cos(degrees * degree) * distance};
}

inline color mixed(color a, color b, float part) {
    color all = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const auto x = static_cast<float>((a >> shift) & 255), y = static_cast<float>((b >> shift) & 255);
        all |= static_cast<color>(x + (y - x) * part + 0.5f) << shift;
    }
    return all;
}

/// The letters ' ' to '_', five rows of three bits each, the upper row in the highest bits.
constexpr std::array<std::uint16_t, 64> letters = {
    0x0000, 0x2482, 0x5A00, 0x5F7D, 0x3C9E, 0x52A5, 0x2AAB, 0x2400, 0x1491, 0x4494, 0x0AA8, 0x05D0, 0x0014,
    0x01C0, 0x0002, 0x12A4, 0x7B6F, 0x2C97, 0x73E7, 0x73CF, 0x5BC9, 0x79CF, 0x79EF, 0x7252, 0x7BEF, 0x7BCF,
    0x0410, 0x0414, 0x1511, 0x0E38, 0x4454, 0x7282, 0x7BE7, 0x2BED, 0x6BAE, 0x3923, 0x6B6E, 0x79A7, 0x79A4,
    0x396B, 0x5BED, 0x7497, 0x126A, 0x5BAD, 0x4927, 0x5FED, 0x6B6D, 0x2B6A, 0x6BA4, 0x2B73, 0x6BAD, 0x388E,
    0x7492, 0x5B6F, 0x5B6A, 0x5BFD, 0x5AAD, 0x5A92, 0x72A7, 0x6926, 0x4889, 0x324B, 0x2A00, 0x0007,
};

class canvas {
public:
    static constexpr int width = 384, height = 216;

    canvas() : pixels_(static_cast<std::size_t>(width) * height) {}

    /// The y of the upper edge of the picture in all functions.
    int top = 0;

    const std::vector<color>& pixels() const { return pixels_; }
    bool contains(int x, int y) const { return x >= 0 && x < width && y >= top && y < top + height; }
    void set(int x, int y, color c, float part = 1) {
        if (contains(x, y)) at(x, y) = part >= 1 ? c : mixed(at(x, y), c, part);
    }
    void fill(const box& b, color c, float part = 1) {
        for (int y = std::max(top, b.y); y < std::min(top + height, b.y + b.h); ++y)
            for (int x = std::max(0, b.x); x < std::min(width, b.x + b.w); ++x) set(x, y, c, part);
    }
    void disc(point m, float radius, color c, float part = 1) {
        each_pixel(m - point{radius, radius}, m + point{radius, radius}, [&](int x, int y, point p) {
            if (std::hypot(p.x - m.x, p.y - m.y) <= radius) set(x, y, c, part);
        });
    }
    /// Draws a line with round ends, whose radius changes from one end to the other.
    void limb(point a, point b, float radius_a, float radius_b, color c) {
        const float most = std::max(radius_a, radius_b);
        const point low = {std::min(a.x, b.x) - most, std::min(a.y, b.y) - most};
        const point high = {std::max(a.x, b.x) + most, std::max(a.y, b.y) + most}, line = b - a;
        const float square = line.x * line.x + line.y * line.y;
        each_pixel(low, high, [&](int x, int y, point p) {
            const point q = p - a;
            const float along = square > 0 ? std::clamp((q.x * line.x + q.y * line.y) / square, 0.f, 1.f) : 0;
            const float radius = radius_a + (radius_b - radius_a) * along;
            if (std::hypot(q.x - along * line.x, q.y - along * line.y) <= radius) set(x, y, c);
        });
    }
    /// Draws a part of a ring, between two angles in degrees.
    void arc(point m, float inner, float outer, float from, float to, color c, float part) {
        if (from > to) std::swap(from, to);
        each_pixel(m - point{outer, outer}, m + point{outer, outer}, [&](int x, int y, point p) {
            const float distance = std::hypot(p.x - m.x, p.y - m.y);
            float degrees = std::atan2(p.x - m.x, p.y - m.y) / degree;
            while (degrees < from) degrees += 360;
            if (distance < inner || distance > outer || degrees > to) return;
            const float edge = (distance - inner) / (outer - inner);
            set(x, y, c, part * edge * std::min(1.f, (degrees - from) / (to - from) + .2f));
        });
    }
    /// Letters are 3 x 5 pixels in cells of 4 x 7.
    void text(int x, int y, std::string_view words, color c, int scale = 1) {
        for (const char letter : words) {
            const int upper = letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
            const auto rows = upper >= 32 && upper < 96 ? letters[static_cast<std::size_t>(upper - 32)] : letters[31];
            for (int i = 0; i < 15; ++i)
                if (rows >> (14 - i) & 1) fill({x + i % 3 * scale, y + i / 3 * scale, scale, scale}, c);
            x += 4 * scale;
        }
    }
    void shadowed_text(int x, int y, std::string_view words, color c, int scale = 1) {
        text(x + scale, y + scale, words, 0x0B0A14, scale);
        text(x, y, words, c, scale);
    }

private:
    /// Calls f(x, y, middle of the pixel) for each pixel of a rectangle.
    template <class F> static void each_pixel(point low, point high, F f) {
        for (int y = static_cast<int>(low.y); y <= static_cast<int>(high.y); ++y)
            for (int x = static_cast<int>(low.x); x <= static_cast<int>(high.x); ++x)
                f(x, y, point{static_cast<float>(x) + .5f, static_cast<float>(y) + .5f});
    }
    color& at(int x, int y) { return pixels_[static_cast<std::size_t>(y - top) * width + static_cast<std::size_t>(x)]; }

    std::vector<color> pixels_;
};

} // namespace arena
