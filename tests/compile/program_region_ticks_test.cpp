// Ticks of regions: which charts have programs for them, which transitions the driver runs, and that both do the same.

#include <tests/support/two_regions.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

constexpr hsm::compile_options no_programs{.program_memory = 0};

bool has_ticks(hsm::owned<hsm::fsm<recorder>> root, const hsm::compile_options& options = {}) {
    return hsm::compile(std::move(root), options).core().ticks_by_region;
}

/// Two ticks before the guard agrees and two after, of the same definition, with programs or without.
template <class Define> std::string played(Define define, const hsm::compile_options& options) {
    two_regions t;
    define(t);
    started m(std::move(t.root), options);
    std::string trace;
    for (const bool go : {false, false, true, true}) {
        m.r.go = go;
        trace += m.tick() + " | ";
    }
    return trace;
}
template <class Define> std::string played(Define define) {
    const auto trace = played(define, {});
    CHECK(trace == played(define, no_programs));
    return trace;
}

} // namespace

TEST_CASE("a superstate_first chart has tick programs for region leaves if they fit in program_memory, also without events") {
    CHECK(has_ticks(std::move(two_regions().root)));
    CHECK(has_ticks(std::move(two_regions().root), {.program_memory = 100'000}));
    CHECK_FALSE(has_ticks(std::move(two_regions().root), {.program_memory = 500}));
    CHECK_FALSE(has_ticks(std::move(two_regions().root), no_programs));
    CHECK_FALSE(has_ticks(std::move(two_regions().root), {.order = hsm::decision_order::substate_first}));
    CHECK_FALSE(hsm::compile(std::move(two_regions().root)).core().rows.empty()); // else each call would take the long way
}

TEST_CASE("event programs remain if tick programs do not fit") {
    const auto define = [] {
        two_regions t;
        t.a.to(t.b).on<event<1>>();
        for (int i = 0; i < 40; ++i) t.c.on_update([](recorder&) {});
        return std::move(t.root);
    };
    std::size_t events_only = 0;
    for (std::size_t memory = 0; memory < 20'000; memory += 200) {
        const auto chart = hsm::compile(define(), {.program_memory = memory});
        events_only += !chart.core().rows.empty() && !chart.core().ticks_by_region;
        started m(define(), {.program_memory = memory});
        CHECK(m.process(event<1>{}) == "X a, E b");
        CHECK(m.tick() == "U P, U 1, U b, U 2, U c");
    }
    CHECK(events_only > 0);
}

TEST_CASE("a region updates its new leaf before the next region") {
    CHECK(played([](two_regions& t) {
              t.a.to(t.b).when(&recorder::go);
              t.b.to(t.a).when(&recorder::go);
              t.c.to(t.d).when(&recorder::go);
          }) == "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | U P, U 1, X a, E b, U b, U 2, X c, E d, U d | "
                "U P, U 1, X b, E a, U a, U 2, U d | ");
}

TEST_CASE("the driver runs transitions into another region or out of the parallel") {
    CHECK(played([](two_regions& t) { t.a.to(t.d).when(&recorder::go); }) ==
          "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | "
          "X c, X 2, X a, X 1, X P, E P, E 1, E a, E 2, E d, U P, U 1, U a, U 2, U d | "
          "X d, X 2, X a, X 1, X P, E P, E 1, E a, E 2, E d, U P, U 1, U a, U 2, U d | ");
    CHECK(played([](two_regions& t) {
              t.d.to(t.out).when(&recorder::go);
              t.c.to(t.d).when(&recorder::go);
          }) == "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, X c, E d, U d | "
                "X d, X 2, X a, X 1, X P, E B, U B | ");
}

TEST_CASE("the work of a region, with all that follows from it, precedes the later regions") {
    CHECK(played([](two_regions& t) {
              t.a.on_update([](recorder& r, hsm::step<recorder>& s) {
                  if (r.go) s.process(event<1>{});
              });
              t.d.to(t.c).on<event<1>>();
              t.c.to(t.d).on<event<1>>();
          }) == "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | U P, U 1, U a, X c, E d, U 2, U d | "
                "U P, U 1, U a, X d, E c, U 2, U c | ");
    CHECK(played([](two_regions& t) { t.a.on_update([&d = t.b](recorder& r) { return r.go ? hsm::successor(d) : hsm::successor(); }); }) ==
          "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | U P, U 1, U a, X a, E b, U 2, U c | U P, U 1, U b, U 2, U c | ");
}

TEST_CASE("regions inside a region are updated before the next outer region") {
    const auto define = [](two_regions& t) {
        auto& inner = traced(t.one.add_parallel("Q"));
        auto& three = traced(inner.add_fsm("3"));
        auto& e = traced(three.add("e"));
        auto& f = traced(three.add("f"));
        auto& four = traced(inner.add_fsm("4"));
        traced(four.add("g"));
        t.one.initial(inner);
        e.to(f).when(&recorder::go);
        f.to(t.b).when(&recorder::go);
    };
    CHECK(played(define) == "U P, U 1, U Q, U 3, U e, U 4, U g, U 2, U c | U P, U 1, U Q, U 3, U e, U 4, U g, U 2, U c | "
                            "U P, U 1, U Q, U 3, X e, E f, U f, U 4, U g, U 2, U c | "
                            "U P, U 1, X g, X 4, X f, X 3, X Q, E b, U b, U 2, U c | ");
}

TEST_CASE("the substates of a state that was entered in this tick are updated, whatever follows from its update") {
    struct nested {
        hsm::fsm<recorder>& n;
        hsm::state<recorder>&x, &y;
    };
    const auto define = [](two_regions& t) -> nested {
        auto& n = traced(t.one.add_fsm("n"));
        auto& x = traced(n.add("x"));
        auto& y = traced(n.add("y"));
        t.a.to(n).when(&recorder::go);
        t.d.to(t.c).on<event<1>>();
        t.c.to(t.d).on<event<1>>();
        return {n, x, y};
    };
    const std::string before = "U P, U 1, U a, U 2, U c | U P, U 1, U a, U 2, U c | ";
    CHECK(played([&](two_regions& t) {
              define(t).n.on_update([](recorder& r, hsm::step<recorder>& s) {
                  if (r.go) s.process(event<1>{});
              });
          }) == before + "U P, U 1, X a, E n, E x, U n, X c, E d, U x, U 2, U d | U P, U 1, U n, X d, E c, U x, U 2, U c | ");
    CHECK(played([&](two_regions& t) { // a second decision inside
              const auto in = define(t);
              in.x.to(in.y).when(&recorder::go);
          }) == before + "U P, U 1, X a, E n, E x, U n, X x, E y, U y, U 2, U c | U P, U 1, U n, U y, U 2, U c | ");
    CHECK(played([&](two_regions& t) { // and one with work
              const auto in = define(t);
              in.x.to(in.y).when(&recorder::go).then([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
          }) == before + "U P, U 1, X a, E n, E x, U n, X x, E y, X c, E d, U y, U 2, U d | U P, U 1, U n, U y, U 2, U d | ");
}

TEST_CASE("an exception in a region's tick keeps the earlier work, and the next tick starts from the root") {
    two_regions t;
    t.c.on_update([](recorder& r) {
        if (r.go) throw 1;
    });
    t.a.to(t.b).when(&recorder::go);
    started m(std::move(t.root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.tick(), int);
    CHECK(m.r.take() == "U P, U 1, X a, E b, U b, U 2, U c");
    m.r.go = false;
    CHECK(m.tick() == "U P, U 1, U b, U 2, U c");
}
