#include <tests/scxml/qt.hpp>

#include <doctest/doctest.h>

using suites::verdict;

TEST_CASE("Qt SCXML and hsm agree on real documents, but for what is known, with the paragraph of the Recommendation") {
#if defined(HSM_TEST_QT_PLAYER) && !defined(HSM_TEST_ADDRESS_SANITIZER)
    const std::filesystem::path folder = HSM_SHARED_DATA "/scxml/corpus";
    REQUIRE(std::filesystem::exists(HSM_TEST_QT_PLAYER));
    const auto all = suites::run_beside_qt(folder, HSM_TEST_QT_PLAYER);
    if (all.empty()) {
        const auto name = folder.string();
        MESSAGE("skipped: there is no ", name);
        return;
    }
    for (const auto& v : all) {
        CAPTURE(v.id);
        if (v.what == verdict::kind::failed) FAIL_CHECK(v.reason);
    }
    CHECK(suites::count(all, verdict::kind::passed) >= 88);
#else
    MESSAGE("skipped: there is no Qt SCXML (Debian: qt6-scxml-dev), or a sanitizer, with which it takes too long");
#endif
}
