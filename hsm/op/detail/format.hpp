/// Formatting, for sources of the library: the part of fmt that is quick to parse. Not installed.
#pragma once

#include <fmt/core.h>

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
