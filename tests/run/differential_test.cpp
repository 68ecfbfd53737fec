// The engine against the reference: random definitions with random inputs, and everything that can be seen of them.
//
//     HSM_CHARTS=20000      how many; each with 20 inputs
//     HSM_SEED=17           the first one: with HSM_CHARTS=1 a failure is played again

#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/isolated.hpp>
#include <tests/support/differential/shrink.hpp>

#include <doctest/doctest.h>

#include <cstdlib>

using namespace differential;

namespace {

constexpr int inputs = 20;
constexpr int most_failures = 5; ///< shrinking takes time

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace

TEST_CASE("the engine does what the reference does") {
    const auto first = number_from("HSM_SEED", 1);
    const auto last = first + number_from("HSM_CHARTS", 200);
    int failures = 0;
    for (auto seed = first_failure(first, last, inputs); seed != last; seed = first_failure(seed + 1, last, inputs)) {
        FAIL_CHECK(report(shrink(generate(seed, inputs))));
        if (++failures == most_failures) break;
    }
    CHECK(failures == 0);
}
