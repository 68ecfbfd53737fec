/// How much a file may have. What has more is refused, with an error of its own, before states are made of it.
#pragma once

#include <cstddef>

namespace hsm {

struct load_options {
    std::size_t max_bytes = std::size_t(64) << 20;
    std::size_t max_parts = 4'000'000; ///< elements and attributes, counted by their '<' and '='
    std::size_t max_states = 65534;    ///< with the root: more than that no chart has
    std::size_t max_depth = 256;       ///< of elements inside elements
    std::size_t max_name = 1000;       ///< bytes of the name of a state, an event, a hook, ...; each of those in a path
    std::size_t max_problems = 1000;   ///< errors that are told; the others are counted
    std::size_t max_message = 1000;    ///< bytes of an error's text, and of its hint: the rest is cut off
};

} // namespace hsm
