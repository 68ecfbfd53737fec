// The shape of a definition, and the level of a transition: its LCA.

#include <tests/support/recorder.hpp>

#include <hsm/compile/detail/outline.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace test;

namespace {

/// R { A, M { x, N { y, z }, w }, B }, in preorder: R A M x N y z w B
struct tree {
    hsm::owned<hsm::fsm<recorder>> root = hsm::make_fsm<recorder>("R");
    hsm::state<recorder>& a = root->add("A");
    hsm::fsm<recorder>& m = root->add_fsm("M");
    hsm::state<recorder>& x = m.add("x");
    hsm::fsm<recorder>& n = m.add_fsm("N");
    hsm::state<recorder>& y = n.add("y");
    hsm::state<recorder>& z = n.add("z");
    hsm::state<recorder>& w = m.add("w");
    hsm::state<recorder>& b = root->add("B");
};

enum place : hsm::detail::index { R, A, M, x, N, y, z, w, B };

struct levels {
    tree t;
    hsm::detail::outline o = hsm::detail::make_outline(*t.root);

    std::string named(hsm::detail::index s) const { return s == hsm::detail::no_index ? "above" : std::string(o.states[s].node->name()); }
    std::string local(place from, place to) const { return named(hsm::detail::level_between(o.states, from, to, false)); }
    std::string external(place from, place to) const { return named(hsm::detail::level_between(o.states, from, to, true)); }
};

} // namespace

TEST_CASE("states are numbered in preorder; descendants follow their superstate without a gap") {
    const tree t;
    const auto o = hsm::detail::make_outline(*t.root);
    std::string order;
    for (const auto& s : o.states) order += std::string(s.node->name()) + std::to_string(s.depth) + " ";
    CHECK(order == "R0 A1 M1 x2 N2 y3 z3 w2 B1 ");
    CHECK(o.states[R].superstate == hsm::detail::no_index);
    CHECK(o.states[R].last == B);
    CHECK(o.states[M].last == w);
    CHECK(o.states[N].last == z);
    CHECK(o.states[A].last == A);
    CHECK(o.states[y].superstate == N);
    CHECK(o.index_of(t.z) == z);
    CHECK(t.z.number() == z);
    CHECK(o.contains(M, z));
    CHECK(o.contains(M, M));
    CHECK_FALSE(o.contains(N, w));
    CHECK_FALSE(o.contains(hsm::detail::no_index, R));
    const tree other;
    CHECK(o.index_of(other.z) == hsm::detail::no_index);
}

TEST_CASE("the level of unrelated states is their innermost common superstate") {
    const levels l;
    CHECK(l.local(A, B) == "R");
    CHECK(l.local(y, z) == "N");
    CHECK(l.local(x, y) == "M");
    CHECK(l.local(y, x) == "M");
    CHECK(l.local(z, w) == "M");
    CHECK(l.local(y, B) == "R");
    CHECK(l.local(A, z) == "R");
    CHECK(l.local(A, N) == "R");
    CHECK(l.local(x, N) == "M");
    CHECK(l.local(N, A) == "R");
}

TEST_CASE("external does not change the level of unrelated states") {
    const levels l;
    for (const auto& [from, to] : {std::pair{A, B}, {y, z}, {x, y}, {y, B}, {A, z}, {N, w}, {A, A}, {y, y}, {R, R}})
        CHECK(l.local(from, to) == l.external(from, to));
}

TEST_CASE("the level between a superstate and a state inside it is the superstate, in both directions and at any distance") {
    const levels l;
    CHECK(l.local(R, A) == "R");
    CHECK(l.local(R, z) == "R");
    CHECK(l.local(M, x) == "M");
    CHECK(l.local(M, z) == "M");
    CHECK(l.local(N, y) == "N");
    CHECK(l.local(A, R) == "R");
    CHECK(l.local(z, R) == "R");
    CHECK(l.local(z, M) == "M");
    CHECK(l.local(z, N) == "N");
}

TEST_CASE("the level of an external transition is above the superstate") {
    const levels l;
    CHECK(l.external(R, A) == "above");
    CHECK(l.external(R, z) == "above");
    CHECK(l.external(M, x) == "R");
    CHECK(l.external(M, z) == "R");
    CHECK(l.external(N, y) == "M");
    CHECK(l.external(A, R) == "above");
    CHECK(l.external(z, R) == "above");
    CHECK(l.external(z, M) == "R");
    CHECK(l.external(z, N) == "M");
}

TEST_CASE("the level of a transition from a state to itself is above that state") {
    const levels l;
    CHECK(l.local(A, A) == "R");
    CHECK(l.local(M, M) == "R");
    CHECK(l.local(y, y) == "N");
    CHECK(l.local(R, R) == "above");
}

TEST_CASE("the outline lists transitions with the indices of their source, target and level") {
    tree t;
    t.m.dispatch(t.z);
    t.root->initial("M");
    t.x.to("A");
    t.x.on("event");
    t.x.to("nowhere");
    t.y.to(t.n).external();
    const auto o = hsm::detail::make_outline(*t.root);
    const auto row = [&](std::size_t i) {
        const auto& r = o.transitions[i];
        const auto named = [&](hsm::detail::index s) { return s == hsm::detail::no_index ? "-" : std::string(o.states[s].node->name()); };
        return std::to_string(int(r.role)) + " " + named(r.source) + " " + named(r.target) + " " + named(r.level);
    };
    REQUIRE(o.transitions.size() == 6);
    CHECK(row(0) == "2 R M R");
    CHECK(row(1) == "1 M z M");
    CHECK(row(2) == "0 x A R");
    CHECK(row(3) == "0 x - -");
    CHECK(row(4) == "0 x - -");
    CHECK(row(5) == "0 y N M");
}
