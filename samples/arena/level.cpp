#include "level.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>

namespace arena {

namespace {

constexpr int rows = 17;

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

} // namespace

level::level() : rows_(rows) {
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

char level::at(int column, int row) const {
    if (column < 0 || column >= width()) return '#';
    if (row < 0 || row >= height()) return '.';
    return rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
}

bool level::solid(int column, int row) const { return at(column, row) == '#'; }

bool level::hits(const box& b) const {
    for (int row = b.y / tile; row <= (b.y + b.h - 1) / tile; ++row)
        for (int column = b.x / tile; column <= (b.x + b.w - 1) / tile; ++column)
            if (solid(column, row)) return true;
    return stops(b);
}

bool level::stops(const box& b) const {
    return std::any_of(barriers.begin(), barriers.end(), [&](const box& door) { return door.overlaps(b); });
}

/// A platform is a floor for feet that are exactly on its upper edge.
bool level::stands(const body& on) const {
    auto b = on.bounds();
    const int feet = b.y + b.h;
    ++b.y;
    if (hits(b)) return true;
    if (feet % tile) return false;
    for (int column = b.x / tile; column <= (b.x + b.w - 1) / tile; ++column)
        if (at(column, feet / tile) == '=') return true;
    return false;
}

bool level::step_sideways(body& b, int by) const {
    auto next = b.bounds();
    next.x += by;
    if (hits(next)) return false;
    b.x += by * unit;
    return true;
}

void level::move(body& b, int gravity) const {
    b.blocked = 0;
    const int goal = b.x + b.vx;
    for (int steps = goal / unit - b.px(); steps; steps += steps > 0 ? -1 : 1)
        if (!step_sideways(b, steps > 0 ? 1 : -1)) {
            b.vx = 0;
            b.blocked = 1;
            break;
        }
    if (!b.blocked) b.x = goal;

    b.vy = std::min(b.vy + gravity, 6 * unit);
    const int landing = b.y + b.vy;
    for (int steps = landing / unit - b.py(); steps; steps += steps > 0 ? -1 : 1) {
        if (steps > 0 && stands(b)) break;
        auto above = b.bounds();
        --above.y;
        if (steps < 0 && hits(above)) {
            b.vy = 0;
            break;
        }
        b.y += steps > 0 ? unit : -unit;
    }
    b.grounded = b.vy >= 0 && stands(b);
    if (b.grounded)
        b.vy = 0, b.y = b.py() * unit;
    else if (b.vy)
        b.y = landing;
    if (b.grounded) { // an edge
        const int ahead = (b.px() + b.facing * (b.w / 2 + 2)) / tile;
        const char floor = at(ahead, b.py() / tile);
        if (floor != '#' && floor != '=') b.blocked = 1;
        auto wall = b.bounds();
        wall.x += 2 * b.facing;
        if (hits(wall)) b.blocked = 1;
    }
}

} // namespace arena
