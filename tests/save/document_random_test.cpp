// Whatever is done to documents of random machines: they are refused, or restored to something legal.
//
//     HSM_CHARTS=20000    500 documents
//     HSM_SEED=17         the first of them

#include <hsm/save/document.hpp>

#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/mutated_document.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

using namespace differential;
using test::number_from;

namespace {

bool is_restored(const hsm::chart<test_context>& chart, const std::string& text) {
    try {
        return !hsm::image_of(chart, text).image.empty();
    } catch (const hsm::save_error&) {
        return false;
    }
}

/// It has to be refused, with nothing changed, or to be something legal. Empty: so it is.
std::string fault_of(hsm::instance<test_context>& agent, const hsm::chart<test_context>& chart, const std::string& text) {
    try {
        const auto made = hsm::image_of(chart, text);
        try {
            static_cast<void>(hsm::hash(chart, made.image));
            if (hsm::restore(agent, made.image) != hsm::result::taken) return "it is not restored";
        } catch (const hsm::save_error& e) {
            const bool is_for_larger_queues = e.number() == hsm::code::no_room_for_image; // which only the instance knows
            return is_for_larger_queues ? std::string() : std::string("its image is refused: ") + e.what();
        }
        if (hsm::save(agent) == made.image) return {};
        std::string text_of_differences = "it is saved as something else:";
        for (const auto& d : hsm::difference(chart, made.image, hsm::save(agent))) text_of_differences += ' ' + d.to_string();
        return text_of_differences;
    } catch (const hsm::save_error& e) {
        return e.findings().empty() ? "nothing is said of it" : "";
    }
}

} // namespace

TEST_CASE("documents that are truncated, altered in any byte, or inconsistent are refused, or restored to a legal state") {
    std::uint64_t well_formed = 0, restored = 0;
    const auto first = number_from("HSM_SEED", 1), documents = std::max<std::uint64_t>(number_from("HSM_CHARTS", 400) / 40, 1);
    for (auto seed = first; seed < first + documents; ++seed) {
        CAPTURE(seed);
        const auto p = generate(seed, 20);
        const auto chart = build(p);
        player plays(p, chart);
        for (const auto& each : p.inputs) plays.give(each);
        plays.context().bits = 0; // copies of locals throw by it
        const auto text = hsm::save_document(plays.machine());
        const auto document = hsm::detail::read_json(text, text.size(), 100);
        std::minstd_rand random(static_cast<unsigned>(seed));
        for (std::size_t i = 0; i + 1 < text.size(); ++i) {
            CAPTURE(i);
            CHECK_THROWS_AS(hsm::image_of(chart, text.substr(0, i)), hsm::save_error);
            auto altered = text;
            altered[i] = "0-9\"}],z"[(seed + i) % 8];
            CHECK(fault_of(plays.machine(), chart, altered) == "");
            const auto other = hsm::detail::write_json(test::mutated(document, random));
            CAPTURE(other);
            CHECK(fault_of(plays.machine(), chart, other) == "");
            ++well_formed;
            restored += is_restored(chart, other);
        }
        CHECK(fault_of(plays.machine(), chart, text) == "");
    }
    CHECK(restored > well_formed / 20);
    CHECK(restored < well_formed);
}
