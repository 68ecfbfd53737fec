// The order of exits, actions and entries that a transition writes to sinks.

#include <hsm/chart/detail/write_transition.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace flatten = hsm::detail::flatten;
using state_index = hsm::detail::index; // POSIX has an index of its own
using hsm::detail::no_index;

namespace {

struct span {
    std::uint32_t first = 0, count = 0;
};

struct row {
    state_index superstate, last, depth;
    state_index first = no_index;
    bool machine = false;
    span choices = {}, initial = {};
    bool remembers = false;
};

struct transition {
    state_index source, target, level;
    bool guarded = false;
};

/// R { a, M { x, N { y, z } }, H }: M chooses between transitions 2 (guarded, to z) and 3 (to x); N has none.
enum : state_index { R, a, M, x, N, y, z, H };
struct tables {
    std::vector<row> states = {
        {no_index, H, 0, a, true}, {R, a, 1}, {R, z, 1, x, true, {2, 2}}, {M, x, 2}, {M, z, 2, y, true}, {N, y, 3}, {N, z, 3}, {R, H, 1}};
    std::vector<transition> transitions = {{a, z, R}, {x, M, M}, {M, z, M, true}, {M, x, M}, {a, no_index, no_index}, {a, N, R}, {a, H, R}};

    bool is_machine(state_index s) const { return states[s].machine; }
    bool is_guarded(std::uint32_t t) const { return transitions[t].guarded; }
    bool is_static(state_index s) const { return !states[s].remembers && (states[s].choices.count == 0 || !is_guarded(states[s].choices.first)); }
    state_index machine_of(state_index s) const { return s == H ? state_index(M) : s; } // a history state of M, although the tree places it elsewhere
};

std::string name(state_index s) { return std::string(1, "RaMxNyzH"[s]); }

struct listener {
    std::string steps = {};
    state_index elsewhere = no_index;

    void begin(const transition&) { steps += "begin "; }
    void exit(state_index s) { steps += "X" + name(s) + " "; }
    void action(const transition&) { steps += "act "; }
    void enter(state_index s) { steps += "E" + name(s) + " "; }
    void choose(state_index s, bool anew) { steps += "choose" + name(s) + (anew ? "(anew) " : " "); }
    void arrive(state_index s) { steps += "at" + name(s) + " "; }
    void stay(const transition&) { steps += "stay "; }
    template <class Take> void try_choice(state_index, std::uint32_t number, Take take) {
        steps += "try" + std::to_string(number) + "( ";
        take();
        steps += ") ";
    }
    void choice_action(state_index s, const transition&) { steps += "act" + name(s) + " "; }
    bool leads_elsewhere(state_index, const transition& t) const { return t.target == elsewhere; }
    void rest(state_index s) { steps += "rest" + name(s) + " "; }
};

std::string written(std::size_t number, state_index leaf) {
    const tables t;
    listener sink;
    flatten::write_transition(t, leaf, t.transitions[number], sink);
    return sink.steps;
}

std::string entry(const tables& t, state_index machine, state_index elsewhere = no_index) {
    listener sink{.elsewhere = elsewhere};
    flatten::write_entry(t, machine, sink);
    return sink.steps;
}

} // namespace

TEST_CASE("a transition writes its exits, the action, its entries, and the state where it arrives") {
    CHECK(written(0, a) == "begin Xa act EM EN Ez atz ");
    CHECK(written(5, a) == "begin Xa act EM EN chooseN ");
}

TEST_CASE("a transition to its own superstate writes the entry choice of the superstate again") {
    CHECK(written(1, x) == "begin Xx act chooseM(anew) ");
}

TEST_CASE("a transition without a target writes only its action") { CHECK(written(4, a) == "begin act stay "); }

TEST_CASE("a transition to a history state enters the machine and arrives at the history state") { CHECK(written(6, a) == "begin Xa act EM atH "); }

TEST_CASE("an entry choice writes its choices up to the unguarded one") {
    const tables t;
    CHECK(entry(t, M) == "try2( actM EN Ez atz ) try3( actM Ex atx ) ");
    CHECK(entry(t, N) == "Ey aty ");
    CHECK(entry(t, M, z) == "try2( actM ) try3( actM Ex atx ) "); // the sink writes the entries of choice 2
}

TEST_CASE("an entry choice with only guarded choices ends with rest, or with the initial state") {
    tables t;
    t.transitions[3].guarded = true;
    CHECK(entry(t, M) == "try2( actM EN Ez atz ) try3( actM Ex atx ) restM ");
    t.states[M].initial = {3, 1};
    CHECK(entry(t, M) == "try2( actM EN Ez atz ) try3( actM Ex atx ) actM Ex atx ");
}

TEST_CASE("the leaf of an entry is static unless a guard or a history selects it") {
    tables t;
    CHECK(flatten::static_leaf(t, a) == a);
    CHECK(flatten::static_leaf(t, N) == y);
    CHECK(flatten::static_leaf(t, M) == no_index);
    t.transitions[2].guarded = false;
    CHECK(flatten::static_leaf(t, M) == z);
    t.states[M].remembers = true;
    CHECK(flatten::static_leaf(t, M) == no_index);
}

namespace {

struct move {
    char name;
    bool moves;
};

struct step_listener {
    std::string steps;

    static bool moves(const move& m) { return m.moves; }
    void exits(const move& m) { steps += std::string("X") + m.name + " "; }
    void action(const move& m) { steps += std::string("act") + m.name + " "; }
    void entries(const move& m) { steps += std::string("E") + m.name + " "; }
};

std::string step(std::vector<move> moves) {
    step_listener sink;
    flatten::write_step(moves, sink);
    return sink.steps;
}

} // namespace

TEST_CASE("a step of several transitions writes all exits in reverse order, then the actions, then the entries") {
    CHECK(step({{'1', true}, {'2', true}, {'3', true}}) == "X3 X2 X1 act1 act2 act3 E1 E2 E3 ");
    CHECK(step({{'1', false}, {'2', true}}) == "X2 act1 act2 E2 ");
    CHECK(step({}) == "");
}
