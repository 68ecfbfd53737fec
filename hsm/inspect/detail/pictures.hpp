/// Draws charts for the page, with Graphviz in a child process. Pictures are cached.
#pragma once

#include <hsm/chart/view.hpp>

#include <chrono>
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
    /// A picture that failed is drawn again when it is requested after this time.
    explicit pictures(std::chrono::steady_clock::duration retry_after = std::chrono::seconds(10)) : retry_after_(retry_after) {}

    picture of(const chart_view& chart);

private:
    static picture draw(const chart_view& chart);

    static constexpr std::size_t most_states = 1000; ///< Graphviz would take too long
    static constexpr int limit_ms = 2000;
    static constexpr std::size_t most_pictures = 64;

    struct entry {
        picture drawn;
        std::chrono::steady_clock::time_point retry_at;
    };

    const std::chrono::steady_clock::duration retry_after_;
    std::mutex mutex_;
    std::map<std::string, entry> known_; ///< by fingerprint
};

} // namespace hsm::inspect::detail
