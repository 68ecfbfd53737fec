/// Machines and choices that choose among candidates by score or by chance.
///
/// A program that chooses evaluates all candidates first: their guards, then their scores. Then it picks one, and each candidate compares itself with
/// the picked one. The values are in the memory after the hook context, because they do not outlast the call.
#pragma once

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/block.hpp>
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

inline chance_head& chance_of(const machine& m, const chart_core& core) { return *reinterpret_cast<chance_head*>(m.block + core.layout.chance); }
/// Sets the seed and the stream, without draws so far.
inline void prepare_chance(machine& m, const chart_core& core, std::uint64_t seed, std::uint64_t stream) {
    if (core.has_chance) chance_of(m, core) = {seed, stream, 0};
}

/// The values of the candidates of the state that chooses. A value of 0 means that the candidate cannot be chosen.
inline double* values_of(const machine& m) { return reinterpret_cast<double*>(&m.hook_context() + 1); }

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

/// Counts a draw if the transition is a candidate that was chosen by chance.
inline void count_draw(const machine& m, const chart_core& core, const transition_row& t) {
    if (t.is_candidate && !t.rechoice && is_by_chance(core.states[t.source].choose)) ++chance_of(m, core).draws;
}

/// Lets the source of a candidate or a rechoice pick a candidate. A rechoice that is not due picks none. Unless the hook context is in a query, a
/// rechoice counts as a draw, and its next period begins.
void choose(machine& m, const chart_core& core, const transition_row& t);

/// Returns the time until which a candidate cannot be chosen.
inline std::int64_t& cool_at(const machine& m, const chart_core& core, std::size_t cooldown) {
    return reinterpret_cast<std::int64_t*>(m.block + core.layout.cooldowns)[cooldown];
}
/// Returns the same, or 0 if that time has passed.
inline std::int64_t cool_until(const machine& m, const chart_core& core, std::size_t cooldown) {
    const auto until = cool_at(m, core, cooldown);
    return until > m.now ? until : 0;
}

/// Forgets the last choice, so that the next test of a candidate chooses again.
inline void choose_again(const machine& m, const chart_core& core) {
    if (core.has_choosing) m.hook_context().choosing = no_index;
}

} // namespace hsm::detail
