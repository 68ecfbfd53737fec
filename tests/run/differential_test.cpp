// Compares the engine with the reference: random definitions, random inputs, and everything that is observable.
//
//     HSM_CHARTS=20000      number of charts, each with 20 inputs
//     HSM_INPUTS=1000       inputs for each chart; the total stays the same, so there are fewer charts
//     HSM_SEED=17           the first seed: with HSM_CHARTS=1 a failure is repeated
//     HSM_PLAYED_BY=reference, or instance: only that one; nothing is compared, but invariants are checked
//     HSM_PLAYED_BY=crowd   an agent of a crowd and an instance
//     HSM_PLAYED_BY=observed_crowd   the same with an observed agent
//     HSM_PLAYED_BY=saved   an instance that another one restores before every other input, and one that continues
//     HSM_PLAYED_BY=reloaded   an instance that changes its chart before most inputs, and one that does not
//     HSM_PLAYED_BY=observed   an observed instance, whose trace must contain the active states, and one that is not observed

#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/isolated.hpp>
#include <tests/support/differential/shrink.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

using namespace differential;
using test::number_from;

namespace {

constexpr int usual_inputs = 20;
constexpr int most_failures = 5; ///< shrinking takes time

players players_from(const char* variable) {
    const char* const text = std::getenv(variable);
    const std::string_view name = text ? text : "";
    return name == "reference"        ? players::reference
           : name == "instance"       ? players::instance
           : name == "crowd"          ? players::crowd
           : name == "observed"       ? players::observed
           : name == "observed_crowd" ? players::observed_crowd
           : name == "saved"          ? players::saved
           : name == "saved_crowd"    ? players::saved_crowd
           : name == "reloaded"       ? players::reloaded
                                      : players::both;
}

bool has_regions(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) { return s.kind == kind::parallel; });
}

} // namespace

namespace {

/// Counts the ways in which charts handle events and ticks.
struct ways {
    int by_leaf = 0;  ///< programs of each leaf; with regions, lists
    int shared = 0;   ///< all programs are shared by leaves
    int mixed = 0;    ///< some are shared, and other transitions are selected
    int selected = 0; ///< all transitions are selected; one region
    int regions = 0;  ///< lists of each state; regions
    int ticks = 0;    ///< ticks of regions have programs
    int plain = 0;    ///< requests only run exits and entries
    int scored = 0;   ///< a state chooses by score or by chance
    int chance = 0;   ///< a state chooses by chance

    void count(const hsm::detail::chart_core& core) {
        ticks += core.ticks_by_region;
        plain += core.steps_are_plain;
        scored += core.has_choosing;
        chance += core.has_chance;
        const auto is_there = [](auto p) { return p != 0; };
        const auto all = core.shared_programs.size() + core.level_programs.size();
        const auto made =
            static_cast<std::size_t>(std::ranges::count_if(core.shared_programs, is_there) + std::ranges::count_if(core.level_programs, is_there));
        ++(!core.by_parts ? by_leaf : core.by_regions ? regions : made == 0 ? selected : made == all ? shared : mixed);
    }
};

} // namespace

TEST_CASE("all generated charts compile, and about half of them have regions") {
    const int charts = 1000;
    int with_regions = 0;
    ways taken;
    for (std::uint64_t seed = 1; seed <= charts; ++seed) {
        CAPTURE(seed);
        const auto p = generate(seed, usual_inputs);
        CHECK_NOTHROW(taken.count(build(p).core()));
        with_regions += has_regions(p);
    }
    CHECK(with_regions > charts * 4 / 10);
    CHECK(with_regions < charts * 6 / 10);
    MESSAGE("by leaf ", taken.by_leaf, ", shared ", taken.shared, ", mixed ", taken.mixed, ", selected ", taken.selected, ", regions by parts ",
            taken.regions, ", ticks of regions ", taken.ticks, ", plain requests ", taken.plain, ", by score ", taken.scored, ", by chance ",
            taken.chance);
    CHECK(taken.by_leaf > 500);
    CHECK(taken.shared > 10);
    CHECK(taken.mixed > 30);
    CHECK(taken.selected > 30);
    CHECK(taken.regions > 20);
    CHECK(taken.ticks > 50);
    CHECK(taken.plain > 60);
    CHECK(taken.scored > 80);
    CHECK(taken.chance > 60);
}

TEST_CASE("the engine behaves like the reference") {
    const auto first = number_from("HSM_SEED", 1);
    const auto inputs = static_cast<int>(number_from("HSM_INPUTS", usual_inputs));
    const auto charts = number_from("HSM_CHARTS", 400) * usual_inputs / static_cast<std::uint64_t>(inputs);
    const auto last = first + std::max<std::uint64_t>(charts, 1);
    const auto played_by = players_from("HSM_PLAYED_BY");
    int failures = 0;
    for (auto seed = first_failure(first, last, inputs, played_by); seed != last; seed = first_failure(seed + 1, last, inputs, played_by)) {
        auto p = generate(seed, inputs);
        p.played_by = played_by;
        FAIL_CHECK(report(shrink(std::move(p))));
        if (++failures == most_failures) break;
    }
    CHECK(failures == 0);
}
