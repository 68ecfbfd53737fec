// The texts of findings, and the catalogue of codes.

#include <hsm/chart/finding.hpp>
#include <hsm/compile/definition_error.hpp>
#include <hsm/run/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using hsm::code;

TEST_CASE("a finding prints its code, severity, path, problem and hint") {
    const hsm::finding f{code::unknown_state, "R/A", "something is wrong", "mend it"};
    CHECK(f.to_string() == "HSM-007 error at R/A: something is wrong; hint: mend it");
    const hsm::finding without_hint{code::unreachable, "R/A", "no transition leads here", ""};
    CHECK(without_hint.to_string() == "HSM-101 warning at R/A: no transition leads here");
}

TEST_CASE("a code has a stable number, a title, and a severity that follows from the number") {
    CHECK(to_string(code::no_root) == "HSM-001");
    CHECK(to_string(code::finished_reaction) == "HSM-018");
    CHECK(to_string(code::root_finished) == "HSM-107");
    CHECK(to_string(code::not_in_chart) == "HSM-202");
    const auto severity = [](code c) { return hsm::finding{c, "", "", ""}.severity(); };
    CHECK(severity(code::no_root) == hsm::severity::error);
    CHECK(severity(code::too_large) == hsm::severity::error);
    CHECK(severity(code::unreachable) == hsm::severity::warning);
    CHECK(severity(code::pointless_initial) == hsm::severity::warning);
    CHECK(severity(code::chain) == hsm::severity::error);
    CHECK(title(code::unknown_state) == "Unknown state");
}

TEST_CASE("the catalogue lists every code once, in ascending order, with a unique title") {
    const auto& codes = hsm::all_codes();
    CHECK(std::ranges::is_sorted(codes));
    CHECK(std::ranges::adjacent_find(codes) == codes.end());
    const auto has = [&](int n) { return std::ranges::find(codes, static_cast<code>(n)) != codes.end(); };
    for (int n = 1; n <= 18; ++n) CHECK_MESSAGE(has(n), n);
    for (int n = 101; n <= 107; ++n) CHECK_MESSAGE(has(n), n);
    CHECK(has(201));
    CHECK(has(202));
    std::vector<std::string_view> titles;
    for (const auto c : codes) titles.push_back(title(c));
    std::ranges::sort(titles);
    CHECK(std::ranges::adjacent_find(titles) == titles.end());
    CHECK(std::ranges::find(titles, "") == titles.end());
}

TEST_CASE("describe prints each finding of a list on its own line") {
    CHECK(hsm::describe({}) == "");
    CHECK(hsm::describe({{code::bad_name, "R", "one", ""}, {code::unreachable, "R/A", "two", "three"}}) ==
          "HSM-003 error at R: one\nHSM-101 warning at R/A: two; hint: three\n");
}

TEST_CASE("a definition_error prints all of its findings, and stores them") {
    const hsm::definition_error error({{code::bad_name, "R", "one", ""}, {code::no_effect, "R/A", "two", ""}});
    CHECK(std::string(error.what()) == "the definition has errors:\nHSM-003 error at R: one\nHSM-012 error at R/A: two\n");
    CHECK(error.findings().size() == 2);
    CHECK(error.findings()[1].code == code::no_effect);
}

TEST_CASE("an error of a running machine contains a finding") {
    const hsm::state_error error({code::not_in_chart, "R", "\"x\" is not a state", "did you mean \"y\"?"});
    CHECK(std::string(error.what()) == "HSM-202 error at R: \"x\" is not a state; hint: did you mean \"y\"?");
    CHECK(error.number() == code::not_in_chart);
    CHECK(error.report().path == "R");
}
