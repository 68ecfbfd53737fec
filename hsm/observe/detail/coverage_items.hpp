/// Texts of coverage items, for reports.
#pragma once

#include <hsm/observe/coverage.hpp>
#include <hsm/observe/detail/coverage_model.hpp>

#include <string>

namespace hsm::detail {

/// A guard or a group of conditions, by the first number of its key.
struct guard_origin {
    std::string text;
    state_view state;
    transition_view transition; ///< empty for a guard of the state itself
    file_position where;
};
guard_origin origin_of_guard(const coverage_model& model, std::uint32_t number);

std::string what_is_missing(coverage_kind kind); ///< "never taken"
/// "character.cpp:42: never taken: idle -> run on hit"
std::string line_of_missing(const coverage_item& item);
std::string percent(double ratio); ///< "66.6 %": rounded down

class output;
/// Throws coverage_error (HSM-341) if the output was not written completely.
void finish_report(output& out);

} // namespace hsm::detail
