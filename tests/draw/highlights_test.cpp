// Highlighted states and transitions, in each language.

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/text.hpp>
#include <tests/draw/constructs.hpp>
#include <tests/draw/texts.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
} // namespace

TEST_CASE("an active state also highlights its superstates") {
    const auto chart = drawn::nested();
    const auto lit = hsm::draw::active(chart, "x");
    CHECK(lit.active == std::vector<std::uint32_t>{3});
    const auto dot = hsm::draw::dot(chart, {.highlight = lit}).text;
    CHECK(has(dot, "id=\"r_m_x\", class=\"state active\""));
    CHECK(has(dot, "id=\"r_m\"; class=\"state box active\""));
    CHECK(has(dot, "id=\"r_a\", class=\"state\""));
    const auto folded = hsm::draw::dot(chart, {.depth = 1, .highlight = lit}).text;
    CHECK(has(folded, "id=\"r_m\", class=\"state active\""));
    CHECK(has(hsm::draw::plantuml(chart, {.highlight = lit}).text, "state \"x\" as r_m_x #ffe8a3\n"));
    const auto mermaid = hsm::draw::mermaid(chart, {.highlight = lit});
    CHECK(has(mermaid.text, "  class r_m_x active\n"));
    CHECK(has(mermaid.text, "state \"m (active)\" as r_m {"));
    CHECK(test::lost(mermaid) == "highlighted superstate: r has a word in its title instead of a color\n"
                                 "highlighted superstate: r/m has a word in its title instead of a color\n");
    CHECK(has(hsm::draw::text(chart, {.highlight = lit, .ascii = true}).text, "+- > m\n") == false); // it is the last one
    CHECK(has(hsm::draw::text(chart, {.highlight = lit, .ascii = true}).text, "`- > m\n"));
    CHECK(has(hsm::draw::text(chart, {.highlight = lit, .colors = true}).text, "\x1b[1;33m▶ x\x1b[0m\n"));
}

TEST_CASE("active returns the highlights of an instance's leaves") {
    const auto chart = drawn::nested();
    drawn::ctx c;
    hsm::instance agent{chart, c};
    CHECK(hsm::draw::active(chart, agent.leaves()).active.empty()); // not started
    agent.start();
    agent.process("to");
    CHECK(hsm::draw::active(chart, agent.leaves()).active == std::vector<std::uint32_t>{3});
    CHECK(hsm::draw::active(chart, agent.current()).active == std::vector<std::uint32_t>{3});
    const auto other = drawn::nested();
    CHECK(hsm::draw::active(other, agent.current()).active.empty()); // of another chart
}

TEST_CASE("heat is drawn in steps of its logarithm") {
    const auto chart = drawn::two([](auto&, auto& a, auto& b) { a.to(b).on("go"), b.to(a).on("back"); });
    hsm::draw::highlights lit;
    lit.states.heat = {1000, 0, 30};
    lit.states.notes = {"", "never", "30 times"};
    lit.transitions.heat = {1000000, -1};
    lit.taken = {1};
    const auto dot = hsm::draw::dot(chart, {.highlight = lit}).text;
    CHECK(has(dot, "class=\"state box heat5\""));
    CHECK(has(dot, "id=\"r_a\", class=\"state heat0\""));
    CHECK(has(dot, "id=\"r_b\", class=\"state heat2\""));
    CHECK(has(dot, "<i>30 times</i>"));
    CHECK(has(dot, "color=\"#a40e26\", penwidth=3.3, class=\"t0\""));
    CHECK(has(dot, "color=\"#bf6a02\", penwidth=2, class=\"t1\""));
    const auto mermaid = hsm::draw::mermaid(chart, {.highlight = lit});
    CHECK(has(mermaid.text, "r_a --> r_b : go (heat 5)"));
    CHECK(has(mermaid.text, "r_b --> r_a : back (taken)"));
    CHECK(has(mermaid.text, "class r_a heat0"));
    CHECK(has(mermaid.text, "class r_b heat2"));
    CHECK(has(mermaid.text, "classDef heat5 fill:#f7906f"));
    CHECK(mermaid.losses.size() == 3);
    const auto plantuml = hsm::draw::plantuml(chart, {.highlight = lit}).text;
    CHECK(has(plantuml, "r_a -[#a40e26]-> r_b : go"));
    CHECK(has(plantuml, "r_b -[#bf6a02]-> r_a : back"));
}

TEST_CASE("numbers of other charts highlight no states") {
    const auto chart = drawn::nested();
    hsm::draw::highlights lit;
    lit.active = {99, 0xffff'ffff};
    lit.taken = {99};
    lit.states.heat = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    lit.states.heat[1] = std::numeric_limits<double>::quiet_NaN();
    lit.states.heat[2] = std::numeric_limits<double>::infinity();
    CHECK(!has(hsm::draw::dot(chart, {.highlight = lit}).text, "active"));
}

TEST_CASE("add combines two sets of highlights") {
    hsm::draw::highlights a, b;
    a.active = {1};
    b.active = {2};
    b.states.heat = {1, 2};
    a.add(b).add(a);
    CHECK(a.active == std::vector<std::uint32_t>{1, 2, 1, 2});
    CHECK(a.states.heat == std::vector<double>{1, 2});
}
