/// Visits the shapes of a picture. Not recursive, because machines can be nested deeper than the stack allows.
#pragma once

#include <hsm/draw/detail/picture.hpp>

#include <utility>
#include <vector>

namespace hsm::detail {

/// Calls begin(shape, depth) before the parts of a shape and end(shape, depth) after them, but not for the page.
template <class Begin, class End> void walk(const picture& p, Begin begin, End end) {
    std::vector<std::pair<std::uint32_t, std::size_t>> way{{0, 0}}; // a shape, and how many of its parts are done
    while (!way.empty()) {
        const auto number = way.back().first;
        const auto& s = p.shapes[number];
        if (way.back().second == s.parts.size()) {
            way.pop_back();
            if (number != 0) end(s, way.size());
            continue;
        }
        const auto next = s.parts[way.back().second++];
        begin(p.shapes[next], way.size());
        way.emplace_back(next, 0);
    }
}

} // namespace hsm::detail
