// Ticks with regions: the parallel's own update, then each region completely; which transitions are polled, when, and in which order.

#include <tests/support/two_regions.hpp>

#include <hsm/chart/detail/chart_core.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;
using namespace std::chrono_literals;

namespace {
struct counted {
    int ticks = 0;
};
} // namespace

TEST_CASE("updates and decisions run for the parallel, then region by region") {
    two_regions t;
    t.a.to(t.b).when(&recorder::go);
    t.c.to(t.d).when(&recorder::go);
    SUBCASE("superstate_first: each region decides in its turn") {
        started m(std::move(t.root));
        CHECK(m.tick() == "U P, U 1, U a, U 2, U c");
        m.r.go = true;
        CHECK(m.tick() == "U P, U 1, X a, E b, U b, U 2, X c, E d, U d");
    }
    SUBCASE("substate_first: one step of all regions, then the updates") {
        started m(std::move(t.root), substates_first);
        m.r.go = true;
        CHECK(m.tick() == "X c, X a, E b, E d, U P, U 1, U b, U 2, U d");
    }
}

TEST_CASE("each region decides once per level; all regions share one decision at the level around the parallel") {
    two_regions t;
    auto& other = traced(t.root->add("C"));
    t.c.to(other).when(&recorder::go).priority(1);
    t.a.to(t.out).when(&recorder::go);
    SUBCASE("sources of the same depth are tried by priority") {
        started m(std::move(t.root));
        m.r.go = true;
        CHECK(m.tick() == "X c, X 2, X a, X 1, X P, E C, U C");
    }
    SUBCASE("the outer source comes first") {
        t.one.to(t.out).when(&recorder::go);
        started m(std::move(t.root));
        m.r.go = true;
        CHECK(m.tick() == "X c, X 2, X a, X 1, X P, E B, U B");
    }
    SUBCASE("substate_first: of conflicting transitions, that of the earlier region wins") {
        started m(std::move(t.root), substates_first);
        m.r.go = true;
        CHECK(m.tick() == "X c, X 2, X a, X 1, X P, E B, U B");
    }
}

TEST_CASE("a region's step that exits the parallel ends the tick of the later regions") {
    two_regions t;
    t.a.on_update([](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.change_to("B");
    });
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U a, X c, X 2, X a, X 1, X P, E B");
}

TEST_CASE("a parallel that is entered again in its own tick is not updated again") {
    two_regions t;
    t.one.on_update([](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.process(event<1>{});
    });
    t.p.to(t.p).on<event<1>>();
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, X c, X 2, X a, X 1, X P, E P, E 1, E a, E 2, E c");
}

TEST_CASE("an event from a region's update is handled before the later regions are updated") {
    two_regions t;
    t.a.on_update([](recorder& r, hsm::step<recorder>& s) {
        if (r.go) s.process(event<1>{});
    });
    t.c.to(t.d).on<event<1>>();
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U a, X c, E d, U 2, U d");
}

TEST_CASE("the successor that an update returns is a transition of its own region") {
    two_regions t;
    t.c.on_update([&d = t.d](recorder& r) { return r.go ? hsm::successor(d) : hsm::successor(); });
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U a, U 2, U c, X c, E d");
}

TEST_CASE("update and decide are the two halves of a tick") {
    two_regions t;
    t.a.to(t.b).when(&recorder::go);
    t.c.to(t.d).when(&recorder::go);
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.update() == "U P, U 1, U a, U 2, U c");
    CHECK(m.decide() == "X a, E b, X c, E d");
}

TEST_CASE("a region at rest tries its entry choice in each tick, whatever the other regions do") {
    two_regions t;
    t.one.dispatch(t.a).when(&recorder::go);
    t.c.to(t.d).when(&recorder::go);
    t.d.to(t.c).when(&recorder::go);
    SUBCASE("superstate_first") {
        started m(std::move(t.root));
        CHECK(m.tick() == "U P, U 1, U 2, U c");
        m.r.go = true;
        CHECK(m.tick() == "U P, U 1, E a, U a, U 2, X c, E d, U d");
    }
    SUBCASE("substate_first: after the step of the others") {
        started m(std::move(t.root), substates_first);
        m.r.go = true;
        CHECK(m.tick() == "X c, E d, E a, U P, U 1, U a, U 2, U d");
    }
    SUBCASE("substate_first: not if its own path fired") {
        t.p.to(t.p).when(&recorder::ready);
        started m(std::move(t.root), substates_first);
        m.r.ready = true;
        CHECK(m.tick() == "X c, X 2, X 1, X P, E P, E 1, E 2, E c, U P, U 1, U 2, U c");
    }
}

TEST_CASE("a transition into a region is satisfied while its target is active") {
    two_regions t;
    t.two.to(t.d).when(&recorder::go).priority(2);
    t.two.to(t.c).priority(1);
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "U P, U 1, U a, U 2, X c, E d, U d");
    CHECK(m.tick() == "U P, U 1, U a, U 2, U d");
    m.r.go = false;
    CHECK(m.tick() == "U P, U 1, U a, U 2, X d, E c, U c");
}

TEST_CASE("after each step, always-transitions fire one at a time, or with the substate first those of all regions in one step") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        two_regions t;
        t.a.to(t.b).always().when(&recorder::go);
        t.c.to(t.d).always().when(&recorder::go);
        t.p.on<event<1>>().then([](recorder& r) { r.go = true; });
        started m(std::move(t.root), {.order = order});
        const bool outer_first = order == hsm::decision_order::superstate_first;
        CHECK(m.process(event<1>{}) == (outer_first ? "X a, E b, X c, E d" : "X c, X a, E b, E d"));
    }
}

TEST_CASE("always-transitions that a region's step enables in another region follow the step") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).always().in(t.b);
    t.d.to(t.out).always().in(t.b).when(&recorder::go);
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X a, E b, X c, E d");
    m.r.go = true;
    CHECK(m.tick() == "X d, X 2, X b, X 1, X P, E B, U B");
}

TEST_CASE("transient states of several regions fire in one step; one whose guard refuses stays active") {
    const auto define = [] {
        two_regions t;
        auto& x = traced(t.one.add("x")).transient();
        auto& y = traced(t.two.add("y")).transient();
        t.a.to(x).on<event<1>>();
        t.c.to(y).on<event<1>>();
        x.to(t.b);
        y.to(t.d).when(&recorder::go);
        return std::move(t.root);
    };
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        started m(define(), {.order = order});
        SUBCASE("one refuses") {
            CHECK(m.process(event<1>{}) == "X c, X a, E x, E y, X x, E b");
            CHECK(leaves_of(m.agent) == "b y");
            m.r.go = true;
            CHECK(m.agent.decide() == hsm::result::taken);
            CHECK(m.r.take() == "X y, E d");
        }
        SUBCASE("both fire") {
            m.r.go = true;
            CHECK(m.process(event<1>{}) == "X c, X a, E x, E y, X y, X x, E b, E d");
        }
    }
}

TEST_CASE("each region can have a choice") {
    two_regions t;
    auto& one = t.one.add_choice("either");
    one.to(t.b).when(&recorder::go).then(tracing("go"));
    one.otherwise(t.a).then(tracing("stay"));
    auto& two = t.two.add_choice("or");
    two.otherwise(t.d).then(tracing("on"));
    t.a.to(one).on<event<1>>();
    t.c.to(two).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X a, stay, on, E a, E d");
}

TEST_CASE("timers run for each region's states from their own entry") {
    two_regions t;
    t.a.to(t.b).after(300ms);
    t.c.to(t.d).after(500ms);
    t.d.to(t.c).after(100ms);
    t.p.every(250ms).then(tracing("every"));
    started m(std::move(t.root));
    CHECK(m.tick(250ms) == "U P, every, U 1, U a, U 2, U c");
    CHECK(m.tick(50ms) == "U P, U 1, X a, E b, U b, U 2, U c");
    CHECK(m.tick(200ms) == "U P, every, U 1, U b, U 2, X c, E d, U d");
    CHECK(m.tick(100ms) == "U P, U 1, U b, U 2, X d, E c, U c");
    CHECK(m.agent.time_in_state("R/P") == hsm::time_span(600ms));
    CHECK(m.agent.time_in_state("R/P/1/b") == hsm::time_span(300ms));
    CHECK(m.agent.time_in_state("R/P/2/c") == hsm::time_span());
}

TEST_CASE("each region has its own locals, also of the same type; the innermost one is found first") {
    auto root = root_of();
    auto& p = root->add_parallel("P").local<counted>(100);
    const auto count = [](recorder& r, counted& n) { r.note(std::to_string(++n.ticks)); };
    auto& one = p.add_fsm("1").local<counted>(10);
    auto& a = one.add("a");
    a.on_update(count);
    auto& two = p.add_fsm("2").local<counted>(20);
    auto& c = two.add("c").local<counted>(30);
    c.on_update(count);
    auto& d = two.add("d");
    d.on_update(count);
    p.add("3").on_update(count);
    c.to(d).on<event<1>>();
    started m(std::move(root));
    CHECK(m.tick() == "11, 31, 101");
    CHECK(m.tick() == "12, 32, 102");
    m.process(event<1>{});
    CHECK(m.tick() == "13, 21, 103");
    CHECK(m.agent.local<counted>()->ticks == 103); // from the innermost state that all regions share
}

TEST_CASE("locals of all regions are destroyed once") {
    static int alive;
    struct living {
        living() { ++alive; }
        living(const living&) { ++alive; }
        ~living() { --alive; }
    };
    alive = 0;
    {
        two_regions t;
        t.one.local<living>();
        t.a.local<living>();
        t.c.local<living>();
        t.a.to(t.out).on<event<1>>();
        t.out.to(t.p).on<event<2>>();
        const auto chart = hsm::compile(std::move(t.root));
        const int prototypes = alive;
        recorder r;
        {
            hsm::instance agent{chart, r};
            agent.start();
            CHECK(alive == prototypes + 3);
            agent.process(event<1>{});
            CHECK(alive == prototypes);
            agent.process(event<2>{});
            CHECK(alive == prototypes + 3);
        }
        CHECK(alive == prototypes);
    }
    CHECK(alive == 0);
}

TEST_CASE("an event is handled in the states that the tick before it entered, also if two regions share programs") {
    two_regions t;
    t.a.to(t.b).when([](const recorder& r) { return r.go; });
    t.a.on<event<1>>().then(tracing("1 in a"));
    t.b.on<event<1>>().then(tracing("1 in b"));
    t.c.on<event<1>>().then(tracing("1 in c"));
    started m(std::move(t.root));
    REQUIRE(m.chart.core().ticks_by_region);
    REQUIRE_FALSE(m.chart.core().group_ops.empty());
    CHECK(m.process(event<1>{}) == "1 in a, 1 in c");
    m.tick();
    m.r.go = true;
    m.tick();
    CHECK(leaves_of(m.agent) == "b c");
    CHECK(m.process(event<1>{}) == "1 in b, 1 in c");
}
