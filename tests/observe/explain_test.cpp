// Explanations: every obstacle with its text.

#include <hsm/observe/explain.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <tests/observe/explained.hpp>
#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <variant>

using namespace test;

namespace brawl {
struct hit {
    int power = 0;
};
struct rest {};
enum class order { go, halt };
} // namespace brawl

namespace {

using brawl::hit;

bool goes(const recorder& r) { return r.go; }
bool is_ready(const recorder& r) { return r.ready; }

template <class... Asked> std::string explained(const started& m, const Asked&... asked) {
    return without_places(to_string(hsm::explain(m.agent, asked...)));
}

constexpr hsm::explain_options all{.all_guards = true};

} // namespace

// --- events ---

TEST_CASE("an explained event lists the transition that fires, and the later ones that it precedes") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().when(&recorder::go);
    a.to(b).on<hit>();
    a.on<hit>().when(&recorder::ready);
    const started m(std::move(root));
    CHECK(explained(m, hit{}) == "on brawl::hit: taken\n"
                                 "  R/A -> R/B on brawl::hit: its guard 1 returns false\n"
                                 "  R/A -> R/B on brawl::hit: taken\n"
                                 "  R/A on brawl::hit: R/A -> R/B on brawl::hit goes first; 1 guard not evaluated\n");
    CHECK(explained(m, hit{}, all) == "on brawl::hit: taken\n"
                                      "  R/A -> R/B on brawl::hit: its guard 1 returns false\n"
                                      "  R/A -> R/B on brawl::hit: taken\n"
                                      "  R/A on brawl::hit: its guard 1 returns false; R/A -> R/B on brawl::hit goes first\n");
}

TEST_CASE("an explained event lists the transitions on any_event after all others, also for an event that the chart does not know") {
    auto root = root_of();
    root->on(hsm::any_event);
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on(hsm::any_event);
    a.on<hit>().when(&recorder::go);
    started m(std::move(root));
    const std::string held = "  R/A -> R/B on any_event: R/A holds until it is released\n";
    CHECK(explained(m, hit{}) == "on brawl::hit: internal\n  R/A on brawl::hit: its guard 1 returns false\n" + held + "  R on any_event: taken\n");
    CHECK(explained(m, brawl::rest{}).find(held + "  R on any_event: taken\n") != std::string::npos);
    m.r.go = true;
    CHECK(explained(m, hit{}).find("R on any_event: R/A on brawl::hit goes first") != std::string::npos);
}

TEST_CASE("an explanation contains the numbers of the transition, the guard and the preceding transition") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).on<hit>().when(&goes).when(&is_ready);
    started m(std::move(root));
    const auto e = hsm::explain(m.agent, hit{});
    CHECK(e.outcome == hsm::result::guarded);
    CHECK(!e);
    REQUIRE(e.candidates.size() == 1);
    CHECK(e.candidates[0].transition == 0);
    CHECK(e.candidates[0].unasked == 1);
    CHECK(e.candidates[0].obstacles == std::vector<hsm::obstacle>{{.kind = hsm::obstacle_kind::guard, .guard = 0}});
    CHECK(hsm::explain(m.agent, hit{}, all).candidates[0].obstacles ==
          std::vector<hsm::obstacle>{{.kind = hsm::obstacle_kind::guard, .guard = 0}, {.kind = hsm::obstacle_kind::guard, .guard = 1}});
    m.r.go = m.r.ready = true;
    CHECK(hsm::explain(m.agent, hit{}).candidates[0].taken());
}

TEST_CASE("a guard that takes the event is called with the passed event") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).on<hit>().when([](const recorder&, const hit& h) { return h.power > 3; });
    const started m(std::move(root));
    CHECK(!hsm::explain(m.agent, hit{3}));
    CHECK(hsm::explain(m.agent, hit{4}));
    CHECK(hsm::explain(m.agent, std::variant<hit, brawl::rest>(hit{4})));
    CHECK(hsm::explain(m.agent, std::variant<hit, brawl::rest>(brawl::rest{})).outcome == hsm::result::unhandled);
}

TEST_CASE("explain reports an unknown event, an event without an active transition, and an inactive machine") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    b.on("jump").then([](recorder&) {});
    a.to(b).on_finished();
    started m(std::move(root));
    CHECK(explained(m, "jmp") == "unhandled: no transition waits for this event: did you mean \"jump\"?\n");
    CHECK(explained(m, hit{}) == "unhandled: no transition waits for this event\n");
    CHECK(explained(m, "jump") == "on jump: unhandled\n");
    m.agent.finish("A"); // pending work comes before any event
    CHECK(explained(m, "jmp") == "unhandled: no transition waits for this event: did you mean \"jump\"?\n  finished: R/A, comes first\n");
    m.agent.stop();
    CHECK(explained(m, "jump") == "on jump: inactive\n");
    CHECK(explained(m) == "in a tick: inactive\n");
}

TEST_CASE("explain lists the unmet conditions with their required values, and all alternatives of an OR group") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().when("IsRun").when("!IsDead");
    a.to(b).on<hit>().when(hsm::any("IsRun", "!IsDead"));
    a.to(b).on<hit>().when(hsm::is_over);
    started m(std::move(root));
    m.agent.set("IsDead");
    CHECK(explained(m, hit{}) == "on brawl::hit: guarded\n"
                                 "  R/A -> R/B on brawl::hit: IsRun is not set; IsDead is set\n"
                                 "  R/A -> R/B on brawl::hit: IsRun is not set and IsDead is set\n"
                                 "  R/A -> R/B on brawl::hit: its leaf is not finished\n");
}

TEST_CASE("explain lists required states that are not active, and excluded states that are active") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& right = both.add_fsm("M");
    auto& a = left.add("A");
    auto& x = right.add("X");
    auto& y = right.add("Y");
    a.to(left.add("B")).on<hit>().in(y).unless_in(x);
    x.to(y).on("never").when(&goes);
    const started m(std::move(root));
    CHECK(explained(m, hit{}) == "on brawl::hit: guarded\n  R/P/L/A -> R/P/L/B on brawl::hit: R/P/M/Y is not active; R/P/M/X is active\n");
}

TEST_CASE("explain reports times that are not due, and used up timers") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().after(std::chrono::milliseconds(200));
    a.to(b).after(std::chrono::milliseconds(500)).when(&recorder::go);
    root->to(a).after(std::chrono::milliseconds(100)).reenter();
    started m(std::move(root));
    m.agent.tick(std::chrono::milliseconds(80));
    CHECK(explained(m, hit{}) == "on brawl::hit: guarded\n  R/A -> R/B on brawl::hit: due in 120 ms\n");
    CHECK(explained(m) == "in a tick: unhandled\n"
                          "  R -> R/A after: due in 20 ms\n"
                          "  R/A -> R/B after: due in 420 ms; 1 guard not evaluated\n");
    m.agent.tick(std::chrono::milliseconds(100));
    CHECK(explained(m).starts_with("in a tick: unhandled\n  R -> R/A after: it has already fired since R was entered, or its timer was canceled\n"));
}

TEST_CASE("explain reports holds: until released, by a predicate, for a time") {
    auto root = root_of();
    auto& m1 = root->add_fsm("A").hold();
    auto& inner = m1.add("inner").hold_until(&goes).min_duration(std::chrono::seconds(2));
    (void)inner;
    m1.to(root->add("B")).on<hit>();
    started m(std::move(root));
    CHECK(explained(m, hit{}) == "on brawl::hit: held\n  R/A -> R/B on brawl::hit: R/A/inner holds for 2 s\n");
    CHECK(explained(m, hit{}, all) == "on brawl::hit: held\n"
                                      "  R/A -> R/B on brawl::hit: R/A/inner holds for 2 s; R/A/inner holds until its predicate 1 returns true; "
                                      "R/A holds until it is released\n");
    m.agent.tick(std::chrono::milliseconds(1500));
    CHECK(explained(m, hit{}) == "on brawl::hit: held\n  R/A -> R/B on brawl::hit: R/A/inner holds for 500 ms\n");
    m.agent.tick(std::chrono::milliseconds(500));
    CHECK(explained(m, hit{}) == "on brawl::hit: held\n  R/A -> R/B on brawl::hit: R/A/inner holds until its predicate 1 returns true\n");
    m.r.go = true;
    CHECK(explained(m, hit{}) == "on brawl::hit: held\n  R/A -> R/B on brawl::hit: R/A holds until it is released\n");
    m.agent.release("A");
    CHECK(explained(m, hit{}) == "on brawl::hit: taken\n  R/A -> R/B on brawl::hit: taken\n");
}

TEST_CASE("explain reports pending events, their reasons and the blocked transitions; a released event fires first or is dropped") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on<hit>().priority(2).when([](const recorder& r, const hit& h) { return !r.go || h.power > 0; });
    a.to(b).on("leave").priority(1);
    started m(std::move(root));
    m.agent.process(hit{});
    CHECK(explained(m, "leave") ==
          "on leave: refused\n"
          "  pending: R/A -> R/B on brawl::hit: R/A holds until it is released\n"
          "  R/A -> R/B on leave: R/A holds until it is released; R/A -> R/B on brawl::hit is already waiting, and has priority\n");
    m.agent.release();
    CHECK(explained(m) == "in a tick: unhandled\n  pending: R/A -> R/B on brawl::hit, comes first\n");
    m.r.go = true;
    CHECK(explained(m) == "in a tick: unhandled\n  pending: R/A -> R/B on brawl::hit, comes first and is dropped: its guard 1 returns false\n");
    CHECK(hsm::explain(m.agent).something_comes_first());
}

TEST_CASE("explain reports a pending request") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on<hit>().priority(-1);
    started m(std::move(root));
    m.agent.change_to("B");
    CHECK(explained(m, hit{}) == "on brawl::hit: refused\n"
                                 "  pending: a request for R/B: R/A holds until it is released\n"
                                 "  R/A -> R/B on brawl::hit: R/A holds until it is released; a request is already waiting, and has priority\n");
}

TEST_CASE("a deferral comes last; with substate_first it precedes transitions of the superstates") {
    const auto defined = [] {
        auto root = root_of();
        auto& outer = root->add_fsm("O");
        auto& a = outer.add("A");
        outer.to(root->add("B")).on<hit>();
        a.defer<hit>();
        return root;
    };
    started outwards(defined(), substates_first);
    CHECK(explained(outwards, hit{}) == "on brawl::hit: deferred\n"
                                        "  R/O/A keeps brawl::hit: taken\n"
                                        "  R/O -> R/B on brawl::hit: R/O/A keeps brawl::hit goes first\n");
    outwards.agent.process(hit{});
    CHECK(explained(outwards) == "in a tick: unhandled\n  deferred: brawl::hit\n");
    const started inwards(defined());
    CHECK(explained(inwards, hit{}) == "on brawl::hit: taken\n"
                                       "  R/O -> R/B on brawl::hit: taken\n"
                                       "  R/O/A keeps brawl::hit: R/O -> R/B on brawl::hit goes first\n");
}

namespace {

/// Two regions, one of which has a transition that leaves the parallel.
template <class Right> started two_regions(Right right, const hsm::compile_options& options = {}) {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& l = left.add("A");
    l.to(left.add("B")).on<hit>();
    auto& r = both.add("M");
    right(r, root->add("out"));
    return started(std::move(root), options);
}

} // namespace

TEST_CASE("explain reports a transition that loses a conflict with another region") {
    const auto m = two_regions([](auto& r, auto& out) { r.to(out).template on<hit>(); });
    CHECK(explained(m, hit{}) ==
          "on brawl::hit: taken\n"
          "  R/P/L/A -> R/P/L/B on brawl::hit: R/P/M -> R/out on brawl::hit of another region exits the same states, and goes first\n"
          "  R/P/M -> R/out on brawl::hit: taken\n");
    const auto outwards = two_regions([](auto& r, auto& out) { r.to(out).template on<hit>(); }, substates_first);
    CHECK(explained(outwards, hit{}) ==
          "on brawl::hit: taken\n"
          "  R/P/L/A -> R/P/L/B on brawl::hit: taken\n"
          "  R/P/M -> R/out on brawl::hit: R/P/L/A -> R/P/L/B on brawl::hit of another region exits the same states, and goes first\n");
}

TEST_CASE("a deferral in a region precedes a transition of a superstate of several regions") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    both.add("L").defer<hit>();
    both.add("M");
    both.to(root->add("out")).on<hit>();
    const started m(std::move(root), substates_first);
    CHECK(explained(m, hit{}) == "on brawl::hit: deferred\n"
                                 "  R/P/L keeps brawl::hit: taken\n"
                                 "  R/P -> R/out on brawl::hit: R/P/L keeps brawl::hit for later\n");
}

TEST_CASE("a guard without a label is named by its source line") {
    auto root = root_of();
    root->add("A").to(root->add("B")).when(goes);
    const auto line = std::to_string(__LINE__ - 1);
    started m(std::move(root));
    CHECK(to_string(hsm::explain(m.agent)) == "in a tick: unhandled\n  R/A -> R/B: its guard 1 (explain_test.cpp:" + line + ") returns false\n");
}

TEST_CASE("explain prints labels of guards, and names of enumerators") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).on(brawl::order::go).when(&goes);
    a.transitions()[0]->guards[0].set_name("is free");
    const started m(std::move(root));
    CHECK(explained(m, brawl::order::go) ==
          "on go of brawl::order: guarded\n  R/A -> R/B on go of brawl::order: its guard \"is free\" returns false\n");
    CHECK(explained(m, brawl::order::halt) == "unhandled: no transition waits for this event\n");
}

// --- ticks ---

TEST_CASE("explain_tick lists each level, with reactions of a state before the decisions of its level") {
    auto root = root_of();
    auto& o = root->add_fsm("O");
    auto& a = o.add("A");
    auto& b = o.add("B");
    a.to(b).when(&recorder::go);
    a.when(&recorder::ready).then([](recorder&) {});
    o.when(&recorder::ready).then([](recorder&) {});
    o.to(root->add("C"));
    started m(std::move(root));
    CHECK(explained(m) == "in a tick: taken\n"
                          "  R/O -> R/C: taken\n"
                          "  R/O: R/O -> R/C goes first; 1 guard not evaluated\n"
                          "  R/O/A -> R/O/B: R/O -> R/C goes first; 1 guard not evaluated\n"
                          "  R/O/A: R/O -> R/C goes first; 1 guard not evaluated\n");
}

TEST_CASE("explain reports a satisfied any-state transition, and the later ones of its source that it blocks") {
    auto root = root_of();
    auto& dead = root->add("dead");
    root->to(dead).when(&recorder::go);
    root->to(root->add("other")).when(&recorder::go);
    started m(std::move(root));
    m.r.go = true;
    CHECK(explained(m) == "in a tick: unhandled\n"
                          "  R -> R/dead: its target is already active\n"
                          "  R -> R/other: R -> R/dead comes first, and the target of that transition is already active; 1 guard not evaluated\n");
}

TEST_CASE("explain reports completions of unfinished states, periods that are not due, and held polled transitions") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on_finished();
    a.to(b).when(&recorder::go);
    a.to(b).when(&recorder::go);
    a.every(std::chrono::milliseconds(50)).then([](recorder&) {});
    a.on("ping").then([](recorder&) {});
    started m(std::move(root));
    m.r.go = true;
    CHECK(explained(m) == "in a tick: unhandled\n"
                          "  R/A -> R/B when finished: R/A is not finished\n"
                          "  R/A -> R/B: R/A holds until it is released\n"
                          "  R/A -> R/B: R/A -> R/B is already waiting, and comes first; 1 guard not evaluated\n"
                          "  R/A every: due in 50 ms\n");
    m.agent.decide();
    CHECK(explained(m, "ping") == "on ping: internal\n  waits: R/A -> R/B: R/A holds until it is released\n  R/A on ping: taken\n");
    m.agent.finish();
    CHECK(explained(m).starts_with("in a tick: unhandled\n  finished: R/A, comes first\n"));
}

TEST_CASE("explain reports the entry choice of a machine at rest, and events that are queued before a tick") {
    auto root = root_of();
    auto& o = root->add_fsm("O");
    o.dispatch(o.add("A")).when(&recorder::go);
    o.dispatch(o.add("B")).when(&recorder::ready);
    o.to(root->add("C")).on("leave");
    started m(std::move(root));
    m.r.ready = true;
    m.agent.post("leave");
    CHECK(explained(m) == "in a tick: taken\n"
                          "  queued: 1 event, comes first\n"
                          "  at rest: R/O\n"
                          "  R/O -> R/O/A: its guard 1 returns false\n"
                          "  R/O -> R/O/B: taken\n");
}

TEST_CASE("explain reports that a machine at rest without entry choices enters its first substate") {
    for (const auto& options : {hsm::compile_options(), substates_first}) {
        auto root = root_of();
        root->add("A");
        auto& o = root->add_fsm("O");
        o.add("X");
        auto& p = root->add_fsm("P");
        p.add("X");
        p.initial(p.add("Y"));
        started m(std::move(root), options);
        m.agent.set_state("O");
        CHECK(explained(m) == "in a tick: taken\n  at rest: R/O\n");
        CHECK(m.agent.decide() == hsm::result::taken);
        m.agent.set_state("P");
        CHECK(explained(m) == "in a tick: taken\n  at rest: R/P\n  R/P -> R/P/Y: taken\n");
        CHECK(m.agent.decide() == hsm::result::taken);
    }
}

TEST_CASE("with substate_first, explain lists levels from the leaf outwards, and regions together") {
    const auto m = two_regions(
        [](auto& r, auto& out) {
            r.to(out).when(&recorder::go);
            r.to(out);
        },
        substates_first);
    CHECK(explained(m) == "in a tick: taken\n"
                          "  R/P/M -> R/out: its guard 1 returns false\n"
                          "  R/P/M -> R/out: taken\n");
}

// --- what asking does ---

TEST_CASE("an exception of a guard propagates, and changes nothing") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().when([](const recorder& r) { return r.go ? throw std::runtime_error("ow") : true; });
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_WITH(hsm::explain(m.agent, hit{}), "ow");
    CHECK(!m.agent.busy());
    m.r.go = false;
    CHECK(m.agent.process(hit{}) == hsm::result::taken);
}

TEST_CASE("explain lists the error of a guard that refuses by throwing, and calls later guards") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().when([](const recorder& r) { return r.go ? throw std::runtime_error("ow") : true; });
    a.to(b).on<hit>().when([](const recorder& r) { return r.go ? throw 1 : true; });
    a.to(b).on<hit>().when([](const recorder& r) { return !r.go; }).when([](const recorder& r) { return r.go; });
    started m(std::move(root), {.guard_error = "error"});
    m.r.go = true;
    const auto explained = hsm::explain(m.agent, hit{}, {.all_guards = true});
    REQUIRE(explained.candidates.size() == 3);
    CHECK(explained.candidates[0].obstacles[0].kind == hsm::obstacle_kind::guard_error);
    CHECK(explained.candidates[0].obstacles[0].error == "ow");
    CHECK(explained.candidates[1].obstacles[0].error == "not a std::exception");
    CHECK(explained.candidates[2].obstacles[0].kind == hsm::obstacle_kind::guard);
    CHECK(hsm::to_string(explained).find("its guard 1") != std::string::npos);
    CHECK(hsm::to_string(explained).find(" fails: ow\n") != std::string::npos);
    CHECK(!m.agent.busy());
    m.r.go = false;
    CHECK(m.agent.process(hit{}) == hsm::result::taken);
}

TEST_CASE("a guard in a query cannot change its machine") {
    struct fixture {
        hsm::instance<fixture>* self = nullptr;
        mutable hsm::result answer = hsm::result::taken;
    };
    auto root = hsm::make_fsm<fixture>("R");
    auto& a = root->add("A");
    a.to(root->add("B")).on<hit>().when("IsRun").when([](const fixture& w) {
        w.answer = w.self->process(hit{});
        w.self->clear("IsRun");
        return w.self->current().name() == "A" && w.self->busy();
    });
    const auto chart = hsm::compile(std::move(root));
    fixture w;
    hsm::instance<fixture> agent(chart, w);
    w.self = &agent;
    agent.start();
    agent.set("IsRun");
    CHECK(hsm::explain(agent, hit{}));
    CHECK(w.answer == hsm::result::busy);
    CHECK(agent.get("IsRun"));
}

namespace {
struct wallet {
    int coins = 3;
};
struct town {
    wallet of;
};
struct purse {
    int left = 2;
};
struct shopping : hsm::fsm<wallet> {
    explicit shopping(std::string name) : fsm(std::move(name)) {}
};
} // namespace

TEST_CASE("explain calls guards over a part of the context and over locals") {
    auto root = hsm::make_fsm<town>("R");
    auto& shop = root->add<shopping>(&town::of, "shop");
    auto& a = shop.add("A").local<purse>();
    a.to(shop.add("B")).on<hit>().when([](const purse& p, const wallet& w) { return p.left + w.coins == 5; }).when([](const wallet& w) {
        return w.coins == 4;
    });
    const auto chart = hsm::compile(std::move(root));
    town t;
    hsm::instance<town> agent(chart, t);
    agent.start();
    CHECK(without_places(to_string(hsm::explain(agent, hit{}))) ==
          "on brawl::hit: guarded\n  R/shop/A -> R/shop/B on brawl::hit: its guard 2 returns false\n");
}

TEST_CASE("in a hook, explain uses the states that are active then") {
    struct fixture {
        hsm::instance<fixture>* self = nullptr;
        std::string explained;
    };
    auto root = hsm::make_fsm<fixture>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>();
    b.on("ping").then([](fixture&) {});
    b.on_enter([](fixture& w) { w.explained = to_string(hsm::explain(*w.self, "ping")) + to_string(hsm::explain(*w.self)); });
    const auto chart = hsm::compile(std::move(root));
    fixture w;
    hsm::instance<fixture> agent(chart, w);
    w.self = &agent;
    agent.start();
    CHECK(agent.process(hit{}) == hsm::result::taken);
    CHECK(w.explained == "on ping: internal\n  R/B on ping: taken\nin a tick: unhandled\n");
    CHECK(agent.current().name() == "B");
    CHECK(agent.process("ping") == hsm::result::internal);
}

TEST_CASE("agents of crowds and handles of managers accept the same queries") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to(root->add("B")).on<hit>().when(&recorder::go);
    const auto chart = hsm::compile(std::move(root));
    const std::string expected = "on brawl::hit: guarded\n  R/A -> R/B on brawl::hit: its guard 1 returns false\n";

    hsm::crowd<recorder> herd(chart);
    const auto dolly = herd.add();
    CHECK(without_places(to_string(hsm::explain(herd, dolly, hit{}))) == expected);
    CHECK(without_places(to_string(hsm::explain(herd, dolly))) == "in a tick: unhandled\n");
    CHECK(hsm::why_not(herd, dolly, "B").candidates.size() == 1);
    CHECK(hsm::possible(herd, dolly).empty());

    recorder r;
    hsm::manager machines;
    const auto goblin = machines.create("goblin", chart, r);
    goblin->start();
    CHECK(without_places(to_string(hsm::explain(goblin, hit{}))) == expected);
    CHECK(hsm::why_not(goblin, "B").candidates.size() == 1);
    CHECK(hsm::possible(goblin).empty());
}
