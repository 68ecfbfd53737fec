/// Parts of drawings, for comparisons.
#pragma once

#include <hsm/draw/drawing.hpp>

#include <string>

namespace test {

inline std::size_t end_of_lines(const std::string& text, int lines) {
    std::size_t at = 0;
    for (; lines > 0; --lines) at = text.find('\n', at) + 1;
    return at;
}

/// All but so many lines.
inline std::string body(const std::string& text, int lines) { return text.substr(end_of_lines(text, lines)); }
inline std::string head(const std::string& text, int lines) { return text.substr(0, end_of_lines(text, lines)); }

/// A line for each.
inline std::string lost(const hsm::draw::drawing& d) {
    std::string all;
    for (const auto& loss : d.losses) all += loss.text + "\n";
    return all;
}

} // namespace test
