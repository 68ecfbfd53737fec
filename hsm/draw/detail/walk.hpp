/// A picture from outside in, without recursion: machines may be nested deeper than a stack is.
#pragma once

#include <hsm/draw/detail/picture.hpp>

#include <utility>
#include <vector>

namespace hsm::detail {

/// begin(shape, depth) before its parts, end(shape, depth) behind them; of what has none, both follow each other. The page is not told.
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
