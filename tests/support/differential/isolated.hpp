/// Plays in processes of their own: engines that are wrong may also die, or not come to an end.
#pragma once

#include <tests/support/differential/plan.hpp>

#include <string>

namespace differential {

enum class verdict { same, differs, dies };

/// What cannot be compiled counts as the same.
verdict play_isolated(const plan& p);

/// The first seed from `first` to `last` - 1 whose plan fails; `last` if none does.
std::uint64_t first_failure(std::uint64_t first, std::uint64_t last, int inputs, players played_by = players::both);

/// The plan, what it came to, and what the engines did.
std::string report(const plan& p);

} // namespace differential
