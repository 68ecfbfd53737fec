#include <tests/scxml/check_verdicts.hpp>
#include <tests/scxml/suites.hpp>

#include <doctest/doctest.h>

TEST_CASE("Qt SCXML and hsm agree on real documents, with known exceptions and the paragraph of the Recommendation") {
#if defined(HSM_TEST_QT_PLAYER) && !defined(HSM_TEST_ADDRESS_SANITIZER)
    const std::filesystem::path folder = HSM_SHARED_DATA "/scxml/corpus";
    REQUIRE(std::filesystem::exists(HSM_TEST_QT_PLAYER));
    const auto all = suites::run_beside_qt(folder, HSM_TEST_QT_PLAYER);
    suites::check(all, 88, folder);
#else
    MESSAGE("skipped: there is no Qt SCXML (Debian: qt6-scxml-dev), or a sanitizer, with which it takes too long");
#endif
}
