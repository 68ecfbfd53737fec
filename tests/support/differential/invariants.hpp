/// What holds after each input, whatever the chart.
#pragma once

#include <tests/support/differential/world.hpp>

#include <string>
#include <string_view>

namespace differential {

/// What does not hold, as text; empty if all does. Takes what the book kept, and brings it up to date after inputs that run no hooks.
std::string wrong_after(const input_plan& in, const plan& p, const agent& a, world& w);

/// Does what was observed tell of something that does not hold?
bool is_wrong(std::string_view observed);

} // namespace differential
