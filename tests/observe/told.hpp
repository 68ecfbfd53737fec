// Explanations in tests: lines of code move.
#pragma once

#include <regex>
#include <string>

namespace test {

/// Without " (file.cpp:line)".
inline std::string without_places(const std::string& text) { return std::regex_replace(text, std::regex(R"( \(\w+\.cpp:\d+\))"), ""); }

} // namespace test
