/// Checks small definitions.
#pragma once

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace test {

/// Returns the findings for the machine that `define(root)` defines below "R".
template <class Define> std::vector<hsm::finding> found_in(Define define, const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<recorder>("R");
    define(*root);
    return hsm::check(root, options);
}

/// Returns "HSM-007 at R/A, HSM-003 at R/B".
inline std::string codes_of(const std::vector<hsm::finding>& findings) {
    std::string text;
    for (const auto& f : findings) text += (text.empty() ? "" : ", ") + to_string(f.code) + " at " + f.path;
    return text;
}

template <class Define> std::string codes_in(Define define, const hsm::compile_options& options = {}) { return codes_of(found_in(define, options)); }

/// Returns the message of a finding without its place, which is in this test.
inline std::string said(hsm::finding f) {
    f.where = {};
    return f.to_string();
}

/// Returns the messages, one per line.
inline std::string said(const std::vector<hsm::finding>& findings) {
    std::string text;
    for (const auto& f : findings) text += said(f) + '\n';
    return text;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Requires exactly one finding, and returns it.
inline hsm::finding only(const std::vector<hsm::finding>& findings) {
    REQUIRE_MESSAGE(findings.size() == 1, hsm::describe(findings));
    return findings[0];
}

} // namespace test
