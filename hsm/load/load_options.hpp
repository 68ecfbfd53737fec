/// Limits for a file. A file that exceeds a limit is rejected with an error before any state is created.
#pragma once

#include <cstddef>

namespace hsm {

struct load_options {
    std::size_t max_bytes = std::size_t(64) << 20;
    std::size_t max_parts = 4'000'000; ///< elements and attributes, counted by their '<' and '='
    std::size_t max_states = 65534;    ///< including the root; a chart cannot have more
    std::size_t max_depth = 256;       ///< levels of nested elements
    std::size_t max_name = 1000;       ///< bytes in the name of a state, an event, a hook, ...; in a path, bytes in each name
    std::size_t max_problems = 1000;   ///< errors that are reported; further errors are only counted
    std::size_t max_message = 1000;    ///< bytes in an error's text and in its hint; longer texts are cut off
};

} // namespace hsm
