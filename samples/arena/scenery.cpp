// Sky, hills, tiles, doors.

#include "draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace arena {

namespace {

constexpr int cave_begins = 89 * tile; // pixels

/// A number without pattern for a place, from 0 to 255.
int grain(int x, int y) {
    auto h = static_cast<std::uint32_t>(x) * 374'761'393u + static_cast<std::uint32_t>(y) * 668'265'263u;
    h = (h ^ (h >> 13)) * 1'274'126'177u;
    return static_cast<int>((h ^ (h >> 16)) & 255);
}

void draw_sky(canvas& to, int left) {
    constexpr std::array<color, 9> bands = {0x241A44, 0x33215A, 0x4A2A6B, 0x6B3474, 0x91406F,
                                            0xB85464, 0xDB7358, 0xF09A5A, 0xF8C171};
    for (int y = to.top; y < to.top + canvas::height; ++y) {
        const int level = (y - to.top) * 9 * 4 / 180;
        const auto band = static_cast<std::size_t>(std::min(8, level / 4));
        const auto next = std::min<std::size_t>(8, band + 1);
        for (int x = 0; x < canvas::width; ++x) { // bands with dithered edges
            const bool dither = level % 4 == 3 && (x + y) % 2 == 0;
            to.set(x, y, bands[dither ? next : band]);
        }
    }
    to.disc({270.f - static_cast<float>(left) / 40, 158}, 27, 0xFCE3A0);
    to.disc({270.f - static_cast<float>(left) / 40, 158}, 23, 0xFFF3CC);
    for (int i = 0; i < 60; ++i) {
        const int x = grain(i, 1) * 2 - left / 60, y = to.top + grain(i, 2) * 64 / 255;
        to.set((x % 512 + 512) % 512, y, grain(i, 3) > 128 ? 0xE9D9FF : 0x8C78B8);
    }
}

void draw_ridge(canvas& to, int left, int base, float height, float length, color c, bool trees) {
    for (int x = 0; x < canvas::width; ++x) {
        const float at = static_cast<float>(x + left) / length;
        const float rise = std::sin(at) * .5f + std::sin(at * 2.3f + 1) * .3f + std::sin(at * 5.1f) * .12f;
        int top = base - static_cast<int>(height * (rise + .6f));
        if (trees) {
            const int cell = (x + left) / 9, within = (x + left) % 9 - 4;
            top -= std::max(0, 7 + grain(cell, 5) % 10 - 3 * std::abs(within));
        }
        to.fill({x, top, 1, to.top + canvas::height - top}, c);
    }
}

void draw_cave(canvas& to, int left, int frame) {
    for (int y = to.top; y < to.top + canvas::height; ++y)
        for (int x = std::max(0, cave_begins - left); x < canvas::width; ++x) {
            const int row = y / 12, shifted = x + left - left / 4 + row % 2 * 14;
            const bool joint = y % 12 == 0 || shifted % 28 == 0;
            const int shade = grain(shifted / 28, row);
            to.set(x, y, joint ? 0x14121E : shade > 200 ? 0x262336 : shade > 90 ? 0x211E30 : 0x1D1A2B);
        }
    for (int torch = cave_begins + 70; torch < cave_begins + 75 * tile; torch += 150) {
        if (torch < left - 60 || torch > left + canvas::width + 60) continue;
        const auto x = static_cast<float>(torch - left), flicker = static_cast<float>(grain(frame / 5, torch) % 3);
        for (const float radius : {46.f, 32.f, 20.f}) to.disc({x, 128}, radius, 0xE08A3C, .10f);
        to.fill({torch - left - 1, 130, 3, 10}, 0x4A3626);
        to.limb({x, 128}, {x, 122 - flicker}, 3, 1, 0xF08030);
        to.limb({x, 128}, {x, 125}, 1.6f, .8f, 0xFFE27A);
    }
}

color color_of_ground(const level& place, int column, int row, int dx, int dy) {
    const int x = column * tile + dx, y = row * tile + dy, g = grain(x, y);
    const bool surface = !place.solid(column, row - 1);
    if (x >= cave_begins) {
        const bool joint = y % 16 == 15 || (x + row % 2 * 8) % 16 == 15;
        return dy < 2 && surface ? 0x6C6786 : joint ? 0x23202F : g > 225 ? 0x5A5570 : 0x474259;
    }
    if (surface && dy < 5 + grain(x, 7) % 3) return dy < 2 ? 0x9CCB4F : 0x5E9A3E;
    return g > 236 ? 0x8A5A3C : g < 22 ? 0x4A2E28 : 0x653F31;
}

void draw_ground(canvas& to, const level& place, int column, int row, int x, int y) {
    for (int dy = 0; dy < tile; ++dy)
        for (int dx = 0; dx < tile; ++dx) to.set(x + dx, y + dy, color_of_ground(place, column, row, dx, dy));
    if (!place.solid(column - 1, row)) to.fill({x, y, 1, tile}, 0x17131F, .5f);
    if (!place.solid(column + 1, row)) to.fill({x + tile - 1, y, 1, tile}, 0x17131F, .5f);
    const bool grows = column * tile < cave_begins && !place.solid(column, row - 1) && grain(column, row) > 120;
    for (int i = 0; grows && i < 3; ++i) to.set(x + 3 + i * 4 + grain(column, i) % 3, y - 1 - i % 2, 0x9CCB4F);
}

void draw_tile(canvas& to, const level& place, int column, int row, int left) {
    const int x = column * tile - left, y = row * tile;
    switch (place.at(column, row)) {
    case '#': draw_ground(to, place, column, row, x, y); break;
    case '=':
        to.fill({x, y, tile, 5}, 0x8A5F3A);
        to.fill({x, y, tile, 1}, 0xC08A54);
        to.fill({x, y + 4, tile, 1}, 0x4A3020);
        to.fill({x + 7, y + 1, 1, 3}, 0x5C3F28);
        break;
    case '^':
        for (int dy = 2; dy < tile; ++dy)
            for (const int middle : {x + 4, x + 12}) {
                to.fill({middle - dy / 4, y + dy, dy / 4, 1}, 0xAEB6C6);
                to.fill({middle, y + dy, dy / 4, 1}, 0x6C7488);
            }
        break;
    default: break;
    }
}

} // namespace

void draw_scenery(const world& game, canvas& to, int left) {
    draw_sky(to, left);
    draw_ridge(to, left / 10, 205, 52, 70, 0x5B3168, false);
    draw_ridge(to, left / 5, 222, 36, 48, 0x40244F, false);
    draw_ridge(to, left / 3, 232, 16, 36, 0x2A1B3A, true);
    draw_cave(to, left, static_cast<int>(game.frame()));
    for (int row = 0; row < game.place.height(); ++row)
        for (int column = left / tile; column <= (left + canvas::width) / tile; ++column)
            draw_tile(to, game.place, column, row, left);
}

void draw_doors(const world& game, canvas& to, int left) {
    for (const auto& d : game.gates.all()) {
        const auto b = d.bounds();
        const int x = b.x - left;
        for (int bar = 1; bar < tile; bar += 5) {
            to.fill({x + bar - 1, b.y, 5, b.h}, 0x17131F);
            to.fill({x + bar, b.y, 3, b.h}, 0x6B5A48);
            to.fill({x + bar, b.y, 1, b.h}, 0xA08A6C);
        }
        for (int cross = b.h - 8; cross > 0; cross -= 14) to.fill({x, b.y + cross, tile, 3}, 0x4E4236);
    }
    const auto& s = game.gates.the_switch();
    const auto foot = point{static_cast<float>(s.x - left), static_cast<float>(s.y)};
    const bool pulled = game.gates.is_pulled();
    const point knob = at_angle(foot, pulled ? 140 : 220, 15);
    to.limb(foot, knob, 2.4f, 2, 0x17131F);
    to.limb(foot, knob, 1.2f, 1, 0xA08A6C);
    to.disc(knob, 3.6f, 0x17131F);
    to.disc(knob, 2.6f, pulled ? 0x6FD36B : 0xE25440);
    to.limb({foot.x - 4, foot.y - 1}, {foot.x + 4, foot.y - 1}, 2.5f, 2.5f, 0x4E4236);
}

} // namespace arena
