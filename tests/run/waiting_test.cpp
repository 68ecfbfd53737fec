// T7, T30: polled transitions that wait in a tick for holding states.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>

using namespace test;

namespace {
/// An update hook after which the state does not hold any more.
auto get_ready(bool recorder::*flag) {
    return [flag](recorder& r) { r.*flag = true; };
}
} // namespace

TEST_CASE("T7: a transition that waits for a state fires right after the update in which the state becomes ready") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    a.to(traced(root->add("B")));
    hsm::compile_options options;
    SUBCASE("superstate first") {}
    SUBCASE("substate first") { options = substates_first; }
    started m(std::move(root), options);
    CHECK(m.tick() == "U A, X A, E B"); // B is updated in the next tick: this one has updated a substate of R
    CHECK(m.tick() == "U B");
}

TEST_CASE("T30: a waiting transition is tried again after the update of the innermost state that still held") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold_until([](const recorder& r) { return r.trace.find("A ready") != r.trace.npos; });
    auto& x = traced(a.add("X")).hold_until(&recorder::ready);
    auto& b = traced(root->add("B"));
    a.to(b);
    int updates_of_a = 0;
    int updates_of_x = 0;
    a.on_update([&](recorder& r) {
        if (++updates_of_a == 3) r.note("A ready");
    });
    x.on_update([&](recorder& r) { r.ready = ++updates_of_x >= 2; });
    hsm::compile_options options;
    SUBCASE("superstate first") {}
    SUBCASE("substate first") { options = substates_first; }
    started m(std::move(root), options);
    CHECK(m.tick() == "U A, U X");
    CHECK(m.tick() == "U A, U X"); // X is ready now, A is not: it waits for A, whose update has already run
    CHECK(m.tick() == "U A, A ready, X X, X A, E B");
}

TEST_CASE("a held transition blocks the later ones of its level, also of other sources, but not forced ones") {
    auto root = root_of();
    auto& m = root->add_fsm("M");
    auto& a = traced(m.add("A")).hold();
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    auto& d = traced(root->add("D"));
    m.to(b).priority(1);
    m.to(c).force().when(&recorder::go);
    a.to(d).force().when(&recorder::ready);
    a.to(d);
    std::string asked;
    a.to(d).when([&](const recorder&) {
        asked += "asked ";
        return false;
    });
    started s(std::move(root));
    CHECK(s.tick() == "U A");
    CHECK(asked == "");
    SUBCASE("of the same source") {
        s.r.go = true;
        CHECK(s.tick() == "X A, E C, U C");
    }
    SUBCASE("of another source") {
        s.r.ready = true;
        CHECK(s.tick() == "X A, E D, U D");
    }
}

TEST_CASE("a held transition does not block those of other levels") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold();
    auto& x = traced(a.add("x"));
    auto& y = traced(a.add("y"));
    a.to(traced(root->add("B")));
    x.to(y);
    hsm::compile_options options;
    SUBCASE("superstate first") {
        started m(std::move(root), options);
        CHECK(m.tick() == "U A, X x, E y, U y");
    }
    SUBCASE("substate first") {
        started m(std::move(root), substates_first);
        CHECK(m.tick() == "X x, E y, U A, U y");
    }
}

TEST_CASE("a satisfied transition does not wait, and is still satisfied when it is tried again") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("A")).hold();
    auto& b = traced(root->add("B"));
    root->to(m).when(&recorder::go);
    root->to(b).when(&recorder::ready).priority(-1);
    a.to(b);
    started s(std::move(root));
    s.r.go = s.r.ready = true;
    CHECK(s.tick() == "U M, U A"); // satisfied: bars R's other transition; A's waits
    s.agent.release();
    CHECK(s.tick() == "X A, X M, E B, U B");
}

TEST_CASE("a waiting transition is tried again with its guards") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready);
    auto& b = traced(root->add("B"));
    a.to(b).when(&recorder::go);
    a.on_update([](recorder& r) {
        r.go = false;
        r.ready = true;
    });
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.tick() == "U A");
    m.r.go = true;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a waiting transition is dropped when its source exits before the update of its holder") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& h = traced(m.add_fsm("H")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    auto& s = traced(h.add("S"));
    auto& t = traced(h.add("T"));
    s.to(traced(root->add("B")));
    s.to(t).on<event<1>>();
    m.on_update([](recorder& r, hsm::step<recorder>& step) {
        if (r.go) step.process(event<1>{});
    });
    started agent(std::move(root));
    SUBCASE("it stays") { CHECK(agent.tick() == "U M, U H, X S, X H, X M, E B"); }
    SUBCASE("it exits") {
        agent.r.go = true;
        CHECK(agent.tick() == "U M, X S, E T, U H, U T");
    }
}

TEST_CASE("if the holder exits without an update of its own, the next tick decides again") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    auto& x = traced(a.add("X")).hold();
    auto& y = traced(a.add("Y"));
    a.to(traced(root->add("B")));
    x.to(y).force();
    started m(std::move(root));
    CHECK(m.tick() == "U A, X X, E Y, U Y");
    CHECK(m.tick() == "X Y, X A, E B, U B");
}

TEST_CASE("following work runs after a retried transition that fires, and entered states are not updated") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    traced(a.add("X"));
    auto& b = traced(root->add("b")).transient();
    a.to(b);
    b.to(traced(root->add("C")));
    started m(std::move(root));
    CHECK(m.tick() == "U A, X X, X A, E b, X b, E C");
}

TEST_CASE("a transition that waits for a state that was entered again after its update waits for the next tick") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold_until(&recorder::ready);
    auto& t = traced(a.add("t")).transient();
    a.on_update([](recorder&, hsm::step<recorder>& s) { s.finish(); });
    a.to(a).on_finished().force().then([](recorder& r) { r.go = true; });
    int asked = 0;
    t.to(traced(root->add("B"))).when([&](const recorder& r) { return r.go && ++asked > 0; });
    started m(std::move(root));
    CHECK(m.tick() == "U A, X t, X A, E A, E t");
    CHECK(asked == 1); // after it was entered, and not again
}

TEST_CASE("a transition that began to wait in a decide or tick waits in later updates, until the next one decides again") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    a.to(traced(root->add("B")));
    started m(std::move(root));
    SUBCASE("decide") {
        CHECK(m.decide() == "");
        CHECK(m.update() == "U A, X A, E B");
    }
    SUBCASE("a process in between changes nothing") {
        CHECK(m.decide() == "");
        CHECK(m.process(event<7>{}) == "");
        CHECK(m.update() == "U A, X A, E B");
    }
    SUBCASE("without a decision nothing waits") {
        CHECK(m.update() == "U A");
        CHECK(m.decide() == "X A, E B");
    }
}

TEST_CASE("a transition waits in each update until its holder releases it; the next decide decides again") {
    auto root = root_of();
    int updates = 0;
    auto& a = traced(root->add("A")).hold_until(&recorder::ready).on_update([&](recorder& r) { r.ready = ++updates == 2; });
    a.to(traced(root->add("B"))).when(&recorder::go);
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.decide() == "");
    CHECK(m.update() == "U A");
    SUBCASE("in the next update") { CHECK(m.update() == "U A, X A, E B"); }
    SUBCASE("its guard refuses in the next decide: it waits no longer") {
        m.r.go = false;
        CHECK(m.decide() == "");
        m.r.go = true;
        CHECK(m.update() == "U A");
    }
}

TEST_CASE("an update without a tick tries a held transition after the update of its holder") {
    auto root = root_of();
    traced(*root).on_update([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    auto& b = traced(root->add("B"));
    SUBCASE("an always-transition") {
        x.on<event<1>>();
        m.to(b).always().when(&recorder::go);
        started s(std::move(root));
        s.r.go = true;
        CHECK(s.update() == "U R, U M, U x, X x, X M, E B");
    }
    SUBCASE("a transition of a transient state") {
        auto& start = traced(root->add("start"));
        root->initial(start);
        start.to(m).on<event<1>>();
        m.transient().to(b);
        started s(std::move(root));
        CHECK(s.update() == "U R, X start, E M, E x, U M, U x, X x, X M, E B");
    }
    SUBCASE("a transition that began to wait in a call without updates is not tried") {
        x.on<event<2>>();
        m.to(b).always().when(&recorder::go);
        started s(std::move(root));
        s.r.go = true;
        CHECK(s.process(event<2>{}) == "");
        CHECK(s.update() == "U R, U M, U x");
    }
}

TEST_CASE("a state that stopped holding in its update and then exited does not delay the waiting transition") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    auto& x = traced(a.add("X")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    auto& y = traced(a.add("Y"));
    a.to(traced(root->add("B"))).when(&recorder::go);
    hsm::compile_options options;
    SUBCASE("superstate first") {}
    SUBCASE("substate first") { options = substates_first; }
    SUBCASE("by a pending event") {
        x.to(y).on<event<1>>();
        started m(std::move(root), options);
        CHECK(m.agent.process(event<1>{}) == hsm::result::held);
        m.r.go = true;
        CHECK(m.tick() == "U A, U X, X X, E Y, X Y, X A, E B");
    }
    SUBCASE("by an internal event") {
        x.on_update([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
        x.to(y).on<event<1>>();
        started m(std::move(root), options);
        m.r.go = true;
        CHECK(m.tick() == "U A, U X, X X, E Y, X Y, X A, E B");
    }
    SUBCASE("by completion") {
        x.on_update([](recorder&, hsm::step<recorder>& s) { s.finish(); });
        x.to(y).on_finished();
        started m(std::move(root), options);
        m.r.go = true;
        CHECK(m.tick() == "U A, U X, X X, E Y, X Y, X A, E B");
    }
    SUBCASE("the source of the waiting transition exited") {
        x.to(y).on<event<1>>();
        x.to("B").when(&recorder::go).priority(1);
        started m(std::move(root), options);
        CHECK(m.agent.process(event<1>{}) == hsm::result::held);
        m.r.go = true;
        const bool outer_first = options.order == hsm::decision_order::superstate_first; // then A's transition waits, not X's
        CHECK(m.tick() == (outer_first ? "U A, U X, X X, E Y, X Y, X A, E B" : "U A, U X, X X, E Y"));
    }
}

TEST_CASE("held transient and completion transitions block the later ones of their level, except forced ones") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x")).hold();
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    auto& first = traced(root->add("first"));
    root->initial(first);
    first.to(m).on<event<1>>();
    SUBCASE("transient states: also those of another source") {
        m.transient().to(b);
        x.transient().to(c);
        SUBCASE("superstate first") {
            started s(std::move(root));
            CHECK(s.process(event<1>{}) == "X first, E M, E x");
        }
        SUBCASE("substate first") {
            started s(std::move(root), substates_first);
            CHECK(s.process(event<1>{}) == "X first, E M, E x");
        }
        SUBCASE("forced") {
            m.to(c).force();
            started s(std::move(root));
            CHECK(s.process(event<1>{}) == "X first, E M, E x, X x, X M, E C");
        }
    }
    SUBCASE("completion") {
        m.to(b).on_finished();
        auto& inner = m.to(c).on_finished().spec();
        CHECK(inner.on_finished);
        started s(std::move(root));
        s.process(event<1>{});
        s.agent.finish(m);
        CHECK(s.tick() == "U M, U x");
        CHECK(s.tick() == "U M, U x");
        s.agent.release(x);
        CHECK(s.tick() == "X x, X M, E B, U B");
    }
}

TEST_CASE("a held branch of a transient state or a choice waits; until it fires the state is an ordinary leaf") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M")).hold_until(&recorder::ready);
    auto& out = traced(root->add("out"));
    SUBCASE("transient") {
        auto& t = m.add("t").transient();
        t.to(out);
    }
    SUBCASE("choice") {
        auto& t = m.add_choice("t");
        t.otherwise(out);
    }
    a.to(m).on<event<1>>();
    m.on_update([](recorder& r) { r.ready = r.go; });
    started s(std::move(root));
    CHECK(s.process(event<1>{}) == "X A, E M");
    CHECK(s.path() == "R/M/t");
    CHECK(s.tick() == "U M");
    s.r.go = true;
    CHECK(s.tick() == "U M, X M, E out"); // polled, held, and tried again
}

TEST_CASE("a branch of a transient state that is held in a tick fires after the holder's update in that tick") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    auto& t = traced(m.add("t")).transient();
    auto& out = traced(root->add("out"));
    a.to(m);
    t.to(out);
    started s(std::move(root));
    CHECK(s.tick() == "X A, E M, E t, U M, X t, X M, E out");
}

TEST_CASE("a held completion waits like a polled transition of its level") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready);
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).on_finished();
    a.to(c).on_finished().force().when(&recorder::go);
    a.on_update([](recorder&, hsm::step<recorder>& s) { s.finish(); });
    started m(std::move(root));
    SUBCASE("it is tried again in later ticks") {
        CHECK(m.tick() == "U A");
        CHECK(m.tick() == "U A");
        m.r.ready = true;
        CHECK(m.tick() == "X A, E B, U B");
    }
    SUBCASE("it does not block a forced transition") {
        m.r.go = true;
        CHECK(m.tick() == "U A, X A, E C");
    }
}

TEST_CASE("a held completion fires after its holder's update") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold_until(&recorder::ready).on_update(get_ready(&recorder::ready));
    auto& x = traced(a.add("x"));
    x.to(a.add_final("end")).on<event<1>>();
    a.to(traced(root->add("B"))).on_finished();
    started m(std::move(root));
    SUBCASE("posted: it waits in the tick") {
        m.agent.post(event<1>{});
        CHECK(m.tick() == "X x, U A, X A, E B");
    }
    SUBCASE("processed: it is polled in the tick") {
        CHECK(m.process(event<1>{}) == "X x");
        CHECK(m.tick() == "U A, X A, E B");
    }
}

TEST_CASE("an exit that throws drops the work that follows the update: the next tick decides") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.on_update([](hsm::step<recorder>& s) { s.force_to("B"); });
    a.on_exit([](recorder& r) {
        if (!r.ready) throw std::runtime_error("exit");
    });
    root->to(c).when(&recorder::go);
    a.to(b).when(&recorder::ready);
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_WITH(m.agent.tick(), "exit"); // R -> C waited for A
    CHECK(m.path() == "R");
    m.r.take();
    CHECK(m.agent.update() == hsm::result::unhandled);
    CHECK(m.path() == "R");
    CHECK(m.agent.tick() == hsm::result::taken);
    CHECK(m.path() == "R/C");
}
