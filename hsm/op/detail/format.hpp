/// Formatting, for the library's sources. Not installed. g++ could use the smaller <fmt/core.h>, but clang gives vformat_to another symbol than the
/// g++ that built most fmt libraries.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace hsm::detail {

/// Returns the texts, separated by `separator`.
template <class List> std::string joined(const List& texts, std::string_view separator) {
    std::string all;
    for (const auto& text : texts) {
        if (&text != &*texts.begin()) all += separator;
        all += text;
    }
    return all;
}

} // namespace hsm::detail
