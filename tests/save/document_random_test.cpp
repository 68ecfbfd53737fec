// Whatever is done to documents of random machines: they are refused, or restored to something legal.
//
//     HSM_CHARTS=20000    1,000 documents
//     HSM_SEED=17         the first of them

#include <hsm/save/document.hpp>

#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace differential;

namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Refused, with nothing changed; or something legal.
bool restores(hsm::instance<world>& agent, const hsm::chart<world>& chart, const std::string& text) {
    try {
        const auto made = hsm::image_of(chart, text);
        static_cast<void>(hsm::hash(chart, made.image)); // would be refused
        return hsm::restore(agent, made.image) == hsm::result::taken && hsm::save(agent) == made.image;
    } catch (const hsm::save_error& e) {
        return !e.findings().empty();
    }
}

} // namespace

TEST_CASE("documents that are cut off anywhere, or altered in any byte, are refused, or restored to something legal") {
    const auto first = number_from("HSM_SEED", 1), documents = std::max<std::uint64_t>(number_from("HSM_CHARTS", 400) / 20, 1);
    for (auto seed = first; seed < first + documents; ++seed) {
        CAPTURE(seed);
        const auto p = generate(seed, 20);
        const auto chart = build(p);
        player plays(p, chart);
        for (const auto& each : p.inputs) plays.give(each);
        plays.context().bits = 0; // copies of locals throw by it
        const auto text = hsm::save_document(plays.machine());
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            CAPTURE(i);
            CHECK_THROWS_AS(hsm::image_of(chart, text.substr(0, i)), hsm::save_error);
            auto altered = text;
            altered[i] = static_cast<char>(static_cast<unsigned char>(text[i]) ^ (1u << (seed + i) % 8));
            CHECK(restores(plays.machine(), chart, altered));
            altered[i] = "0-9\"}],z"[(seed + i) % 8];
            CHECK(restores(plays.machine(), chart, altered));
        }
        CHECK(restores(plays.machine(), chart, text));
    }
}
