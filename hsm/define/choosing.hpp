/// How a machine or a choice chooses one of several candidates.
///
///     attack.choose(hsm::best);
///     attack.dispatch(slash).score([](const boss& b) { return b.distance < 2 ? 0.9 : 0.1; });
///     attack.dispatch(shoot).score(&boss::aim);
#pragma once

#include <cstdint>

namespace hsm {

enum class choosing : std::uint8_t {
    first,    ///< the default: the first candidate whose guards hold
    best,     ///< the candidate with the highest score
    weighted, ///< by chance, in proportion to the scores
    random,   ///< by chance, all with equal probability
};

inline constexpr choosing best = choosing::best;
inline constexpr choosing weighted = choosing::weighted;
inline constexpr choosing random = choosing::random;

} // namespace hsm
