#include <samples/character/stage.hpp>

#include <cstdlib>
#include <string_view>

namespace {

// A column is 32 pixels wide, a step of height 16 pixels. '_' is a pit.
// ^ spikes   H ladder to the next column   c checkpoint   z walks   b flies   W S B weapons   d a missiles
// clang-format off
constexpr std::string_view features =
    "..c...z.a..^....H..d..b.B...c..W.._..S^...z....zc..d..b.H....B....z.b...^^..W..z";
constexpr std::string_view heights =
    "1111111111122222266666666611111111_111222222111111111111166666555443333222211111";
// clang-format on
constexpr int columns = static_cast<int>(features.size());
static_assert(heights.size() == features.size());

constexpr int column_width = 32 * pixel;
constexpr int step_height = 16 * pixel;
constexpr int sleep_time = 600; // frames until a felled creature returns

constexpr int column_of(int x) { return x / column_width; }

constexpr char feature_at(int x) { return features[static_cast<std::size_t>(column_of(x))]; }

/// Returns a position that moves from 0 to `range` and back in `period` steps.
constexpr int to_and_fro(int step, int range, int period) {
    const int phase = step % period;
    const int there = phase * 2 < period ? phase : period - phase;
    return there * 2 * range / period;
}

} // namespace

stage::stage() {
    for (int i = 0; i < columns; ++i) {
        const int x = i * column_width + column_width / 2;
        if (feature_at(x) == 'z') creatures_.push_back({{x, ground(x)}, 56 * pixel, 448});
        if (feature_at(x) == 'b') creatures_.push_back({{x, ground(x) + 36 * pixel}, 96 * pixel, 256});
    }
}

void stage::step() { ++frame_; }

int stage::length() { return columns * column_width; }

int stage::wrap(int x) { return (x % length() + length()) % length(); }

int stage::ground(int x) {
    const char height = heights[static_cast<std::size_t>(column_of(x))];
    return height == '_' ? 2 * bottom() : (height - '0') * step_height;
}

int stage::bottom() { return -64 * pixel; }

bool stage::has_ladder(int x) { return feature_at(x) == 'H'; }

bool stage::has_spikes(int x) { return feature_at(x) == '^'; }

bool stage::has_checkpoint(int x) { return feature_at(x) == 'c'; }

std::optional<weapon> stage::weapon_at(int x) {
    switch (feature_at(x)) {
    case 'W': return weapon::whip;
    case 'S': return weapon::sword;
    case 'B': return weapon::bow;
    default: return {};
    }
}

std::optional<missile> stage::missile_at(int x) {
    switch (feature_at(x)) {
    case 'd': return missile::dagger;
    case 'a': return missile::axe;
    default: return {};
    }
}

int stage::next_column(int x) { return wrap((column_of(x) + 1) * column_width); }

int stage::start() { return static_cast<int>(features.find('c')) * column_width; }

bool stage::touches_creature(position p) const {
    for (const auto& c : creatures_) {
        const auto at = place_of(c);
        if (is_awake(c) && std::abs(at.x - p.x) < 12 * pixel && std::abs(at.y - p.y) < 24 * pixel) return true;
    }
    return false;
}

int stage::strike(position p, int reach, int most) {
    int felled = 0;
    for (auto& c : creatures_) {
        const auto at = place_of(c);
        const int ahead = reach < 0 ? p.x - at.x : at.x - p.x;
        if (felled == most || !is_awake(c) || ahead < 0 || ahead > std::abs(reach)) continue;
        if (std::abs(at.y - p.y) > 40 * pixel) continue;
        c.awake_at = frame_ + sleep_time;
        ++felled;
    }
    return felled;
}

position stage::place_of(const creature& c) const {
    return {wrap(c.home.x - c.range + to_and_fro(frame_, 2 * c.range, c.period)), c.home.y};
}
