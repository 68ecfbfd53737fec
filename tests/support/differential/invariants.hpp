/// Invariants that hold after each input, for every chart.
#pragma once

#include <tests/support/differential/test_context.hpp>

#include <string>
#include <string_view>

namespace differential {

/// Returns the violated invariants as text; empty if all hold. Also takes the errors of the book, and updates it after inputs that run no hooks.
std::string wrong_after(const input_plan& in, const plan& p, const agent& a, test_context& w);

/// Returns whether the observed text contains a violated invariant.
bool is_wrong(std::string_view observed);

} // namespace differential
