// Drawings of a part of a chart, or of fewer levels. Hidden states are counted. Transitions to states outside lead to a box with the state's name.

#include <hsm/draw/dot.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/draw/text.hpp>
#include <tests/draw/constructs.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

/// r: a, m(x, n(y, z)); arrows in and out of everything.
auto deep() {
    auto r = drawn::root();
    auto& a = r->add("a");
    auto& m = r->add_fsm("m");
    auto& x = m.add("x");
    auto& n = m.add_fsm("n");
    auto& y = n.add("y");
    auto& z = n.add("z");
    y.to(z).on("inside");
    y.on("reacts").then(drawn::shout);
    y.to(x).on("up");
    a.to(z).on("down");
    z.to(a).on("out");
    r->to(x).on("super");
    return drawn::done(std::move(r));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

hsm::code code_of(const auto& call) {
    try {
        call();
    } catch (const hsm::draw_error& e) {
        return e.number();
    }
    return {};
}

} // namespace

TEST_CASE("a state at the maximum depth shows the number of states inside it") {
    const auto chart = deep();
    const auto text = hsm::draw::dot(chart, {.depth = 2}).text;
    CHECK(has(text, "r_m_n [label="));
    CHECK(!has(text, "r_m_n_y"));
    CHECK(has(text, "+ 2 states, 2 transitions"));
    CHECK(has(text, "r_m_n -> r_m_x [label=<&#160;<font color=\"#24292f\">up</font> <font color=\"#57606a\">{from y}</font>"));
    CHECK(has(text, "r_a -> r_m_n [label=<&#160;<font color=\"#24292f\">down</font> <font color=\"#57606a\">{to z}</font>"));
    CHECK(!has(text, "inside</font>"));
    CHECK(hsm::draw::dot(chart, {.depth = 3}).text == hsm::draw::dot(chart).text);
    const auto one = hsm::draw::dot(chart, {.depth = 0}).text;
    CHECK(has(one, "r [label="));
    CHECK(has(one, "+ 6 states, 6 transitions"));
}

TEST_CASE("a part contains a state and all states inside it") {
    const auto chart = deep();
    const auto text = hsm::draw::dot(chart, {.part = "m"}).text;
    CHECK(has(text, "subgraph cluster_r_m {"));
    CHECK(!has(text, "cluster_r {"));
    CHECK(has(text, "r_a_elsewhere [label=<a>, style=\"rounded,dotted\""));
    CHECK(has(text, "r_a_elsewhere -> r_m_n_z"));
    CHECK(has(text, "r_m_n_z -> r_a_elsewhere"));
    CHECK(has(text, "r_elsewhere -> r_m_x")); // of a superstate
    CHECK(hsm::draw::dot(chart, {.part = chart.view().find("m")}).text == text);
    CHECK(hsm::draw::dot(chart, {.part = "r/m"}).text == text);
    const auto leaf = hsm::draw::dot(chart, {.part = "y"}).text;
    CHECK(has(leaf, "r_m_n_y -> r_m_x_elsewhere"));
    CHECK(!has(leaf, "super"));
    CHECK(hsm::draw::text(chart, {.part = "n"}).text == "n\n"
                                                        "│  ● → y\n"
                                                        "├─ y\n"
                                                        "│     reacts / shout\n"
                                                        "│     → z  inside\n"
                                                        "│     → x  up\n"
                                                        "└─ z\n"
                                                        "      → a  out\n");
}

TEST_CASE("the options of show hide guards, hooks, actions, timers and priorities") {
    auto r = drawn::root();
    auto& a = r->add("a").on_enter(drawn::shout).min_duration(std::chrono::seconds(1));
    auto& b = r->add("b");
    a.to(b).on("hit").when(drawn::is_go).then(drawn::shout).priority(3);
    a.to(b).after(std::chrono::seconds(2));
    const auto chart = hsm::compile(std::move(r));
    using hsm::draw::text;
    const auto all = text(chart).text;
    CHECK(all ==
          "r\n│  ● → a\n├─ a\n│     enter / shout\n│     at least 1 s\n│     → b  after 2 s\n│     → b  hit [is go] / shout {priority 3}\n└─ b\n");
    CHECK(!has(text(chart, {.show = {.guards = false}}).text, "is go"));
    CHECK(!has(text(chart, {.show = {.hooks = false}}).text, "enter"));
    CHECK(has(text(chart, {.show = {.actions = false}}).text, "hit [is go] {priority 3}"));
    CHECK(!has(text(chart, {.show = {.timers = false}}).text, "2 s"));
    CHECK(!has(text(chart, {.show = {.priorities = false}}).text, "{"));
    const auto located = text(chart, {.show = {.locations = true}}).text;
    CHECK(has(located, "[is go (picture_test.cpp:"));
    CHECK(has(located, " picture_test.cpp:"));
}

TEST_CASE("a drawing of an unknown state or an empty view throws") {
    const auto chart = deep();
    CHECK(code_of([&] { hsm::draw::dot(chart, {.part = "nowhere"}); }) == hsm::code::no_drawing);
    CHECK(code_of([&] { hsm::draw::text(chart, {.part = "nowhere"}); }) == hsm::code::no_drawing);
    CHECK(code_of([&] { hsm::draw::dot(hsm::chart_view()); }) == hsm::code::no_drawing);
    CHECK_THROWS_WITH(hsm::draw::dot(chart, {.part = "q"}), "HSM-381 error: no state, or several states, match \"q\"; hint: name one state, by its "
                                                            "path or by the unique end of its path");
}
