/// Prints a plan as text that resembles its code.
#pragma once

#include <tests/support/differential/play.hpp>

namespace differential {

std::string print(const plan& p);
/// Also prints what the two engines did.
std::string print(const plan& p, const difference& d);

} // namespace differential
