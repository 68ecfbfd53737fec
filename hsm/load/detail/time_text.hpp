/// Durations in files: "500ms", "1.5s", "2min", or seconds without a unit.
#pragma once

#include <hsm/define/time_span.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace hsm::detail {

/// Returns whether the text is meant as a duration, not as a name.
bool looks_like_time(std::string_view text);
/// Returns the duration, with up to nine decimals; empty if the text is malformed or too large.
std::optional<time_span> time_from_text(std::string_view text);

} // namespace hsm::detail
