// The order of decisions, exits, entries and entry choices, over tables that this file defines.

#include <hsm/chart/detail/flatten.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace flatten = hsm::detail::flatten;
using hsm::decision_order;
using state_index = hsm::detail::index; // POSIX has an index of its own
using hsm::detail::no_index;

namespace {

struct row {
    state_index superstate;
    state_index last;
    state_index depth;
};

/// R { A { x, y }, B { P { 1 { c }, 2 { d } } } }, in preorder.
enum : state_index { R, A, x, y, B, P, one, c, two, d };
const std::vector<row> states = {{no_index, d, 0}, {R, y, 1}, {A, x, 2},   {A, y, 2}, {R, d, 1},
                                 {B, d, 2},        {P, c, 3}, {one, c, 4}, {P, d, 3}, {two, d, 4}};
const char* const names = "RAxyBP1c2d";

std::string name(state_index s) { return s == no_index ? "-" : std::string(1, names[s]); }

std::string level(state_index source, std::vector<state_index> targets, bool external = false) {
    return name(flatten::level_of(states, source, targets, external, [](state_index s) { return s == P; }));
}

struct span {
    std::uint32_t first, count;
};

} // namespace

TEST_CASE("the level is the innermost state around source and target that is not a parallel") {
    CHECK(level(x, {y}) == "A");
    CHECK(level(x, {c}) == "R");
    CHECK(level(c, {d}) == "B"); // in different regions: the machine around the parallel
    CHECK(level(A, {A}) == "R");
    CHECK(level(R, {R}) == "-");
}

TEST_CASE("a transition between a superstate and a state inside it exits the superstate only if it is external or the superstate is a parallel") {
    CHECK(level(A, {x}) == "A");
    CHECK(level(x, {A}) == "A");
    CHECK(level(A, {x}, true) == "R");
    CHECK(level(x, {A}, true) == "R");
    CHECK(level(P, {c}) == "B");
    CHECK(level(c, {P}) == "B");
    CHECK(level(B, {c, d}) == "B"); // a fork
    CHECK(level(x, {c, d}) == "R");
}

TEST_CASE("exits go from the leaf to the level; entries go from the level to the target") {
    std::string left, entered;
    flatten::exits(states, c, B, [&](state_index s) { left += name(s); });
    CHECK(left == "c1P");
    flatten::entries(states, R, c, [&](state_index s) { entered += name(s); });
    CHECK(entered == "BP1c");
    flatten::entries(states, c, c, [&](state_index) { entered += "!"; });
    CHECK(entered == "BP1c");
}

TEST_CASE("the states of the whole path, or of one region, decide in decision order") {
    const auto deciders = [](state_index above, state_index leaf, decision_order order) {
        std::string all;
        flatten::deciders(states, above, leaf, order, [&](state_index s) { all += name(s); });
        return all;
    };
    CHECK(deciders(no_index, c, decision_order::superstate_first) == "RBP1c");
    CHECK(deciders(no_index, c, decision_order::substate_first) == "c1PBR");
    CHECK(deciders(P, c, decision_order::superstate_first) == "1c");
    CHECK(deciders(P, c, decision_order::substate_first) == "c1");
}

TEST_CASE("superstate_first tries the deferrals of a state after the transitions of all states inside it") {
    // R: 0 and 1, A: 2, x: 3; 0 and 2 defer
    const auto events = [](state_index s) { return s == R ? span{0, 2} : s == A ? span{2, 1} : s == x ? span{3, 1} : span{0, 0}; };
    const auto candidates = [&](decision_order order, std::vector<std::uint32_t> deferring) {
        std::string all;
        const auto defers = [&](std::uint32_t t) { return std::find(deferring.begin(), deferring.end(), t) != deferring.end(); };
        flatten::candidates(states, no_index, x, order, events, defers, [&](std::uint32_t t) { all += std::to_string(t); });
        return all;
    };
    CHECK(candidates(decision_order::superstate_first, {}) == "0123");
    CHECK(candidates(decision_order::superstate_first, {0, 2}) == "1302");
    CHECK(candidates(decision_order::substate_first, {0, 2}) == "3201"); // the transitions of one source are already sorted
}

TEST_CASE("a tick updates from the root inwards; each level decides after its update, or all levels decide first") {
    const auto tick = [](decision_order order, state_index leaf) {
        std::string all;
        const auto is_machine = [](state_index s) { return s == R || s == A; };
        flatten::tick_sections(
            states, leaf, order, is_machine, [&](state_index s) { all += "U" + name(s) + " "; }, [&](state_index s) { all += "D" + name(s) + " "; },
            [&] { all += "D* "; }, [&](int depth) { all += "retry" + std::to_string(depth) + " "; });
        return all;
    };
    CHECK(tick(decision_order::superstate_first, x) == "D- UR DR UA DA Ux ");
    CHECK(tick(decision_order::substate_first, x) == "D* UR UA Ux ");
    CHECK(tick(decision_order::superstate_first, A) == "D- UR DR UA DA retry1 "); // A is at rest
    CHECK(tick(decision_order::substate_first, A) == "D* retry-1 UR UA ");
}

TEST_CASE("a level decides after its own update; the levels below follow its decision") {
    CHECK(flatten::section_comes_after(1, true, 1, false));
    CHECK(flatten::section_comes_after(1, true, 2, true));
    CHECK_FALSE(flatten::section_comes_after(1, true, 1, true));
    CHECK_FALSE(flatten::section_comes_after(1, false, 1, false));
    CHECK_FALSE(flatten::section_comes_after(1, false, 1, true));
    CHECK(flatten::section_comes_after(1, false, 2, true));
    CHECK_FALSE(flatten::section_comes_after(2, true, 1, false));
}

TEST_CASE("an entry choice tries the dispatch choices up to an unguarded one, then initial, rest, or the first substate") {
    const auto choice = [](std::vector<bool> guarded, std::uint32_t initials) {
        std::string all;
        flatten::entry_choice(
            span{0, static_cast<std::uint32_t>(guarded.size())}, span{7, initials}, [&](std::uint32_t t) { return guarded[t]; },
            [&](std::uint32_t t) { all += std::to_string(t); }, [&](std::uint32_t t) { all += "i" + std::to_string(t); }, [&] { all += "rest"; },
            [&] { all += "first"; });
        return all;
    };
    CHECK(choice({}, 0) == "first");
    CHECK(choice({}, 1) == "i7");
    CHECK(choice({true, true}, 0) == "01rest");
    CHECK(choice({true, true}, 1) == "01i7");
    CHECK(choice({true, false, true}, 1) == "01");
}

TEST_CASE("the transitions of a source are tried by priority, and its deferrals last") {
    CHECK(flatten::tried_before(2, flatten::turn_by_priority, 1, flatten::turn_by_priority));
    CHECK_FALSE(flatten::tried_before(1, flatten::turn_by_priority, 1, flatten::turn_by_priority));
    CHECK(flatten::tried_before(0, flatten::turn_by_priority, 9, flatten::turn_of_deferrals));
    CHECK(flatten::tried_before(9, flatten::turn_of_deferrals, 1, flatten::turn_of_deferrals));
}
