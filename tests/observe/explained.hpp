// Explanations in tests without line numbers, which change with the code.
#pragma once

#include <regex>
#include <string>

namespace test {

/// Removes " (file.cpp:line)".
inline std::string without_places(const std::string& text) { return std::regex_replace(text, std::regex(R"( \(\w+\.cpp:\d+\))"), ""); }

} // namespace test
