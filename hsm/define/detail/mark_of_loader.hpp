/// The label of hooks and guards that a loader adds for itself, and that are no part of what was written: views call them hidden.
#pragma once

#include <string_view>

namespace hsm::detail {

inline constexpr std::string_view mark_of_loader = "(loader)";

} // namespace hsm::detail
