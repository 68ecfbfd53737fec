#include "pilot.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace arena {

namespace {

struct threat {
    int ahead = 1000; // pixels
    int above = 0;
    bool strikes = false;
};

/// The way up to the switch, in pixels.
struct place {
    int x, y;
};
constexpr place way[] = {{1072, 192}, {1160, 176}, {1216, 144}, {1284, 112}};

/// Returns the number of the place after the one where the body stands.
std::size_t next_on_way(const body& b) {
    for (std::size_t i = std::size(way) - 1; i-- > 0;)
        if (b.py() == way[i].y && std::abs(b.px() - way[i].x) < 34) return i + 1;
    return b.py() == way[3].y ? 3 : 0;
}

threat nearest(const world& game, const fighter& f) {
    threat found;
    const auto look = [&](const body& b, bool strikes) {
        const int ahead = b.px() - f.at.px();
        if (std::abs(f.at.py() - b.py()) < 60 && std::abs(ahead) < std::abs(found.ahead)) found = {ahead, f.at.py() - b.py(), strikes};
    };
    for (const auto& foe : game.enemies)
        if (!foe.self.is_dead()) {
            const auto leaf = foe.machine.current().name(); // not is_in: not every kind has these states
            look(foe.self.at, leaf == "wind up" || leaf == "lift" || leaf == "rush");
        }
    const auto& boss = game.boss;
    if (!boss.self.is_dead() && game.now.awake) look(boss.self.at, boss.machine.is_in(hsm::tag("announces")));
    return found;
}

} // namespace

pad pilot::play(const world& game, std::size_t player) {
    const auto& hero = game.heroes[player];
    const auto& f = hero.self;
    const auto frame = game.frame();
    pad now = 0;
    const auto press_again = [&](pad button) { // releases it first
        if (!(held_ & button)) now |= button;
    };
    const auto foe = nearest(game, f);
    const bool at_switch = !game.gates.is_pulled() && f.at.px() > 65 * tile;
    if (f.at.grounded) next_ = next_on_way(f.at);
    const auto next = way[next_];
    const int goal = at_switch ? next.x - f.at.px() : 1000;

    if (std::abs(foe.ahead) < 40 && std::abs(foe.above) < 30) {
        const pad toward = foe.ahead > 0 ? right : left;
        if (f.in_hand != weapon::sword && hero.machine.is_in("move"))
            press_again(swap);
        else if (foe.strikes && f.stamina > 30 && frame % 50 < 25)
            now |= block;
        else if (f.at.facing * foe.ahead < 0)
            now |= toward;
        else
            press_again(fire);
    } else {
        now = goal > 0 ? right : left;
        if (at_switch && next.y == way[3].y && f.at.py() == next.y && std::abs(goal) < 14) {
            now = 0;
            press_again(fire);
        }
        const auto tile_at = [&](int dx, int dy) { return game.place.at((f.at.px() + dx * f.at.facing) / tile, (f.at.py() + dy) / tile); };
        const bool pit = !at_switch && tile_at(14, 2) != '#' && tile_at(14, 2) != '=' && tile_at(14, 34) != '#';
        const bool wall = tile_at(14, -4) == '#' || stuck_ > 8;
        const bool higher = at_switch && next.y < f.at.py() && std::abs(goal) < 76;
        if (f.at.grounded && (pit || wall || higher || tile_at(14, 2) == '^')) press_again(jump);
        if (!f.at.grounded && f.at.vy < 0) now |= jump;
        if (!f.at.grounded && std::abs(goal) < 4) now &= jump;
    }
    stuck_ = f.at.px() == last_x_ && (now & (left | right)) ? stuck_ + 1 : 0;
    last_x_ = f.at.px();
    return held_ = now;
}

} // namespace arena
