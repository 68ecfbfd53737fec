/// The functions that choose one of several scored candidates. Charts that are compiled at run time and constant charts use them.
#pragma once

#include <hsm/define/choosing.hpp>
#include <hsm/vm/detail/philox.hpp>

#include <cstdint>
#include <limits>

namespace hsm::detail {

/// Exists only in charts that choose by chance.
struct chance_head {
    std::uint64_t seed;
    std::uint64_t stream;
    std::uint64_t draws; ///< the number of choices made by chance so far
};

/// Returns 64 random bits: the first two words of Philox, the first one low.
constexpr std::uint64_t draw(const chance_head& c, std::uint32_t chooser) {
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto key = c.seed + chooser * std::uint64_t(0x9e37'79b9'7f4a'7c15);
    const auto out = philox({low(c.draws), high(c.draws), low(c.stream), high(c.stream)}, {low(key), high(key)});
    return out[0] | std::uint64_t(out[1]) << 32;
}

inline constexpr bool is_by_chance(choosing how) { return how == choosing::weighted || how == choosing::random; }
constexpr bool is_score(double value) { return value >= 0 && value <= std::numeric_limits<double>::max(); }

inline constexpr std::uint32_t none_picked = 0xffff'ffff;

/// Returns the index of the chosen value; none_picked if all are 0. `bits` are random, and used only by chance.
constexpr std::uint32_t pick(choosing how, const double* values, std::uint32_t count, std::uint64_t bits) {
    double sum = 0, highest = 0;
    std::uint32_t possible = 0, chosen = none_picked;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(values[i] > 0)) continue;
        sum += values[i];
        ++possible;
        if (values[i] > highest || how != choosing::best) highest = values[i], chosen = i; // by chance: the last one, if rounding leaves none
    }
    if (!is_by_chance(how) || chosen == none_picked) return chosen;
    const double limit = static_cast<double>(bits >> 11) * 0x1p-53 * sum;
    auto left = static_cast<std::uint32_t>((bits >> 32) * possible >> 32);
    double reached = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!(values[i] > 0)) continue;
        reached += values[i];
        if (how == choosing::random ? left-- == 0 : limit < reached) return i;
    }
    return chosen;
}

} // namespace hsm::detail
