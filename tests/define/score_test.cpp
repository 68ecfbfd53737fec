// Response curves, and functions that combine scores.

#include <hsm/define/score.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace curve = hsm::curve;

static constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
static constexpr double infinity = std::numeric_limits<double>::infinity();

TEST_CASE("a linear curve rises or falls between its ends") {
    CHECK(curve::linear(0, 0, 10) == 0.0);
    CHECK(curve::linear(2.5, 0, 10) == 0.25);
    CHECK(curve::linear(10, 0, 10) == 1.0);
    CHECK(curve::linear(-1, 0, 10) == 0.0);
    CHECK(curve::linear(infinity, 0, 10) == 1.0);
    CHECK(curve::linear(25, 100, 0) == 0.75);
    CHECK(curve::linear(101, 100, 0) == 0.0);
}

TEST_CASE("a linear curve without width is a step") {
    CHECK(curve::linear(4, 5, 5) == 0.0);
    CHECK(curve::linear(5, 5, 5) == 1.0);
}

TEST_CASE("an inverse curve is 1 at zero and one half at its second argument") {
    CHECK(curve::inverse(0, 5) == 1.0);
    CHECK(curve::inverse(-3, 5) == 1.0);
    CHECK(curve::inverse(5, 5) == 0.5);
    CHECK(curve::inverse(15, 5) == 0.25);
    CHECK(curve::inverse(infinity, 5) == 0.0);
    CHECK(curve::inverse(1, -2) == 0.0);
    CHECK(curve::inverse(0, 0) == 1.0);
}

TEST_CASE("a power curve limits its argument first") {
    CHECK(curve::power(0.5, 0) == 1.0);
    CHECK(curve::power(0.5, 1) == 0.5);
    CHECK(curve::power(0.5, 3) == 0.125);
    CHECK(curve::power(0.5, 11) == 0x1p-11);
    CHECK(curve::power(2, 3) == 1.0);
    CHECK(curve::power(-2, 3) == 0.0);
    CHECK(curve::power(1, std::numeric_limits<unsigned>::max()) == 1.0);
}

TEST_CASE("a logistic curve is symmetrical about its middle") {
    CHECK(curve::logistic(10, 10, 4) == 0.5);
    CHECK(curve::logistic(14, 10, 4) == 0.75);
    CHECK(curve::logistic(6, 10, 4) == 0.25);
    CHECK(curve::logistic(6, 10, -4) == 0.75);
    CHECK(curve::logistic(1e300, 10, 4) == 1.0);
    CHECK(curve::logistic(infinity, 10, 4) == 1.0);
    CHECK(curve::logistic(-infinity, 10, 4) == 0.0);
    CHECK(curve::logistic(infinity, 10, -4) == 0.0);
    CHECK(curve::logistic(9, 10, 0) == 0.0);
    CHECK(curve::logistic(10, 10, 0) == 1.0);
}

TEST_CASE("a step curve is 1 from its second argument") {
    CHECK(curve::step(std::nextafter(3.0, 0.0), 3) == 0.0);
    CHECK(curve::step(3, 3) == 1.0);
    CHECK(curve::step(infinity, infinity) == 1.0);
}

TEST_CASE("scores combine") {
    CHECK(hsm::min_of(0.5, 0.25, 1) == 0.25);
    CHECK(hsm::max_of(0.5, 0.25, 1) == 1.0);
    CHECK(hsm::product_of(0.5, 0.25, 1) == 0.125);
    CHECK(hsm::min_of(0.5) == 0.5);
    CHECK(hsm::max_of(0.5) == 0.5);
    CHECK(hsm::product_of(0.5) == 0.5);
}

TEST_CASE("NaN passes through curves and combinations") {
    CHECK(std::isnan(curve::linear(nan_value, 0, 10)));
    CHECK(std::isnan(curve::linear(nan_value, 5, 5)));
    CHECK(std::isnan(curve::inverse(nan_value, 5)));
    CHECK(std::isnan(curve::inverse(-1, nan_value)));
    CHECK(std::isnan(curve::power(nan_value, 0)));
    CHECK(std::isnan(curve::power(nan_value, 2)));
    CHECK(std::isnan(curve::logistic(nan_value, 10, 4)));
    CHECK(std::isnan(curve::step(nan_value, 3)));
    for (const bool first : {false, true}) {
        const double a = first ? nan_value : 0.5;
        const double b = first ? 0.5 : nan_value;
        CHECK(std::isnan(hsm::min_of(a, b)));
        CHECK(std::isnan(hsm::max_of(a, b)));
        CHECK(std::isnan(hsm::product_of(a, b)));
    }
}

TEST_CASE("every compiler computes the same bits") {
    std::uint64_t hash = 0;
    const auto add = [&](double value) { hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u; };
    for (int i = 0; i < 1000; ++i) {
        const double x = i / 7.0;
        add(curve::linear(x, 3.3, 101.7));
        add(curve::inverse(x, 12.9));
        add(curve::power(x / 143, 5));
        add(curve::logistic(x, 70.1, 9.7));
        add(hsm::product_of(curve::logistic(x, 20.3, 5.9), curve::linear(x, 120, 0.7), 0.9));
    }
    CHECK(hash == 13901026529112272363u);
}
