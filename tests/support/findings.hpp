/// Looking at what the check finds in a small definition.
#pragma once

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace test {

/// What the check finds in the machine that `define(root)` writes below "R".
template <class Define> std::vector<hsm::finding> found_in(Define define, const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<recorder>("R");
    define(*root);
    return hsm::check(root, options);
}

/// "HSM-007 at R/A, HSM-003 at R/B": what is wrong where, in short.
inline std::string codes_of(const std::vector<hsm::finding>& findings) {
    std::string text;
    for (const auto& f : findings) text += (text.empty() ? "" : ", ") + to_string(f.code) + " at " + f.path;
    return text;
}

template <class Define> std::string codes_in(Define define, const hsm::compile_options& options = {}) { return codes_of(found_in(define, options)); }

/// As a message tells it, without its place, which is where this test was written.
inline std::string said(hsm::finding f) {
    f.where = {};
    return f.to_string();
}

/// A line each.
inline std::string said(const std::vector<hsm::finding>& findings) {
    std::string text;
    for (const auto& f : findings) text += said(f) + '\n';
    return text;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// That there is exactly one finding; empty otherwise.
inline hsm::finding only(const std::vector<hsm::finding>& findings) {
    REQUIRE_MESSAGE(findings.size() == 1, hsm::describe(findings));
    return findings[0];
}

} // namespace test
