// Random pairs of charts: an instance or a crowd that changes its chart behaves like the reference, which is placed in the new chart by a mapping of
// its own.
//
//     HSM_CHARTS=20000      number of pairs
//     HSM_SEED=17           the first seed

#include <tests/support/differential/edit.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/differential/print.hpp>

#include <hsm/compile/definition_error.hpp>
#include <hsm/reload/reload_error.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

using namespace differential;
using test::number_from;

namespace {

void compare_edited(players engine) {
    constexpr int inputs = 60;
    const auto first = number_from("HSM_SEED", 1);
    const auto pairs = number_from("HSM_CHARTS", 1000);
    std::size_t played = 0, moved = 0, replaced = 0, dropped = 0;
    std::size_t refused = 0;
    int failures = 0;
    for (auto seed = first; seed < first + pairs && failures < 3; ++seed) {
        CAPTURE(seed);
        auto e = generate_edited(seed, inputs);
        e.before.played_by = e.after.played_by = engine;
        try {
            const auto done = play_edited(e, seed % inputs);
            played += done.is_played;
            moved += done.moved > 0;
            replaced += done.replaced > 0;
            dropped += done.dropped > 0;
            if (!done.found || play(e.before) || play(e.after)) continue; // run/differential reports differences without a reload
            ++failures;
            FAIL_CHECK(print(e.before), print(e.after), "after input ", seed % inputs, ", input ", done.found.input,
                       "\ninstance:  ", done.found.instance, "\nreference: ", done.found.reference);
        } catch (const hsm::reload_error& e) { // renamed states exclude each other
            CHECK(e.number() == hsm::code::reload_never_together);
            ++refused;
        } catch (const hsm::definition_error&) { // the edit is not a valid machine
        } catch (const std::logic_error&) {      // the same: the rest of a region may be invalid
        }
    }
    MESSAGE("played ", played, ", moved ", moved, ", replaced ", replaced, ", dropped or begun again ", dropped);
    CHECK(refused <= 1 + pairs / 100);
    CHECK(played > pairs / 2);
    CHECK(moved > pairs / 30);
    CHECK(replaced > pairs / 30);
    CHECK(dropped > pairs / 30);
}

} // namespace

TEST_CASE("an instance that changes its chart behaves like the reference") { compare_edited(players::both); }

TEST_CASE("an agent of a crowd that changes its chart behaves like the reference") { compare_edited(players::crowd); }
