/// Finds names that are probably misspelt, among names of one kind that a file uses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {

struct name_uses {
    std::string_view name;
    std::size_t uses;
    bool is_known; ///< declared or registered, so not misspelt
};

/// Indices of a name that is used once and of a more frequent name that differs from it by one edit (two from 8 characters). Names of fewer
/// than 5 characters are skipped, and names that differ only by digits, a prefix, a suffix or a short word. At most one pair per name.
std::vector<std::pair<std::size_t, std::size_t>> find_misspelt(const std::vector<name_uses>& names);

/// Returns 'the event "alrm" is used once, and "alarm" is used 4 times'.
std::string problem_of_misspelt(std::string_view kind, const name_uses& name, const name_uses& other);

} // namespace hsm::detail
