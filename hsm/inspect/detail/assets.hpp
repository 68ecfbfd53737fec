/// The files of the page, which are part of the library.
#pragma once

#include <string_view>

namespace hsm::inspect::detail {

struct asset {
    std::string_view text; ///< empty: there is no such file
    const char* type = "";
};
/// Finds a file by the path of a request: "/", "/style.css", "/main.js".
asset find_asset(std::string_view path);

} // namespace hsm::inspect::detail
