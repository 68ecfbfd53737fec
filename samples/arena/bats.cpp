#include "bats.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <utility>

using namespace std::chrono_literals;

namespace arena {

namespace {

std::int16_t limited(int value, int most) { return static_cast<std::int16_t>(std::clamp(value, -most, most)); }
std::int16_t moved(std::int16_t from, int by) { return static_cast<std::int16_t>(from + by); }

/// Accelerates to a place in pixels. Each bat aims at a place of its own around it.
void fly_to(bat& b, int x, int y, int spread) {
    ++b.beat;
    const int turn = b.beat / 16;
    const int dx = x * bat::unit + (turn * 37 % 17 - 8) * spread - b.x;
    const int dy = y * bat::unit + (turn * 53 % 13 - 6) * spread - b.y;
    b.vx = limited(b.vx + (dx > 0 ? 1 : -1), 20);
    b.vy = limited(b.vy + (dy > 0 ? 1 : -1), 14);
    b.x = moved(b.x, b.vx);
    b.y = moved(b.y, b.vy);
}

} // namespace

hsm::chart<bat> make_bat() {
    auto root = hsm::make_fsm<bat>("bat");
    auto& roost = root->add("roost");
    auto& chase = root->add("chase");
    auto& retreat = root->add("retreat");
    auto& fall = root->add("fall");
    auto& gone = root->add("gone");
    roost.to(chase).when("Near");
    chase.to(retreat).when("!Near");
    retreat.to(chase).when("Near");
    retreat.to(roost).when("Home");
    root->to(fall).on<swat>().unless_in(roost, fall, gone);
    fall.to(gone).after(1200ms);
    return hsm::compile(std::move(root), {.entry_times = false});
}

bats::bats(const hsm::chart<bat>& chart, const level& where, int count)
    : chart_(chart), herd_(chart_, {.lists = true}), near_(herd_.number_of("Near")), home_(herd_.number_of("Home")) {
    std::vector<mark> perches;
    for (const auto& m : where.marks())
        if (m.kind == 'v') perches.push_back(m);
    for (int i = 0; i < count; ++i) {
        const auto& perch = perches[static_cast<std::size_t>(i) % perches.size()];
        const int layer = i / static_cast<int>(perches.size());
        const auto x = static_cast<std::int16_t>((perch.x - 8 + (layer * 7 + i * 3) % 16) * bat::unit);
        const auto y = static_cast<std::int16_t>((perch.y - tile + layer * 13 % 26) * bat::unit);
        herd_.add(bat{x, y, 0, 0, x, y, static_cast<std::int16_t>(i * 29 % 512)});
    }
    herd_.on_update("roost", [this](hsm::batch<bat>& some) {
        for (std::size_t i = 0; i < some.size(); ++i)
            if (is_near(some[i], 0)) {
                some.set(i, near_);
                some.set(i, home_, false);
            }
    });
    herd_.on_update("chase", [this](hsm::batch<bat>& some) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            fly_to(some[i], prey_x_, prey_y_ - 30, 60);
            if (!is_near(some[i], 70)) some.set(i, near_, false);
        }
    });
    herd_.on_update("retreat", [this](hsm::batch<bat>& some) {
        for (std::size_t i = 0; i < some.size(); ++i) {
            auto& b = some[i];
            fly_to(b, b.home_x / bat::unit, b.home_y / bat::unit, 0);
            if (is_near(b, 0)) some.set(i, near_);
            if (std::abs(b.x - b.home_x) < 24 && std::abs(b.y - b.home_y) < 24) {
                b.x = b.home_x;
                b.y = b.home_y;
                b.vx = b.vy = 0;
                some.set(i, home_);
            }
        }
    });
    herd_.on_update("fall", [](hsm::batch<bat>& some) {
        for (auto& b : some) {
            b.vy = limited(b.vy + 2, 40);
            b.x = moved(b.x, b.vx);
            b.y = moved(b.y, b.vy);
        }
    });
}

void bats::play(int x, int y, hsm::time_span frame) {
    prey_x_ = x;
    prey_y_ = y;
    herd_.tick(frame);
}

/// Bats that are awake see farther.
bool bats::is_near(const bat& b, int farther) const {
    return std::abs(b.home_x / bat::unit - prey_x_) < 50 + b.home_y % 8 * 12 + farther;
}

int bats::swat_in(const box& b) {
    std::vector<hsm::agent_id> caught;
    for (const char* state : {"chase", "retreat"})
        herd_.each(state, [&](hsm::agent_id id, const bat& each) {
            if (b.overlaps({each.x / bat::unit - 3, each.y / bat::unit - 3, 6, 6})) caught.push_back(id);
        });
    herd_.process(caught, swat{});
    return static_cast<int>(caught.size());
}

int bats::biting(const box& b) const {
    int found = 0;
    herd_.each("chase", [&](hsm::agent_id, const bat& each) {
        if (b.overlaps({each.x / bat::unit - 2, each.y / bat::unit - 2, 4, 4})) ++found;
    });
    return found;
}

} // namespace arena
