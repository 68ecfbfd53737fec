// Events that several regions handle with their programs: the order of the step, without selection.

#include <tests/support/two_regions.hpp>

#include <hsm/vm/detail/active.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {

struct boom : std::runtime_error {
    boom() : std::runtime_error("boom") {}
};

/// R{ P{ 1{a,b} 2{c,d} 3{e,f} }, B }. All states record their hooks.
struct three_regions : two_regions {
    hsm::fsm<recorder>& three = traced(p.add_fsm("3"));
    hsm::state<recorder>& e = traced(three.add("e"));
    hsm::state<recorder>& f = traced(three.add("f"));

    void all_move() {
        a.to(b).on<event<1>>().then(tracing("1"));
        c.to(d).on<event<1>>().then(tracing("2"));
        e.to(f).on<event<1>>().then(tracing("3"));
    }
};

/// Counts the events that are handled by selection instead of region programs.
struct by_programs : started {
    explicit by_programs(hsm::owned<hsm::fsm<recorder>> of, const hsm::compile_options& options = {}) : started(std::move(of), options) {
        static const auto counting = [] {
            auto calls = hsm::detail::host_calls::of_machines;
            calls.handle_by_selection = [](hsm::detail::machine& m, std::uint32_t column) {
                ++selected;
                return hsm::detail::host_calls::of_machines.handle_by_selection(m, column);
            };
            return calls;
        }();
        const_cast<hsm::detail::chart_core&>(chart.core()).host = &counting;
        selected = 0;
        noted = &r;
    }
    by_programs(const by_programs&) = delete;
    std::string fails() {
        CHECK_THROWS_AS(agent.process(event<1>{}), boom);
        return r.take();
    }
    static inline int selected = 0;
    static inline recorder* noted = nullptr; ///< guards must not change their context
};

auto asking(std::string what, bool answer) {
    return [what, answer](const recorder&) { return by_programs::noted->note(what), answer; };
}
auto throwing(std::string what) {
    return [what](recorder& r) { r.note(what), throw boom(); };
}

} // namespace

TEST_CASE("three regions react in one step: exits in reverse order, then actions, then entries") {
    three_regions t;
    t.all_move();
    by_programs m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
    CHECK(m.r.take() == "X e, X c, X a, 1, 2, 3, E b, E d, E f");
    CHECK(leaves_of(m.agent) == "b d f");
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
    CHECK(m.selected == 0);
}

TEST_CASE("all guards are called before any exit; a region whose guards refuse stays") {
    three_regions t;
    t.a.to(t.b).on<event<1>>().when(asking("1?", true));
    t.c.to(t.d).on<event<1>>().when(asking("2?", false));
    t.c.on<event<1>>().when(asking("2 again?", false)).then(tracing("2"));
    t.e.to(t.f).on<event<1>>().when(asking("3?", false));
    t.e.to(t.e).on<event<1>>().then(tracing("3"));
    by_programs m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "1?, 2?, 2 again?, 3?, X e, X a, 3, E b, E e");
    CHECK(leaves_of(m.agent) == "b c e");
    CHECK(m.process(event<1>{}) == "2?, 2 again?, 3?, X e, 3, E e");
    CHECK(m.selected == 0);
}

TEST_CASE("if all guards refuse, nothing changes, and the next event is handled") {
    three_regions t;
    t.a.to(t.b).on<event<1>>().when(asking("1?", false));
    t.c.to(t.d).on<event<1>>().when(asking("2?", false));
    by_programs m(std::move(t.root));
    for (int i = 0; i < 2; ++i) CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(m.r.take() == "1?, 2?, 1?, 2?");
    CHECK(m.selected == 0);
}

TEST_CASE("reactions of a step run between its exits and entries, or alone") {
    three_regions t;
    t.all_move();
    t.b.on<event<1>>().then(tracing("1 stays"));
    t.f.on<event<1>>().then(tracing("3 stays"));
    by_programs m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
    CHECK(m.r.take() == "1 stays, 3 stays");
    three_regions u;
    u.a.on<event<1>>().then(tracing("1 stays"));
    u.c.to(u.d).on<event<1>>().then(tracing("2"));
    u.e.on<event<1>>().then(tracing("3 stays"));
    by_programs n(std::move(u.root));
    CHECK(n.agent.process(event<1>{}) == hsm::result::taken);
    CHECK(n.r.take() == "X c, 1 stays, 2, 3 stays, E d");
    CHECK(m.selected == 0);
}

TEST_CASE("an entry choice is made when its region is entered") {
    three_regions t;
    auto& inner = traced(t.one.add_fsm("inner"));
    auto& left = traced(inner.add("left"));
    auto& right = traced(inner.add("right"));
    inner.dispatch(left).when(asking("left?", false));
    inner.dispatch(right).when(asking("right?", true));
    t.a.to(inner).on<event<1>>();
    t.c.to(t.d).on<event<1>>();
    t.e.to(t.f).on<event<1>>();
    by_programs m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X e, X c, X a, E inner, left?, right?, E right, E d, E f");
    CHECK(leaves_of(m.agent) == "right d f");
    CHECK(m.selected == 0);
}

TEST_CASE("histories are recorded before the exits of a step, and deferred events are recalled after it") {
    three_regions t;
    t.one.remembers();
    t.all_move();
    t.e.defer<event<2>>();
    t.f.on<event<2>>().then(tracing("recalled"));
    t.p.to(t.out).on<event<3>>();
    t.out.to(t.p).on<event<3>>();
    by_programs m(std::move(t.root));
    CHECK(m.agent.process(event<2>{}) == hsm::result::deferred);
    CHECK(m.process(event<1>{}) == "X e, X c, X a, 1, 2, 3, E b, E d, E f, recalled");
    CHECK(m.selected == 1); // a deferral
    m.process(event<3>{});
    m.process(event<3>{});
    CHECK(leaves_of(m.agent) == "b c e");
}

TEST_CASE("a guard that throws changes nothing") {
    three_regions t;
    t.all_move();
    t.f.to(t.e).on<event<1>>().when([](const recorder&) -> bool { throw boom(); });
    t.b.to(t.a).on<event<1>>();
    t.d.to(t.c).on<event<1>>();
    by_programs m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.fails().empty());
    CHECK(leaves_of(m.agent) == "b d f");
    CHECK(m.fails().empty());
}

TEST_CASE("if an exit, action or entry throws, the active states of the parallel exit") {
    const auto after = [](auto prepare) {
        three_regions t;
        prepare(t);
        by_programs m(std::move(t.root));
        auto trace = m.fails();
        CHECK(m.agent.current().name() == "R");
        CHECK(m.selected == 0);
        return trace;
    };
    CHECK(after([](three_regions& t) {
              t.all_move();
              t.c.on_exit(throwing("X!"));
          }) == "X e, X c, X!, X 3, X 2, X a, X 1, X P");
    CHECK(after([](three_regions& t) {
              t.a.to(t.b).on<event<1>>();
              t.c.to(t.d).on<event<1>>().then(throwing("!"));
              t.e.to(t.f).on<event<1>>().then(tracing("never"));
          }) == "X e, X c, X a, !, X 3, X 2, X 1, X P");
    CHECK(after([](three_regions& t) {
              t.all_move();
              t.d.on_enter(throwing("E!"));
          }) == "X e, X c, X a, 1, 2, 3, E b, E d, E!, X 3, X 2, X b, X 1, X P");
    CHECK(after([](three_regions& t) { // a reaction in a step with a transition of another region
              t.a.on<event<1>>().then(throwing("!"));
              t.c.to(t.d).on<event<1>>();
          }) == "X c, !, X e, X 3, X 2, X a, X 1, X P");
}

TEST_CASE("if a reaction throws in a step without exits, all regions stay") {
    three_regions t;
    t.a.on<event<1>>().then(tracing("1"));
    t.c.on<event<1>>().then(throwing("2"));
    by_programs m(std::move(t.root));
    CHECK(m.fails() == "1, 2");
    CHECK(leaves_of(m.agent) == "a c e");
}

TEST_CASE("regions of nested parallels react in one step; if it throws, the outer parallel exits") {
    const auto make = [](bool fails) {
        three_regions t;
        auto& inner = traced(t.three.add_parallel("Q"));
        auto& four = traced(inner.add_fsm("4"));
        auto& g = traced(four.add("g"));
        auto& h = four.add("h");
        traced(inner.add("5"));
        if (fails)
            h.on_enter(throwing("E!"));
        else
            traced(h);
        t.three.initial(inner);
        t.a.to(t.b).on<event<1>>();
        g.to(h).on<event<1>>();
        return by_programs(std::move(t.root));
    };
    auto m = make(false);
    CHECK(m.process(event<1>{}) == "X g, X a, E b, E h");
    CHECK(leaves_of(m.agent) == "b c h 5");
    CHECK(m.selected == 0);
    auto n = make(true);
    CHECK(n.fails() == "X g, X a, E b, E!, X 5, X 4, X Q, X 3, X c, X 2, X b, X 1, X P");
    CHECK(n.agent.current().name() == "R");
}

TEST_CASE("transitions outside the regions, or out of a region, are selected without programs") {
    three_regions t;
    t.all_move();
    t.c.to(t.out).on<event<2>>();
    t.a.to(t.b).on<event<2>>();
    t.p.on<event<3>>().then(tracing("P"));
    t.a.on<event<3>>().then(tracing("a"));
    by_programs m(std::move(t.root));
    CHECK(m.process(event<3>{}) == "P");
    CHECK(m.selected == 1);
    CHECK(m.process(event<2>{}) == "X e, X 3, X c, X 2, X a, X 1, X P, E B");
    CHECK(m.selected == 2);
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
}

TEST_CASE("hooks of a step see the exits and entries so far") {
    const by_programs* seen = nullptr;
    const auto look = [&seen](recorder& r) { r.note(leaves_of(seen->agent)); };
    three_regions t;
    t.a.on_exit(look);
    t.a.to(t.b).on<event<1>>().then(look);
    t.b.on_enter(look);
    t.c.to(t.d).on<event<1>>();
    t.d.on_enter(look);
    t.e.to(t.f).on<event<1>>();
    by_programs m(std::move(t.root));
    seen = &m;
    CHECK(m.process(event<1>{}) == "X e, X c, X a, a 2 3, 1 2 3, E b, b 2 3, E d, b d 3, E f");
}

TEST_CASE("in a step of many regions, each region runs in every phase") {
    auto root = root_of();
    auto& p = root->add_parallel("P");
    std::string exits, actions, entries;
    for (int i = 0; i < 40; ++i) {
        const auto name = std::to_string(i);
        auto& region = p.add_fsm("r" + name);
        auto& from = traced(region.add("a" + name));
        auto& to = traced(region.add("b" + name));
        from.to(to).on<event<1>>().then(tracing(name));
        exits = "X a" + name + ", " + exits;
        actions += name + ", ";
        entries += (i > 0 ? ", E b" : "E b") + name;
    }
    by_programs m(std::move(root));
    CHECK(m.process(event<1>{}) == exits + actions + entries);
    CHECK(m.selected == 0);
}
