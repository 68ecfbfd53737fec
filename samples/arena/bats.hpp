/// Two thousand bats: one crowd.
#pragma once

#include "level.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include <chrono>
#include <cstdint>

namespace arena {

using namespace std::chrono_literals;

/// Positions are in eighths of a pixel, so that a bat has 14 bytes.
struct bat {
    static constexpr int unit = 8;

    std::int16_t x, y, vx, vy;
    std::int16_t home_x, home_y;
    std::int16_t beat; // phase of its wing beat; also gives each bat its own path

    bool is_at_home() const { return std::abs(x - home_x) < 24 && std::abs(y - home_y) < 24; }
    void fly() {
        x = static_cast<std::int16_t>(x + vx);
        y = static_cast<std::int16_t>(y + vy);
    }
    void accelerate(int by_x, int by_y, int most_x, int most_y) {
        vx = static_cast<std::int16_t>(std::clamp(vx + by_x, -most_x, most_x));
        vy = static_cast<std::int16_t>(std::clamp(vy + by_y, -most_y, most_y));
    }
    /// Accelerates to a place in pixels. Each bat aims at its own point near that place.
    void fly_to(int to_x, int to_y, int spread) {
        ++beat;
        const int turn = beat / 16;
        const int dx = to_x * unit + (turn * 37 % 17 - 8) * spread - x;
        const int dy = to_y * unit + (turn * 53 % 13 - 6) * spread - y;
        accelerate(dx > 0 ? 1 : -1, dy > 0 ? 1 : -1, 20, 14);
        fly();
    }
};

struct swat {};

inline hsm::chart<bat> make_bat() {
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

class bats {
public:
    bats(const hsm::chart<bat>& chart, const level& where, int count)
        : chart_(chart), herd_(chart_, {.lists = true}), near_(herd_.number_of("Near")),
          home_(herd_.number_of("Home")) {
        hang_up(where, count);
        // Batch hooks update all bats of a state in one call, and set the conditions of their transitions.
        herd_.on_update("roost", [this](hsm::batch<bat>& some) {
            for (std::size_t i = 0; i < some.size(); ++i)
                if (is_near(some[i], 0)) {
                    some.set(i, near_);
                    some.set(i, home_, false);
                }
        });
        herd_.on_update("chase", [this](hsm::batch<bat>& some) {
            for (std::size_t i = 0; i < some.size(); ++i) {
                some[i].fly_to(prey_x_, prey_y_ - 30, 60);
                if (!is_near(some[i], 70)) some.set(i, near_, false);
            }
        });
        herd_.on_update("retreat", [this](hsm::batch<bat>& some) {
            for (std::size_t i = 0; i < some.size(); ++i) {
                auto& b = some[i];
                b.fly_to(b.home_x / bat::unit, b.home_y / bat::unit, 0);
                if (is_near(b, 0)) some.set(i, near_);
                if (!b.is_at_home()) continue;
                b = {b.home_x, b.home_y, 0, 0, b.home_x, b.home_y, b.beat};
                some.set(i, home_);
            }
        });
        herd_.on_update("fall", [](hsm::batch<bat>& some) {
            for (auto& b : some) {
                b.accelerate(0, 2, 20, 40);
                b.fly();
            }
        });
    }

    /// Ticks all bats. Bats near the place, which is given in pixels, wake up and fly to it.
    void play(int x, int y, hsm::time_span frame) {
        prey_x_ = x;
        prey_y_ = y;
        herd_.tick(frame);
    }
    /// Hits all flying bats in the rectangle. Returns their number.
    int swat_in(const box& b) {
        std::vector<hsm::agent_id> caught;
        for (const char* state : {"chase", "retreat"})
            herd_.each(state, [&](hsm::agent_id id, const bat& each) {
                if (b.overlaps({each.x / bat::unit - 3, each.y / bat::unit - 3, 6, 6})) caught.push_back(id);
            });
        herd_.process(caught, swat{});
        return static_cast<int>(caught.size());
    }
    /// Returns the number of attacking bats in the rectangle.
    int biting(const box& b) const {
        int found = 0;
        herd_.each("chase", [&](hsm::agent_id, const bat& each) {
            if (b.overlaps({each.x / bat::unit - 2, each.y / bat::unit - 2, 4, 4})) ++found;
        });
        return found;
    }

    hsm::crowd<bat>& herd() { return herd_; }
    const hsm::crowd<bat>& herd() const { return herd_; }

private:
    void hang_up(const level& where, int count) {
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
    }
    /// Bats that are awake see farther.
    bool is_near(const bat& b, int farther) const {
        return std::abs(b.home_x / bat::unit - prey_x_) < 50 + b.home_y % 8 * 12 + farther;
    }

    hsm::chart<bat> chart_;
    hsm::crowd<bat> herd_;
    std::uint32_t near_, home_;   // conditions
    int prey_x_ = 0, prey_y_ = 0; // pixels
};

} // namespace arena
