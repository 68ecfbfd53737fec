#include <tests/scxml/corpus.hpp>
#include <tests/scxml/suites.hpp>

#include <doctest/doctest.h>

using suites::verdict;

namespace {

const std::filesystem::path folder = HSM_SHARED_DATA "/scxml";

#ifdef HSM_TEST_SCRIPTS
constexpr std::size_t mandatory = 108, optional = 16, scion = 97, corpus = 115;
#else
constexpr std::size_t mandatory = 29, optional = 2, scion = 75, corpus = 57;
#endif

void check(const std::vector<verdict>& all, std::size_t least) {
    if (all.empty()) {
        const auto name = folder.string();
        MESSAGE("skipped: there is no ", name);
        return;
    }
    for (const auto& v : all) {
        CAPTURE(v.id);
        if (v.what == verdict::kind::failed) FAIL_CHECK(v.reason);
    }
    CHECK(suites::count(all, verdict::kind::passed) >= least);
}

} // namespace

TEST_CASE("the W3C's suite: documents that need no expressions end in the state that means that all is well") {
    check(suites::run_irp(folder / "irp", suites::part::mandatory), mandatory);
    check(suites::run_irp(folder / "irp", suites::part::optional), optional);
}

TEST_CASE("SCION's suite: the active leaves after each event are those of the script") { check(suites::run_scion(folder / "scion"), scion); }

#ifndef HSM_TEST_ADDRESS_SANITIZER // the reference takes a minute for the large ones without it
TEST_CASE("real documents load, and engine and reference agree on them, or they are refused with a place and a reason") {
    check(suites::run_corpus(folder / "corpus"), corpus);
}
#endif
