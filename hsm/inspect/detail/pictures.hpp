/// Draws charts for the page, with Graphviz in a child process. Pictures are cached.
#pragma once

#include <hsm/chart/view.hpp>

#include <map>
#include <mutex>
#include <string>

namespace hsm::inspect::detail {

struct picture {
    std::string svg;           ///< empty: the page draws the states as nested boxes
    std::string_view why = {}; ///< why there is none
};

/// Any thread can use it. It draws one picture at a time, so a request can wait for others.
class pictures {
public:
    picture of(const chart_view& chart);

private:
    static picture draw(const chart_view& chart);

    static constexpr std::size_t most_states = 1000; ///< Graphviz would take too long
    static constexpr int limit_ms = 2000;
    static constexpr std::size_t most_pictures = 64;

    std::mutex mutex_;
    std::map<std::string, picture> known_; ///< by fingerprint
};

} // namespace hsm::inspect::detail
