/// Formatting, for sources of the library. Not installed. The smaller <fmt/core.h> would do for g++, but clang gives vformat_to another symbol than
/// the g++ that has built most libraries of fmt.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace hsm::detail {

/// The texts of a list, with the separator between them.
template <class List> std::string joined(const List& texts, std::string_view separator) {
    std::string all;
    for (const auto& text : texts) {
        if (&text != &*texts.begin()) all += separator;
        all += text;
    }
    return all;
}

} // namespace hsm::detail
