/// Pairs of charts: one is an edit of the other.
#pragma once

#include <tests/support/differential/plan.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace differential {

struct edited {
    plan before, after;
    std::vector<std::pair<int, int>> renamed; ///< states with other names: before, after
    /// For each state of `before` its state in `after`, or none: from the rules, not from the library.
    std::vector<int> place;
};

edited generate_edited(std::uint64_t seed, int inputs);

} // namespace differential
