/// Plays plans in separate processes, because a faulty engine may crash or not terminate.
#pragma once

#include <tests/support/differential/plan.hpp>

#include <string>

namespace differential {

enum class verdict { same, differs, dies };

/// Plans that cannot be compiled count as equal.
verdict play_isolated(const plan& p);

/// Returns the first seed from `first` to `last` - 1 whose plan fails; `last` if none does.
std::uint64_t first_failure(std::uint64_t first, std::uint64_t last, int inputs, players played_by = players::both);

/// Returns the plan, its outcome, and what the engines did.
std::string report(const plan& p);

} // namespace differential
