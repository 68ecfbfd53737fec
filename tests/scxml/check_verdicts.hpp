#pragma once

#include <tests/scxml/suites.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace suites {

/// Checks that no document failed and at least `least` passed. Without the data it prints that the test was skipped.
inline void check(const std::vector<verdict>& all, std::size_t least, const std::filesystem::path& folder) {
    if (all.empty()) {
        const std::string name = folder.string();
        MESSAGE("skipped: there is no ", name);
        return;
    }
    for (const auto& v : all) {
        CAPTURE(v.id);
        if (v.what == verdict::kind::failed) FAIL_CHECK(v.reason);
    }
    CHECK(count(all, verdict::kind::passed) >= least);
}

} // namespace suites
