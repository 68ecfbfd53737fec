// The limits of the number and length of findings.

#include <tests/support/findings.hpp>

#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/define/detail/shown.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// A root with this number of substates without names, and one with a name.
std::vector<hsm::finding> check_nameless(int count, std::size_t most) {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("a");
    for (int i = 0; i < count; ++i) root->add("");
    hsm::compile_options options;
    options.max_findings = most;
    return hsm::check(root, options);
}

} // namespace

TEST_CASE("max_findings limits the reported errors; the others are counted") {
    CHECK(check_nameless(1, 2).size() == 1);
    CHECK(check_nameless(2, 3).size() == 3); // and that two have the same name
    CHECK(check_nameless(2, 3).back().code == hsm::code::bad_name);
    REQUIRE(check_nameless(3, 3).size() == 4);
    CHECK(said(check_nameless(3, 3).back()) == "HSM-029 error at R: there is 1 more error; hint: fix the listed errors first");
    CHECK(check_nameless(1500, 1000).size() == 1001);
    CHECK(check_nameless(1500, 1000).back().problem == "there are 501 more errors");
    CHECK(check_nameless(9, 0).size() == 2); // at least one
    CHECK(hsm::compile_options().max_findings == 1000);
}

TEST_CASE("warnings beyond max_findings are counted and do not stop the compilation") {
    auto root = hsm::make_fsm<recorder>("R");
    for (int i = 0; i < 1501; ++i) root->add("state " + std::to_string(i));
    const auto chart = hsm::compile(std::move(root));
    REQUIRE(chart.warnings().size() == 1001);
    CHECK(chart.warnings()[999].path == "R/state 1000");
    CHECK(said(chart.warnings().back()) == "HSM-108 warning at R: there are 500 more warnings; hint: fix the listed warnings first");
}

TEST_CASE("the number of further warnings includes those that a loader only counted") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("a");
    for (int i = 0; i < 3; ++i) root->note().warnings.push_back({hsm::code::unread_markup, root.get(), {}, "unread", {}});
    root->note().further_warnings = 999'000;
    CHECK(hsm::check(root).back().problem == "there are 999000 more warnings");
    hsm::compile_options options;
    options.max_findings = 1;
    CHECK(hsm::check(root, options).back().problem == "there are 999002 more warnings");
}

TEST_CASE("findings shorten long paths and names") {
    auto root = hsm::make_fsm<recorder>("R");
    hsm::fsm<recorder>* at = root.get();
    for (int i = 0; i < 200; ++i) at = &at->add_fsm(std::string(500, 'n') + std::to_string(i));
    at->add(std::string(5000, 'a')).to(std::string(5000, 'b')).on(std::string(5000, 'e'));
    const auto findings = hsm::check(root);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == hsm::code::unknown_state);
    CHECK(findings[0].path == ".../" + std::string(400, 'a') + "...");
    CHECK(said(findings[0]).size() < 2000);
}

TEST_CASE("a path that exceeds the maximum length is shown without its beginning") {
    const auto path = [](std::size_t outer, std::size_t inner) {
        auto root = hsm::make_fsm<recorder>("R");
        auto& machine = root->add_fsm(std::string(outer, 'm'));
        return hsm::detail::shown_path(machine.add(std::string(inner, 's')));
    };
    const auto most = hsm::detail::longest_shown_path;
    CHECK(path(1, 1) == "R/m/s");
    CHECK(path(most - 5, 2).size() == most);
    CHECK(path(most - 4, 2) == ".../" + std::string(most - 4, 'm') + "/ss");
    CHECK(path(most, 2) == ".../ss");
    CHECK(path(most, most).size() == 4 + most);
    CHECK(path(most, most + 1) == ".../" + std::string(most, 's') + "...");
    CHECK(hsm::detail::shown("\xc3\xa4\xc3\xa4", 4) == "\xc3\xa4\xc3\xa4");
    CHECK(hsm::detail::shown("\xc3\xa4\xc3\xa4", 3) == "\xc3\xa4...");
    CHECK(hsm::detail::shown("abc", 3) == "abc");
    CHECK(hsm::detail::shown("abcd", 3) == "abc...");
}

TEST_CASE("a long list of names ends with the number of omitted names") {
    const auto listed = [](std::size_t count) { return hsm::detail::shown_list(count, [](std::size_t) { return std::string_view("a"); }); };
    CHECK(listed(1) == "\"a\"");
    CHECK(listed(2) == "\"a\", \"a\"");
    CHECK(listed(hsm::detail::most_listed).find("more") == std::string::npos);
    CHECK(listed(hsm::detail::most_listed + 1).ends_with("\"a\", and 1 more"));
    CHECK(listed(100'000).ends_with("\"a\", and 99988 more"));
}

TEST_CASE("a long cycle is listed without most of its states") {
    const auto cycle_of = [](int count) {
        auto root = hsm::make_fsm<recorder>("R");
        for (int i = 0; i < count; ++i) root->add("s" + std::to_string(i)).transient().to("s" + std::to_string((i + 1) % count));
        return hsm::check(root).front().problem;
    };
    CHECK(cycle_of(2) == "states that are left immediately form an endless cycle: s0 -> s1 -> s0");
    CHECK(cycle_of(12).ends_with("s10 -> s11 -> s0"));
    CHECK(cycle_of(13).ends_with("s10 -> s11 -> ... 1 more -> s0"));
    CHECK(cycle_of(5000).ends_with("s11 -> ... 4988 more -> s0"));
}

TEST_CASE("all pairs of a few states that are never active together are reported; of many states, one pair") {
    const auto found = [](int regions, bool apart) {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("a");
        auto& both = root->add_parallel("both");
        for (int i = 0; i < regions; ++i) both.add("r" + std::to_string(i));
        auto& join = root->add("join");
        auto t = join.to(a);
        for (int i = 0; i < regions; ++i) t.in("both/r" + std::to_string(i));
        if (!apart) return hsm::check(root).size();
        t.in("a");
        return hsm::check(root).size();
    };
    CHECK(found(2, false) == 2); // the source is in none of the regions
    CHECK(found(2, true) == 5);
    CHECK(found(49, false) == 49);
    CHECK(found(50, false) == 1);
    CHECK(found(5000, true) == 1);
}
