/// Two thousand bats: one crowd.
#pragma once

#include "level.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include <cstdint>

namespace arena {

/// Positions are in eighths of a pixel, so that a bat has 16 bytes.
struct bat {
    static constexpr int unit = 8;

    std::int16_t x, y, vx, vy;
    std::int16_t home_x, home_y;
    std::int16_t beat; // of its wings; also makes each bat fly another way
    std::int16_t hurt = 0;
};

struct swat {};

hsm::chart<bat> make_bat();

class bats {
public:
    bats(const hsm::chart<bat>& chart, const level& where, int count);

    /// Ticks all bats. Those near the place wake, and chase it.
    void play(int x, int y, hsm::time_span frame);
    /// Hits all flying bats in the rectangle. Returns their number.
    int swat_in(const box& b);
    /// Returns the number of attacking bats in the rectangle.
    int biting(const box& b) const;

    hsm::crowd<bat>& herd() { return herd_; }
    const hsm::crowd<bat>& herd() const { return herd_; }

private:
    bool is_near(const bat& b, int farther) const;

    hsm::chart<bat> chart_;
    hsm::crowd<bat> herd_;
    std::uint32_t near_, home_;   // conditions
    int prey_x_ = 0, prey_y_ = 0; // pixels
};

} // namespace arena
