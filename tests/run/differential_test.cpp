// The engine against the reference: random definitions with random inputs, and everything that can be seen of them.
//
//     HSM_CHARTS=20000      how many; each with 20 inputs
//     HSM_INPUTS=1000       each with so many, and as many altogether: fewer charts
//     HSM_SEED=17           the first one: with HSM_CHARTS=1 a failure is played again
//     HSM_PLAYED_BY=reference, or instance: alone; nothing is compared, but what always holds must hold
//     HSM_PLAYED_BY=crowd   an agent of a crowd against an instance
//     HSM_PLAYED_BY=observed_crowd   the same of an agent of a crowd
//     HSM_PLAYED_BY=saved   an instance that another one restores before every other input, against one that goes on
//     HSM_PLAYED_BY=observed   an instance that is observed against one that is not; its trace has to say what is active

#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/isolated.hpp>
#include <tests/support/differential/shrink.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

using namespace differential;

namespace {

constexpr int usual_inputs = 20;
constexpr int most_failures = 5; ///< shrinking takes time

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

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
                                      : players::both;
}

bool has_regions(const plan& p) {
    return std::ranges::any_of(p.states, [](const auto& s) { return s.kind == kind::parallel; });
}

} // namespace

namespace {

/// How a chart finds out what an event or a tick does.
struct ways {
    int by_leaf = 0;  ///< programs of each leaf; where there are regions, lists
    int shared = 0;   ///< programs that leaves share, all of them
    int mixed = 0;    ///< some of them, and the rest is selected
    int selected = 0; ///< everything is, where there is one region
    int regions = 0;  ///< by lists of each state, where there are regions
    int ticks = 0;    ///< with programs for the ticks of regions
    int plain = 0;    ///< requests are exits and entries only

    void count(const hsm::detail::chart_core& core) {
        ticks += core.ticks_by_region;
        plain += core.steps_are_plain;
        const auto is_there = [](auto p) { return p != 0; };
        const auto all = core.shared_programs.size() + core.level_programs.size();
        const auto made =
            static_cast<std::size_t>(std::ranges::count_if(core.shared_programs, is_there) + std::ranges::count_if(core.level_programs, is_there));
        ++(!core.by_parts ? by_leaf : core.driven ? regions : made == 0 ? selected : made == all ? shared : mixed);
    }
};

} // namespace

TEST_CASE("all that is generated can be compiled, about half of it has regions, and some may have few programs or none") {
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
            taken.regions, ", ticks of regions ", taken.ticks, ", plain requests ", taken.plain);
    CHECK(taken.by_leaf > 500);
    CHECK(taken.shared > 10);
    CHECK(taken.mixed > 30);
    CHECK(taken.selected > 30);
    CHECK(taken.regions > 20);
    CHECK(taken.ticks > 50);
    CHECK(taken.plain > 80);
}

TEST_CASE("the engine does what the reference does") {
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
