#include <hsm/text/detail/read_real.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

using hsm::detail::read_real;
using hsm::detail::read_real_by_strtod;

struct outcome {
    std::size_t used;
    std::uint64_t bits;
    bool operator==(const outcome&) const = default;
};
outcome by(std::size_t (&read)(std::string_view, double&), std::string_view text) {
    double number = -1;
    const auto used = read(text, number);
    return {used, std::bit_cast<std::uint64_t>(std::isnan(number) ? 0.5 : number)};
}
outcome is(std::size_t used, double number) { return {used, std::bit_cast<std::uint64_t>(number)}; }

} // namespace

TEST_CASE("read_real reads a number at the beginning of a text and ignores the rest") {
    for (auto* const read : {&read_real, &read_real_by_strtod}) {
        CHECK(by(*read, "1.5") == is(3, 1.5));
        CHECK(by(*read, "-0") == is(2, -0.0));
        CHECK(by(*read, ".5]") == is(2, 0.5));
        CHECK(by(*read, "5.") == is(2, 5));
        CHECK(by(*read, "1e3, 2") == is(3, 1000));
        CHECK(by(*read, "1E-3") == is(4, 0.001));
        CHECK(by(*read, "12e") == is(2, 12));
        CHECK(by(*read, "12e+") == is(2, 12));
        CHECK(by(*read, "0x10") == is(1, 0));
        CHECK(by(*read, "17976931348623157e292") == is(21, 17976931348623157e292));
        CHECK(by(*read, "5e-324") == is(6, 5e-324));
        CHECK(by(*read, "inf") == is(3, INFINITY));
        CHECK(by(*read, "-Infinity,") == is(9, -INFINITY));
        CHECK(by(*read, "nan") == is(3, 0.5));
    }
}

TEST_CASE("read_real rejects a text without a number, and a number outside the range of double") {
    for (auto* const read : {&read_real, &read_real_by_strtod})
        for (const auto* text : {"", "-", ".", "-.", "e5", "+1", " 1", "x", "1e400", "-1e400", "1e-400", "in"}) {
            CAPTURE(text);
            CHECK(by(*read, text) == is(0, -1));
        }
}

TEST_CASE("both implementations read the same bits") {
    std::uint64_t state = 7;
    for (int i = 0; i < 20'000; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto number = std::bit_cast<double>(state);
        if (!std::isfinite(number)) continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.*g", static_cast<int>(state % 20), number);
        CAPTURE(text);
        CHECK(by(read_real, text) == by(read_real_by_strtod, text));
    }
}
