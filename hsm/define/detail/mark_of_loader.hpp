/// The label of hooks and guards that a loader adds and that the file does not contain. Views mark them as hidden.
#pragma once

#include <string_view>

namespace hsm::detail {

inline constexpr std::string_view mark_of_loader = "(loader)";

} // namespace hsm::detail
