// Durations in files.

#include <hsm/load/detail/time_text.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

constexpr std::int64_t unreadable = -77;

std::int64_t read(std::string_view text) {
    const auto time = hsm::detail::time_from_text(text);
    return time ? time->nanoseconds() : unreadable;
}

std::string written(std::int64_t ns) { return hsm::to_string(hsm::time_span::from_nanoseconds(ns)); }

} // namespace

TEST_CASE("a time is a number with a unit, or seconds") {
    CHECK(read("7ns") == 7);
    CHECK(read("20us") == 20'000);
    CHECK(read("500ms") == 500'000'000);
    CHECK(read("1.5s") == 1'500'000'000);
    CHECK(read("1.5") == 1'500'000'000);
    CHECK(read("2min") == 120'000'000'000);
    CHECK(read("3h") == 10'800'000'000'000);
    CHECK(read("3 h") == 10'800'000'000'000);
    CHECK(read(".25s") == 250'000'000);
    CHECK(read("0.123456789s") == 123'456'789);
    CHECK(read("0.1234567891234s") == 123'456'789);
    CHECK(read("1.999999999h") == 7'199'996'400'000); // six digits of an hour
    CHECK(read("-2s") == -2'000'000'000);
    CHECK(read("0") == 0);
}

TEST_CASE("an invalid or oversized time is not read") {
    for (const auto* text : {"", "s", ".", "-", "1 parsec", "1,5s", "1e3s", "1s 2s", "--1s", "0x10", "9223372036854775808ns", "99999999h", "1.5ms "})
        CHECK_MESSAGE(read(text) == unreadable, text);
    CHECK(read("9223372036854775807ns") == INT64_MAX);
}

TEST_CASE("a value that begins with a digit is a time; any other value is a name") {
    CHECK(hsm::detail::looks_like_time("5 parsecs"));
    CHECK(hsm::detail::looks_like_time(".5"));
    CHECK(hsm::detail::looks_like_time("-1s"));
    CHECK_FALSE(hsm::detail::looks_like_time("patience"));
    CHECK_FALSE(hsm::detail::looks_like_time("-"));
    CHECK_FALSE(hsm::detail::looks_like_time(""));
}

TEST_CASE("a time is written in the largest unit that gives a whole number, and read again") {
    CHECK(written(0) == "0ns");
    CHECK(written(1'500'000'000) == "1500ms");
    CHECK(written(7'200'000'000'000) == "2h");
    CHECK(written(60'000'000'000) == "1min");
    CHECK(written(-20'000) == "-20us");
    for (const std::int64_t ns : {std::int64_t(1), std::int64_t(999), std::int64_t(61'000'000'000), INT64_MAX, -INT64_MAX})
        CHECK(read(written(ns)) == ns);
}
