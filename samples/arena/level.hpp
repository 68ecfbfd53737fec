/// The level: tiles, and the places where everything starts.
#pragma once

#include "body.hpp"

#include <cctype>
#include <sstream>
#include <string>
#include <vector>

namespace arena {

constexpr int rows = 17; // of the level

/// A place in the text of the level. The position is the middle of the lower edge, in pixels.
struct mark {
    char kind;
    int x, y;
};

// Rooms from left to right. Above its lines, a room repeats its first line.
// # ground, = platform (solid from above), ^ spikes. Letters are marks: h hero, g goblin, a archer, b brute, W warlord,
// v bats hang below this tile, D gate, s its switch, L door of the lair, E exit.
constexpr const char* rooms[] = {
    R"(................................
..................===...........
................................
............===.................
......................##........
...h..............g...##.....g..
################################
################################
################################)",
    R"(................................
....................a...........
..................=====.........
................................
..............===...............
.........a......................
........####..............===...
....##..####...g.............g..
##################..####^^######
##################..############
##################^^############)",
    R"(.........................#######
................s........#######
..............=====......#######
.........................#######
...........==............#######
.........................D......
.......===...............D......
..###....................D......
..###.....g.......b......D......
################################
################################
################################)",
    R"(################################
#########.#######...####..######
###.vvvvvvvvvvvvvvvvvvvvvvvvv.##
................................
................................
................................
................................
........===.....................
................a...............
..............####..............
......g....#######......b.......
##########################^^####
################################
################################)",
    R"(################################
#####......................#####
##............................##
##............................##
##............................##
##............................##
##............................##
..L....===..........===.......E.
..L...........................E.
..L...........................E.
..L...............W...........E.
################################
################################
################################)",
};

class level {
public:
    level() : rows_(rows) {
        for (const char* room : rooms) {
            std::istringstream lines(room);
            std::vector<std::string> drawn;
            for (std::string line; lines >> line;) drawn.push_back(line);
            const int above = rows - static_cast<int>(drawn.size());
            for (int row = 0; row < rows; ++row)
                rows_[static_cast<std::size_t>(row)] += drawn[static_cast<std::size_t>(std::max(0, row - above))];
        }
        for (int row = 0; row < height(); ++row)
            for (int column = 0; column < width(); ++column) {
                auto& kind = rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
                if (!std::isalpha(static_cast<unsigned char>(kind))) continue;
                marks_.push_back({kind, column * tile + tile / 2, (row + 1) * tile});
                kind = '.';
            }
    }

    int width() const { return static_cast<int>(rows_[0].size()); } ///< in tiles
    int height() const { return static_cast<int>(rows_.size()); }
    char at(int column, int row) const {
        if (column < 0 || column >= width()) return '#';
        if (row < 0 || row >= height()) return '.';
        return rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    }
    bool solid(int column, int row) const { return at(column, row) == '#'; } ///< without doors
    const std::vector<mark>& marks() const { return marks_; }

    /// Doors that are closed now. The world sets them in each frame.
    std::vector<box> barriers;

    /// Applies gravity and velocity to a body, and stops it at tiles and barriers.
    void move(body& b) const {
        b.blocked = 0;
        const int goal = b.x + b.vx, side = b.vx > 0 ? 1 : -1;
        while (b.px() != goal / unit && !hits(b.bounds().moved(side, 0))) b.x += side * unit;
        if (b.px() == goal / unit)
            b.x = goal;
        else
            b.vx = 0, b.blocked = 1;

        b.vy = std::min(b.vy + 60, 6 * unit);
        const int landing = b.y + b.vy, down = b.vy > 0 ? 1 : -1;
        const auto stops = [&] { return down > 0 ? stands(b) : hits(b.bounds().moved(0, -1)); };
        while (b.py() != landing / unit && !stops()) b.y += down * unit;
        if (down < 0 && b.py() != landing / unit) b.vy = 0; // the ceiling
        b.grounded = b.vy >= 0 && stands(b);
        if (b.grounded)
            b.vy = 0, b.y = b.py() * unit;
        else if (b.vy)
            b.y = landing;
        if (!b.grounded) return;
        const char floor = at((b.px() + b.facing * (b.w / 2 + 2)) / tile, b.py() / tile);
        const bool is_edge = floor != '#' && floor != '=';
        if (is_edge || hits(b.bounds().moved(2 * b.facing, 0))) b.blocked = 1;
    }

    /// Returns whether a wall or a barrier overlaps the rectangle.
    bool hits(const box& b) const {
        for (int row = b.y / tile; row <= (b.y + b.h - 1) / tile; ++row)
            for (int column = b.x / tile; column <= (b.x + b.w - 1) / tile; ++column)
                if (solid(column, row)) return true;
        return std::any_of(barriers.begin(), barriers.end(), [&](const box& door) { return door.overlaps(b); });
    }

private:
    /// A platform is a floor for feet that are exactly on its upper edge.
    bool stands(const body& on) const {
        const auto b = on.bounds();
        const int feet = b.y + b.h;
        if (hits(b.moved(0, 1))) return true;
        for (int column = b.x / tile; column <= (b.x + b.w - 1) / tile; ++column)
            if (feet % tile == 0 && at(column, feet / tile) == '=') return true;
        return false;
    }

    std::vector<std::string> rows_;
    std::vector<mark> marks_;
};

} // namespace arena
