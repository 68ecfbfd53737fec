#pragma once

#include <hsm/define/time_span.hpp>

/// Returns the time of n frames of a console, less half a frame, so that rounding never costs a whole frame.
constexpr hsm::time_span frames(int n) {
    constexpr std::int64_t second = 1'000'000'000;
    return hsm::time_span::from_nanoseconds((2 * n - 1) * second / (2 * 60));
}
