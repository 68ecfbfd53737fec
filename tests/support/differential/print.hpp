/// A plan as something that reads like the code one would write for it.
#pragma once

#include <tests/support/differential/play.hpp>

namespace differential {

std::string print(const plan& p);
/// With what the two engines made of it.
std::string print(const plan& p, const difference& d);

} // namespace differential
