#pragma once

#include <hsm/define/time_span.hpp>

/// The time of so many frames of a console, half a frame less, so that no rounding costs a whole one.
constexpr hsm::time_span frames(int n) {
    constexpr std::int64_t second = 1'000'000'000;
    return hsm::time_span::from_nanoseconds((2 * n - 1) * second / (2 * 60));
}
