/// Changes a document.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace test {

/// Replaces the first occurrence, which must exist.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

} // namespace test
