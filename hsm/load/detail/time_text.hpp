/// Lengths of time as files write them: "500ms", "1.5s", "2min", or seconds without a unit.
#pragma once

#include <hsm/define/time_span.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace hsm::detail {

/// Does it read like a length of time, and not like a name?
bool looks_like_time(std::string_view text);
/// With up to nine digits behind the point; none if it cannot be read or counted.
std::optional<time_span> time_from_text(std::string_view text);

} // namespace hsm::detail
