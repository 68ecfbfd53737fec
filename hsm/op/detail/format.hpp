/// Formatting, for the library's sources. Not installed. <fmt/format.h> and `fmt::format_to` would compile fmt's formatting again in each unit.
#pragma once

#include <fmt/core.h>

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

/// Appends a formatted text to `to`.
template <class... T> void append_format(std::string& to, fmt::format_string<T...> form, T&&... values) {
    to += fmt::vformat(form, fmt::make_format_args(values...));
}

} // namespace hsm::detail
