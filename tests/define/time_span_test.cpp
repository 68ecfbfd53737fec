// Conversion of times from and to every duration.

#include <hsm/define/time_span.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

using hsm::time_span;
using namespace std::chrono;
using namespace std::chrono_literals;

using frames = duration<int, std::ratio<1, 60>>;

TEST_CASE("any duration converts to time_span") {
    static_assert(time_span(16ms).nanoseconds() == 16'000'000);
    static_assert(time_span(7ns).nanoseconds() == 7);
    static_assert(time_span(3us).nanoseconds() == 3000);
    static_assert(time_span(2s).nanoseconds() == 2'000'000'000);
    static_assert(time_span(1min).nanoseconds() == 60'000'000'000);
    static_assert(time_span(2h).nanoseconds() == 7'200'000'000'000);
    static_assert(time_span(-5ms).nanoseconds() == -5'000'000);
    static_assert(time_span(0.25s).nanoseconds() == 250'000'000);
    static_assert(time_span(duration<float>(0.5f)).nanoseconds() == 500'000'000);
    static_assert(time_span(duration<double, std::milli>(0.5)).nanoseconds() == 500'000);
    static_assert(time_span(duration<std::uint32_t>(4'000'000'000u)).nanoseconds() == 4'000'000'000'000'000'000);
    CHECK(time_span(frames(30)).nanoseconds() == 500'000'000);
    CHECK(time_span(frames(1)).nanoseconds() == 16'666'667);
    CHECK(time_span(duration<std::int64_t, std::pico>(1500)).nanoseconds() == 2);
}

TEST_CASE("time_span converts to any duration, and truncates if the duration is coarser") {
    constexpr time_span t = time_span::from_nanoseconds(1'999'999'999);
    static_assert(nanoseconds(t).count() == 1'999'999'999);
    static_assert(microseconds(t).count() == 1'999'999);
    static_assert(milliseconds(t).count() == 1999);
    static_assert(seconds(t).count() == 1);
    static_assert(hours(t).count() == 0);
    static_assert(milliseconds(time_span(-1500us)).count() == -1); // towards zero, as duration_cast
    static_assert(duration<double>(time_span(250ms)).count() == 0.25);
    static_assert(duration<float, std::milli>(time_span(250ms)).count() == 250.0f);
    static_assert(hours(time_span(100h)).count() == 100);
    CHECK(frames(time_span(500ms)).count() == 30);
    const milliseconds implicit = time_span(5ms);
    CHECK(implicit == 5ms);
}

TEST_CASE("numbers of seconds are rounded to the nearest nanosecond") {
    static_assert(time_span::from_seconds(0.1).nanoseconds() == 100'000'000);
    static_assert(time_span::from_seconds(1.6e-9).nanoseconds() == 2);
    static_assert(time_span::from_seconds(-1.6e-9).nanoseconds() == -2);
    static_assert(time_span::from_seconds(0.4e-9).nanoseconds() == 0);
    static_assert(time_span(1500ms).seconds() == 1.5);
    CHECK(time_span::from_seconds(0.1f).nanoseconds() == 100'000'001);
}

TEST_CASE("numbers that are too large saturate, and NaN is less than every time") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(time_span::from_seconds(1e30).nanoseconds() == most);
    CHECK(time_span::from_seconds(-1e30).nanoseconds() == -most);
    CHECK(time_span::from_seconds(std::numeric_limits<double>::infinity()).nanoseconds() == most);
    CHECK(time_span::from_seconds(std::numeric_limits<double>::quiet_NaN()).nanoseconds() == -most);
    CHECK(time_span(duration<double>(1e30)).nanoseconds() == most);
}

TEST_CASE("durations that are too large saturate") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    static_assert(time_span(hours(3'000'000)).nanoseconds() == most);
    static_assert(time_span(hours(-3'000'000)).nanoseconds() == -most);
    static_assert(time_span(hours(2'000'000)).nanoseconds() == 7'200'000'000'000'000'000);
    static_assert(time_span(nanoseconds::max()).nanoseconds() == most);
    static_assert(time_span(seconds::max()).nanoseconds() == most);
    static_assert(time_span(seconds::min()).nanoseconds() == -most);
    static_assert(time_span(duration<std::uint64_t, std::nano>(~std::uint64_t(0))).nanoseconds() == most);
    static_assert(time_span(duration<int, std::tera>(1)).nanoseconds() == most);
    static_assert(time_span(duration<int, std::tera>(0)).nanoseconds() == 0);
    static_assert(time_span(duration<std::int8_t>(-128)).nanoseconds() == -128'000'000'000);
    static_assert(time_span(duration<int, std::ratio<31556952>>(-1000)).nanoseconds() == -most);
    static_assert(duration<double, std::tera>(time_span(1s)).count() == 1e-12);
    static_assert(duration<int, std::tera>(time_span(1s)).count() == 0);
}

TEST_CASE("a conversion to a duration with a smaller range saturates") {
    constexpr auto most = time_span(nanoseconds::max());
    static_assert(duration<std::int8_t>(time_span(127s)).count() == 127);
    static_assert(duration<std::int8_t>(time_span(128s)).count() == 127);
    static_assert(duration<std::int8_t>(time_span(-128s)).count() == -128);
    static_assert(duration<std::int8_t>(time_span(-129s)).count() == -128);
    static_assert(duration<std::uint8_t>(time_span(256s)).count() == 255);
    static_assert(duration<std::uint8_t>(time_span(-1s)).count() == 0);
    static_assert(duration<std::uint64_t>(time_span(-1s)).count() == 0);
    static_assert(duration<std::uint64_t, std::nano>(most).count() == std::uint64_t(most.nanoseconds()));
    static_assert(duration<std::int64_t, std::pico>(most).count() == most.nanoseconds());
    static_assert(duration<std::int64_t, std::pico>(time_span(-1h) - most).count() == -most.nanoseconds() - 1);
    static_assert(duration<std::int64_t, std::pico>(time_span(1ns)).count() == 1000);
    static_assert(duration<std::uint32_t, std::pico>(time_span(1s)).count() == 4'294'967'295);
    static_assert(duration<std::uint32_t, std::pico>(time_span(-1s)).count() == 0);
    static_assert(duration<std::int16_t, std::ratio<1, 60>>(time_span(1h)).count() == 32767);
}

TEST_CASE("large numbers of seconds convert exactly up to the maximum") {
    static_assert(time_span::from_seconds(9.223372036e9).nanoseconds() == 9'223'372'036'000'000'000);
    static_assert(time_span::from_seconds(-9.223372036e9).nanoseconds() == -9'223'372'036'000'000'000);
    static_assert(time_span::from_seconds(9.223372037e9) == time_span(nanoseconds::max()));
    static_assert(time_span::from_seconds(0x1p63 / 1e9) == time_span(nanoseconds::max()));
}

TEST_CASE("sums and differences saturate") {
    constexpr auto most = time_span(nanoseconds::max());
    static_assert(most + 1ns == most);
    static_assert(time_span(-1ns) - most == -1ns - most);
    static_assert(time_span(-2s) - most == time_span(seconds::min()));
    static_assert(most - time_span(-1ns) == most);
    constexpr auto least = time_span(nanoseconds::min()); // one less than the saturated minimum
    static_assert(time_span() - least == most);
    static_assert(time_span(1ns) - least == most);
    static_assert(least - 1ns == time_span(-nanoseconds::max()));
    static_assert(least + least == time_span(-nanoseconds::max()));
    static_assert(least - least == time_span());
}

TEST_CASE("times can be compared, added and subtracted, also with durations") {
    static_assert(time_span(5ms) == time_span(5000us));
    static_assert(time_span(5ms) < time_span(6ms));
    static_assert(time_span() == time_span(0s));
    static_assert(time_span(5ms) == 5ms);
    static_assert(time_span(5ms) >= 4ms);
    static_assert(5s > time_span(5ms));
    static_assert(time_span(5ms) + 3ms == time_span(8ms));
    static_assert(5ms - time_span(8ms) == time_span(-3ms));
}

TEST_CASE("only durations convert to time_span") {
    static_assert(hsm::duration_like<milliseconds> && hsm::duration_like<frames>);
    static_assert(!hsm::duration_like<float> && !hsm::duration_like<time_span>);
    static_assert(!std::is_convertible_v<double, time_span> && !std::is_convertible_v<int, time_span>);
}
