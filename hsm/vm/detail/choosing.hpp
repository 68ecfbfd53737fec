/// Machines and choices that choose among candidates by score or by chance.
///
/// A program that chooses evaluates all candidates first: their guards, then their scores. Then it picks one, and each candidate compares itself with
/// the picked one. The values are in the memory after the hook context, because they do not outlast the call.
#pragma once

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/chance.hpp>

#include <cstdint>

namespace hsm::detail {

inline chance_head& chance_of(const machine& m, const chart_core& core) { return *reinterpret_cast<chance_head*>(m.block + core.layout.chance); }
/// Sets the seed and the stream, without draws so far.
inline void prepare_chance(machine& m, const chart_core& core, std::uint64_t seed, std::uint64_t stream) {
    if (core.has_chance) chance_of(m, core) = {seed, stream, 0};
}

/// The values of the candidates of the state that chooses. A value of 0 means that the candidate cannot be chosen.
inline double* values_of(const machine& m) { return reinterpret_cast<double*>(&m.hook_context() + 1); }

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
    if (core.has_choosing) m.hook_context().choice.chooser = no_index;
}

} // namespace hsm::detail
