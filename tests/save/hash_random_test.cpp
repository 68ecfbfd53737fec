// Random machines at random moments have the same hashes with every compiler.
//
//     HSM_CHARTS=20000         of how many images are compared with their machines, too
//     HSM_SEED=17              the first of these
//     HSM_WRITE_HASHES=FILE    writes what belongs into tests/data/hashes.txt

#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

using namespace differential;
using test::number_from;

namespace {

constexpr std::uint64_t machines = 400;

/// By what bits of the context say copies of locals throw.
std::uint64_t quiet_hash(player& plays) {
    const auto bits = std::exchange(plays.context().bits, 0);
    const auto hash = hsm::hash(plays.machine());
    plays.context().bits = bits;
    return hash;
}

/// After each tenth input.
std::string hashes_of(std::uint64_t seed) {
    const auto p = generate(seed, 30);
    const auto chart = build(p);
    player plays(p, chart);
    auto text = std::to_string(seed);
    for (std::size_t i = 0; i < p.inputs.size(); ++i) {
        plays.give(p.inputs[i]);
        if (i % 10 == 9) text += ' ' + std::to_string(quiet_hash(plays));
    }
    return text;
}

} // namespace

TEST_CASE("equal machines have the same hash with every compiler") {
    if (const char* const file = std::getenv("HSM_WRITE_HASHES")) {
        std::ofstream to(file);
        for (std::uint64_t seed = 1; seed <= machines; ++seed) to << hashes_of(seed) << '\n';
    }
    std::ifstream from(HSM_TEST_DATA "/hashes.txt");
    std::string line;
    std::uint64_t seed = 0;
    while (std::getline(from, line)) CHECK(hashes_of(++seed) == line);
    CHECK(seed == machines);
}

TEST_CASE("a restored machine has the hash of the saved one") {
    const auto first = number_from("HSM_SEED", 1), charts = number_from("HSM_CHARTS", 400);
    for (auto seed = first; seed < first + charts; ++seed) {
        CAPTURE(seed);
        const auto p = generate(seed, 20);
        const auto chart = build(p);
        player plays(p, chart);
        for (const auto& each : p.inputs) plays.give(each);
        plays.context().bits = 0;
        const auto image = hsm::save(plays.machine());
        CHECK(hsm::hash(chart, image) == hsm::hash(plays.machine()));
    }
}
