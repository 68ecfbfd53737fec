#include <tests/scxml/check_verdicts.hpp>
#include <tests/scxml/suites.hpp>

#include <doctest/doctest.h>

#include <array>

using suites::verdict;

namespace {

const std::filesystem::path folder = HSM_SHARED_DATA "/scxml";

/// The minimum numbers of passed documents.
const auto [mandatory, optional, scion, corpus] =
    suites::with_scripts() ? std::array<std::size_t, 4>{142, 16, 97, 215} : std::array<std::size_t, 4>{45, 2, 75, 148};

void check(const std::vector<verdict>& all, std::size_t least) { suites::check(all, least, folder); }

} // namespace

TEST_CASE("the W3C's suite: documents end in the state that reports success") {
    check(suites::run_irp(folder / "irp", suites::part::mandatory), mandatory);
    check(suites::run_irp(folder / "irp", suites::part::optional), optional);
}

TEST_CASE("SCION's suite: the active leaves after each event equal those of the script") { check(suites::run_scion(folder / "scion"), scion); }

#ifndef HSM_TEST_ADDRESS_SANITIZER // without it the reference takes a minute for large documents
TEST_CASE("real documents load, and engine and reference agree on them, or they are refused with a place and a reason") {
    check(suites::run_corpus(folder / "corpus"), corpus);
}
#endif
