/// The names of the ways to choose, in C++, XML, dumps and drawings.
#pragma once

#include <hsm/define/choosing.hpp>

#include <string_view>

namespace hsm::detail {

inline constexpr std::string_view names_of_choosing[] = {"first", "best", "weighted", "random"}; ///< by number
inline std::string_view name_of(choosing how) { return names_of_choosing[static_cast<std::size_t>(how)]; }

} // namespace hsm::detail
