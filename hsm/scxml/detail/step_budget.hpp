/// The remaining steps of one call from outside: one counter for all content, iterations and expressions of all sessions of a host.
#pragma once

#include <cstdint>

namespace hsm::detail::scxml {

struct step_budget {
    static constexpr std::int64_t unlimited = INT64_MAX;
    /// The cost of an element of content, an iteration, a condition or a datum in addition to its expressions; about the same time.
    static constexpr std::int64_t of_content = 100;

    std::int64_t left = unlimited;
    std::int64_t reserve = 0; ///< granted when `left` is used up, half as much each time, so that the document can handle its error event
    std::int64_t end = 0;     ///< time limit, in nanoseconds of the steady clock; 0: none
    std::int64_t more_time = 0;
    bool begun = false;    ///< in this call
    bool reported = false; ///< an error event was sent; the next session that uses up the steps ends

    void reset() { *this = {}; }
    void begin(std::int64_t steps, std::int64_t milliseconds) {
        begun = true;
        left = steps;
        reserve = steps / 8;
        more_time = milliseconds * 125'000;
        if (milliseconds > 0) end = now() + milliseconds * 1'000'000;
    }
    /// Returns false if no steps are left.
    bool spend(std::int64_t steps) {
        if (left <= steps || (end != 0 && now() >= end)) left = 0;
        return left > 0 && (left -= steps) > 0;
    }
    void grant_reserve() {
        reserve /= 2;
        left = reserve;
        more_time /= 2;
        if (end != 0) end = now() + more_time;
    }

private:
    static std::int64_t now(); ///< nanoseconds of the steady clock
};

} // namespace hsm::detail::scxml
