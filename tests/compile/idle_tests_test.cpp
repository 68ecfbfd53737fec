// The conditions that leaves watch. A tick without any change of these only tests the bits.

#include <tests/support/recorder.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// The watched conditions of the leaf "a" that `define(root, a, b)` defines: "1 !2" if a transition needs 1 set or 2 clear, or "none".
template <class Define> std::string watched(Define define, const hsm::compile_options& options = {}) {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    define(*root, a, b);
    const auto chart = hsm::compile(std::move(root), options);
    const auto& core = chart.core();
    if (core.idle_tests.empty() || !core.idle_tests[1].known) return "none";
    const auto& test = core.idle_tests[1];
    std::string text;
    for (int i = 0; i < 64; ++i)
        if (test.watch >> i & 1) text += (text.empty() ? "" : " ") + std::string(test.unwanted >> i & 1 ? "!" : "") + std::to_string(i);
    return text;
}

} // namespace

TEST_CASE("a leaf watches one condition of each transition") {
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(1), a.to(a).when(-2); }) == "1 !2");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(1, 2)); }) == "1");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(-1, 2)); }) == "2"); // conditions are seldom true
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(1, &recorder::go)); }) == "1");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::is_over); }) == "0");
    CHECK(watched([](auto&, auto&, auto& b) { b.to(b).when(1); }) == "");
}

TEST_CASE("a leaf watches all conditions of an any group") {
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::any(1, -2, 3)); }) == "1 !2 3");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(hsm::any(1, 2), 3)); }) == "3");
}

TEST_CASE("a leaf watches the transitions of the whole active path") {
    CHECK(watched([](auto& root, auto& a, auto& b) { root.to(b).when(1), a.to(b).when(2); }) == "1 2");
    CHECK(watched([](auto& root, auto& a, auto& b) { root.to(a).when(1), a.to(b).when(2); }) == "2"); // satisfied
    CHECK(watched([](auto& root, auto& a, auto& b) { root.to(a).when(1).reenter(), a.to(b).when(2); }) == "1 2");
    CHECK(watched([](auto& root, auto& a, auto& b) { root.to(b).when(1), a.to(b).when(2); }, {.order = hsm::decision_order::substate_first}) ==
          "1 2");
}

TEST_CASE("a leaf watches other conditions if two transitions require opposite values of one") {
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(1, 2)), a.to(b).when(-1); }) == "!1 2");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(1, 2)), a.to(b).when(hsm::all(-1, -2, 3)); }) == "1 3");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(1), a.to(b).when(-1); }) == "none");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::any(1, 2)), a.to(b).when(hsm::any(-2, 3)); }) == "none");
}

TEST_CASE("a leaf watches only conditions of the first word") {
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(100, 7)); }) == "7");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(100); }) == "none");
    CHECK(watched([](auto&, auto& a, auto& b) { a.to(b).when(hsm::any(7, 100)); }) == "none");
}

TEST_CASE("a leaf with other work in a tick watches no conditions") {
    const auto with_one = [](auto& a, auto& b) -> auto& { return a.to(b).when("X"), a; };
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b); }) == "1");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b).on_update(tracing("U")); }) == "none");
    CHECK(watched([&](auto& root, auto& a, auto& b) { with_one(a, b), root.on_update(tracing("U")); }) == "none");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b).when("Y").then(tracing("R")); }) == "none");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b), b.hold(); }) == "none");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b).to(b).when(&recorder::go); }) == "none");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b).to(b); }) == "none");
    CHECK(watched([&](auto&, auto& a, auto& b) { with_one(a, b).to(b).on("event"); }) == "1");
    CHECK(watched([&](auto& root, auto& a, auto& b) {
              with_one(a, b);
              root.add_parallel("P").add("region");
          }) == "none");
}

TEST_CASE("the search for watched conditions ends if many transitions require opposite values") {
    CHECK(watched([](auto&, auto& a, auto& b) {
              for (int i = 1; i < 30; ++i) a.to(b).when(hsm::all(i, i + 1)), a.to(b).when(hsm::all(-i, -(i + 1)));
              a.to(b).when(40), a.to(b).when(-40);
          }) == "none");
}
