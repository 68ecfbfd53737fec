// Deferred events.

#include <tests/support/two_regions.hpp>

#include <hsm/run/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {

/// R{ A, B, C }: A defers events 1 and 2, event 9 leads from A to B, event 8 to C.
struct keeping {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::state<recorder>& a = traced(root->add("A")).defer<event<1>>().defer<event<2>>();
    hsm::state<recorder>& b = traced(root->add("B"));
    hsm::state<recorder>& c = traced(root->add("C"));

    keeping() {
        a.to(b).on<event<9>>();
        b.to(c).on<event<8>>();
    }
};

enum class key { up, down };

} // namespace

TEST_CASE("a deferred event is stored, and recalled after the next transition") {
    keeping t;
    t.b.to(t.c).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::deferred);
    CHECK_FALSE(m.agent.can(event<1>{}));
    CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    CHECK(m.agent.queued() == 1);
    CHECK(m.tick() == "U A");
    CHECK(m.process(event<9>{}) == "X A, E B, X B, E C");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("deferred events are recalled in order; after a consumed event, recall starts again with the oldest") {
    keeping t;
    t.b.to(t.c).on<event<2>>().then(tracing("2"));
    t.c.on<event<1>>().then(tracing("1"));
    t.c.on<event<2>>().then(tracing("2 in C"));
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<2>{});
    m.process(event<2>{});
    CHECK(m.agent.queued() == 3);
    CHECK(m.process(event<9>{}) == "X A, E B, X B, 2, E C, 1, 2 in C");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("an event that no state handles yet keeps its place") {
    keeping t;
    t.c.on<event<1>>().then(tracing("1"));
    t.b.on<event<2>>().then(tracing("2"));
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.process(event<9>{}) == "X A, E B, 2");
    CHECK(m.agent.queued() == 1);
    CHECK(m.process(event<8>{}) == "X B, E C, 1");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("a guard that refuses is called again after the next transition") {
    keeping t;
    t.b.to(t.c).on<event<1>>().when(&recorder::go);
    t.b.to(t.b).on<event<7>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<9>{}) == "X A, E B");
    m.r.go = true;
    CHECK(m.tick() == "U B"); // no transition, no offer
    CHECK(m.process(event<7>{}) == "X B, E B, X B, E C");
}

TEST_CASE("a reaction and start do not recall deferred events") {
    keeping t;
    t.a.on<event<7>>().then([](recorder& r) { r.go = true; });
    t.a.to(t.c).on<event<1>>().when(&recorder::go);
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<7>{}) == "");
    CHECK(m.agent.queued() == 1);
    CHECK(m.process(event<1>{}) == "X A, E C"); // a transition of the state comes before its deferral
    CHECK(m.agent.queued() == 1);
}

TEST_CASE("a polled transition and a request recall deferred events") {
    keeping t;
    t.a.to(t.b).when(&recorder::go);
    t.b.on<event<1>>().then(tracing("1"));
    started m(std::move(t.root));
    m.process(event<1>{});
    SUBCASE("polled") {
        m.r.go = true;
        CHECK(m.tick() == "X A, E B, 1, U B");
    }
    SUBCASE("requested") { CHECK(m.change_to("B") == "X A, E B, 1"); }
}

TEST_CASE("an entry choice of a machine at rest recalls deferred events") {
    auto root = root_of();
    root->defer<event<1>>();
    auto& a = traced(root->add("A"));
    root->dispatch(a).when(&recorder::go);
    root->on<event<1>>().when(&recorder::go).then(tracing("1"));
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    m.r.go = true;
    CHECK(m.tick() == "E A, 1, U A");
}

TEST_CASE("the consequences of a transition come first, then deferred events, then the events processed meanwhile") {
    keeping t;
    auto& x = traced(t.root->add("X")).transient();
    t.a.to(x).on<event<7>>().then([](recorder&, hsm::step<recorder>& s) { s.process(event<8>{}); });
    x.to(t.b);
    t.b.on<event<1>>().then(tracing("1"));
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<7>{}) == "X A, E X, X X, E B, 1, X B, E C");
}

TEST_CASE("T38: a deferral yields to the transitions of the states inside, in both orders") {
    const auto define = [] {
        auto root = root_of();
        auto& m = traced(root->add_fsm("M")).template defer<event<1>>();
        auto& x = traced(m.add("x"));
        x.to(traced(m.add("y"))).template on<event<1>>();
        return root;
    };
    hsm::compile_options options;
    SUBCASE("superstate_first") {}
    SUBCASE("substate_first") { options = substates_first; }
    started m(define(), options);
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::taken);
    CHECK(m.process(event<1>{}) == "X x, E y");
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::deferred);
    CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    CHECK(m.agent.queued() == 1);
}

TEST_CASE("T38: a transition of one region consumes an event that another region defers") {
    two_regions t;
    t.a.defer<event<1>>();
    t.c.to(t.d).on<event<1>>();
    hsm::compile_options options;
    SUBCASE("superstate_first") {}
    SUBCASE("substate_first") { options = substates_first; }
    started m(std::move(t.root), options);
    CHECK(m.process(event<1>{}) == "X c, E d");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("superstate_first: a parallel's deferral yields to its regions, and to an outer state's transition") {
    two_regions t;
    t.p.defer<event<1>>();
    SUBCASE("a region's transition consumes the event") {
        t.c.to(t.d).on<event<1>>();
        started m(std::move(t.root));
        CHECK(m.agent.can(event<1>{}).outcome == hsm::result::taken);
        CHECK(m.process(event<1>{}) == "X c, E d");
        CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    }
    SUBCASE("an outer state's transition consumes the event") {
        t.root->on<event<1>>().then(tracing("R"));
        started m(std::move(t.root));
        CHECK(m.process(event<1>{}) == "R");
    }
}

TEST_CASE("substate_first: a deferral overrides its superstates' transitions, also if another region selected them") {
    two_regions t;
    t.a.defer<event<1>>();
    t.p.to(t.out).on<event<1>>();
    SUBCASE("it overrides its superstate's transition") {
        started m(std::move(t.root), substates_first);
        CHECK(m.agent.can(event<1>{}).outcome == hsm::result::deferred);
        CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    }
    SUBCASE("it does not override another region's transition") {
        t.c.to(t.d).on<event<1>>();
        started m(std::move(t.root), substates_first);
        CHECK(m.process(event<1>{}) == "X c, E d");
        CHECK(m.agent.queued() == 0);
    }
}

TEST_CASE("substate_first: an inner deferral comes before an outer transition") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    traced(m.add("x")).defer<event<1>>();
    m.to(traced(root->add("B"))).on<event<1>>();
    m.to(m.add("y")).on<event<2>>();
    started s(std::move(root), substates_first);
    CHECK(s.agent.process(event<1>{}) == hsm::result::deferred);
    CHECK(s.process(event<2>{}) == "X x, X M, E B"); // M takes it once y is active
}

TEST_CASE("an event is deferred if one region defers it and no region handles it") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        two_regions t;
        t.a.defer<event<1>>();
        t.c.to(t.d).on<event<1>>().when(&recorder::go);
        t.a.to(t.b).on<event<2>>();
        t.b.on<event<1>>().then(tracing("1"));
        started m(std::move(t.root), {.order = order});
        SUBCASE("no other region handles it") {
            CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
            CHECK(m.process(event<2>{}) == "X a, E b, 1");
        }
        SUBCASE("another region handles it") {
            m.r.go = true;
            CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
            CHECK(m.agent.queued() == 0);
            CHECK(m.r.take() == "X c, E d");
        }
    }
}

TEST_CASE("regions: a reaction or a held transition in one region consumes the event") {
    two_regions t;
    t.a.defer<event<1>>().defer<event<2>>();
    t.c.on<event<1>>().then(tracing("1"));
    t.c.hold().to(t.d).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("a step in one region recalls deferred events in all regions") {
    two_regions t;
    t.a.defer<event<1>>();
    t.c.to(t.d).on<event<2>>();
    t.d.on<event<1>>().then(tracing("1"));
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<2>{}) == "X c, E d, 1");
}

TEST_CASE("a full queue of deferred events answers full, and an event from another queue is lost with an error") {
    keeping t;
    t.b.on<event<1>>().then(tracing("1"));
    t.b.on<event<2>>().then(tracing("2"));
    const auto chart = hsm::compile(std::move(t.root));
    recorder r;
    hsm::instance agent{chart, r, {.deferred_queue = 2}};
    agent.start();
    CHECK(agent.process(event<1>{}) == hsm::result::deferred);
    CHECK(agent.process(event<2>{}) == hsm::result::deferred);
    CHECK(agent.process(event<1>{}) == hsm::result::full);
    CHECK(agent.queued() == 2);
    CHECK(agent.post(event<1>{}) == hsm::result::queued);
    CHECK(agent.post(event<9>{}) == hsm::result::queued);
    try {
        agent.drain();
        FAIL("nothing was thrown");
    } catch (const hsm::queue_error& e) {
        CHECK(e.number() == hsm::code::lost_event);
        CHECK(std::string(e.what()).starts_with("HSM-203"));
    }
    CHECK(agent.queued() == 3); // the one after it is kept
    r.take();
    agent.drain();
    CHECK(r.take() == "X A, E B, 1, 2");
    CHECK(agent.queued() == 0);
}

TEST_CASE("without queue room nothing can be deferred") {
    keeping t;
    const auto chart = hsm::compile(std::move(t.root));
    recorder r;
    hsm::instance agent{chart, r, {.deferred_queue = 0}};
    agent.start();
    CHECK(agent.process(event<1>{}) == hsm::result::full);
    CHECK(agent.process(event<9>{}) == hsm::result::taken);
}

TEST_CASE("stop and reset drop deferred events") {
    keeping t;
    t.b.on<event<1>>().then(tracing("1"));
    started m(std::move(t.root));
    m.process(event<1>{});
    SUBCASE("stop") { m.stop(); }
    SUBCASE("reset") { m.agent.reset(); }
    CHECK(m.agent.queued() == 0);
    m.start();
    CHECK(m.process(event<9>{}) == "X A, E B");
}

TEST_CASE("set_state keeps deferred events and does not recall them") {
    keeping t;
    t.b.on<event<1>>().then(tracing("1"));
    t.c.on<event<1>>().then(tracing("1 in C"));
    started m(std::move(t.root));
    m.process(event<1>{});
    m.agent.set_state("B");
    CHECK(m.tick() == "U B");
    CHECK(m.process(event<8>{}) == "X B, E C, 1 in C");
}

TEST_CASE("posted, queued, named and enumerated events can be deferred") {
    keeping t;
    t.a.defer(key::down).defer<key::up>().defer("call");
    t.b.on(key::down).then(tracing("down"));
    t.b.on<key::up>().then(tracing("up"));
    t.b.on("call").then([](recorder& r, hsm::step<recorder>& s) { r.note(s.event_name()); });
    t.a.on<event<7>>().then([](recorder&, hsm::step<recorder>& s) { s.process("call"); });
    started m(std::move(t.root));
    CHECK(m.agent.post(key::down) == hsm::result::queued);
    CHECK(m.tick() == "U A");
    CHECK(m.agent.process(key::up) == hsm::result::deferred);
    m.process(event<7>{});
    CHECK(m.agent.queued() == 3);
    CHECK(m.process(event<9>{}) == "X A, E B, down, up, call");
}

TEST_CASE("an event that only a deferral names is not unhandled") {
    keeping t;
    started m(std::move(t.root));
    CHECK(m.agent.post(event<1>{}) == hsm::result::queued);
    m.process(event<9>{});
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled); // no transition of B handles it
}

TEST_CASE("a recalled event that waits for a held state is no longer deferred") {
    keeping t;
    t.b.hold();
    t.b.to(t.c).on<event<1>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<9>{}) == "X A, E B");
    CHECK(m.agent.queued() == 0);
    m.agent.release();
    CHECK(m.tick() == "X B, E C, U C");
}

TEST_CASE("an event that is refused because of a pending event is not deferred") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    a.defer<event<2>>();
    a.to(b).on<event<1>>().priority(1);
    a.to(b).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::held);
    CHECK(m.agent.process(event<2>{}) == hsm::result::refused);
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("a recalled event whose hook throws is consumed; the other deferred events are kept") {
    keeping t;
    t.b.on<event<1>>().then([](recorder&) { throw std::runtime_error("boom"); });
    t.b.to(t.c).on<event<2>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK_THROWS_WITH(m.agent.process(event<9>{}), "boom");
    CHECK(m.agent.queued() == 1);
    CHECK(m.path() == "R/B");
}

TEST_CASE("a recalled event whose guard throws is not consumed") {
    keeping t;
    t.b.to(t.c).on<event<1>>().when([](const recorder& r) { return r.go ? true : throw std::runtime_error("boom"); });
    t.b.to(t.b).on<event<5>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK_THROWS_WITH(m.agent.process(event<9>{}), "boom");
    CHECK(m.agent.queued() == 1);
    CHECK(m.path() == "R/B");
    m.r.go = true;
    m.r.take();
    CHECK(m.process(event<5>{}) == "X B, E B, X B, E C");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("each recalled event that is consumed is a link of the chain") {
    keeping t;
    t.b.to(t.b).on<event<1>>();
    const auto chart = hsm::compile(std::move(t.root));
    recorder r;
    hsm::instance agent{chart, r, {.chain_limit = 2}};
    agent.start();
    for (int i = 0; i < 2; ++i) agent.process(event<1>{});
    SUBCASE("as many as the limit") {
        CHECK(agent.process(event<9>{}) == hsm::result::taken);
        CHECK(agent.queued() == 0);
    }
    SUBCASE("one more than the limit: the last event is kept") {
        agent.process(event<1>{});
        CHECK_THROWS_AS(agent.process(event<9>{}), hsm::chain_error);
        CHECK(agent.queued() == 1);
        CHECK(agent.current().path() == "R/B");
    }
}

TEST_CASE("the consequences of a reaction to a recalled event precede the next recall") {
    keeping t;
    t.b.on<event<1>>().then([](recorder& r) {
        r.note("1");
        r.go = true;
    });
    t.b.to(t.c).always().when(&recorder::go);
    t.b.on<event<2>>().then(tracing("2 in B"));
    t.c.on<event<2>>().then(tracing("2 in C"));
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.process(event<9>{}) == "X A, E B, 1, X B, E C, 2 in C");
}

TEST_CASE("a recalled event is consumed before events that hooks processed in the meantime, in any chain") {
    keeping t;
    t.b.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("1");
        s.process(event<8>{});
    });
    t.b.on<event<2>>().then(tracing("2"));
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.process(event<9>{}) == "X A, E B, 1, 2, X B, E C");
}

TEST_CASE("a stop during recall drops the other deferred events") {
    keeping t;
    t.b.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("1");
        s.stop();
    });
    started m(std::move(t.root));
    m.process(event<1>{});
    m.process(event<1>{});
    CHECK(m.process(event<9>{}) == "X A, E B, 1, X B");
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("a deferred event without a transition is not reported as unhandled at each recall") {
    keeping t;
    t.root->on_unhandled(tracing("unhandled"));
    t.c.on<event<1>>().then(tracing("1"));
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<9>{}) == "X A, E B");
    CHECK(m.process(event<8>{}) == "X B, E C, 1");
}

TEST_CASE("a recalled event that exits the state that has just decided ends the tick there, with and without entry times") {
    for (const bool entry_times : {true, false}) {
        auto root = root_of();
        auto& m = root->add_fsm("M");
        auto& a = traced(m.add("a")).defer<event<1>>();
        auto& b = traced(m.add("b"));
        auto& y = root->add_fsm("Y");
        traced(y.add("y"));
        a.to(b).when([](const recorder& r) { return r.go; });
        b.to(y).on<event<1>>();
        started s(std::move(root), {.entry_times = entry_times});
        s.agent.process(event<1>{});
        s.r.go = true;
        CHECK(s.tick() == "X a, E b, X b, E y");
        CHECK(s.tick() == "U y");
    }
}
