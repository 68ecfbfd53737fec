// Coverage and statistics as highlights.

#include <hsm/observe/coverage.hpp>
#include <hsm/observe/highlights.hpp>
#include <hsm/observe/statistics.hpp>
#include <tests/draw/constructs.hpp>

#include <doctest/doctest.h>

#include <string>

using hsm::draw::mark;

TEST_CASE("coverage highlights seen, missing and uncounted items") {
    const auto chart = drawn::histories(); // r a m x y h d
    hsm::coverage seen(chart);
    drawn::ctx c;
    hsm::instance agent{chart, c};
    const auto attached = seen.watch(agent);
    agent.start();
    agent.process("h");
    const auto lit = hsm::highlights_of(seen);
    using marks = std::vector<mark>;
    CHECK(lit.states.marks == marks{mark::seen, mark::seen, mark::seen, mark::seen, mark::missing, mark::none, mark::none});
    CHECK(lit.transitions.marks == marks{mark::seen, mark::missing, mark::seen});
    CHECK(lit.active.empty());
}

TEST_CASE("statistics highlight the time of states and the counts of transitions") {
    const auto chart = drawn::two([](auto&, auto& a, auto& b) { a.to(b).on("go"), b.to(a).on("back"); });
    hsm::statistics figures;
    drawn::ctx c;
    hsm::instance agent{chart, c};
    const auto attached = figures.watch(agent);
    agent.start();
    agent.tick(std::chrono::seconds(2));
    agent.process("go");
    const auto lit = hsm::highlights_of(figures, chart);
    CHECK(lit.states.heat == std::vector<double>{2, 2, 0});
    CHECK(lit.states.notes == std::vector<std::string>{"1 time, 2 s", "1 time, 2 s", "1 time, 0 s"});
    CHECK(lit.transitions.heat == std::vector<double>{1, 0});
    CHECK(lit.transitions.notes == std::vector<std::string>{"1 time", ""});
}
