// `.always()`: transitions that are tried after all others, until none of them fires.

#include <tests/support/started.hpp>

#include <hsm/run/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

TEST_CASE("an always-transition is polled like any other transition") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.to(traced(root->add("B"))).always().when(&recorder::go);
    started m(std::move(root));
    CHECK(m.tick() == "U A");
    m.r.go = true;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("an always-transition is tried after every transition, with or without a target") {
    auto root = root_of();
    traced(*root);
    auto& a = traced(root->add("A"));
    auto& dead = traced(root->add("dead"));
    traced(root->add("B"));
    const auto die = [](recorder& r) {
        r.note("die");
        r.go = true;
    };
    root->to(dead).always().when(&recorder::go);
    SUBCASE("a reaction to an event") {
        a.on<event<1>>().then(die);
        started m(std::move(root));
        CHECK(m.process(event<1>{}) == "die, X A, E dead");
    }
    SUBCASE("an event's transition") {
        a.to("B").on<event<1>>().then(die);
        started m(std::move(root));
        CHECK(m.process(event<1>{}) == "X A, die, E B, X B, E dead");
    }
    SUBCASE("a posted event") {
        a.on<event<1>>().then(die);
        started m(std::move(root));
        m.agent.post(event<1>{});
        CHECK(m.tick() == "die, X A, E dead, U R, U dead");
    }
    SUBCASE("a polled transition") {
        a.to("B").then(die);
        started m(std::move(root));
        CHECK(m.tick() == "U R, X A, die, E B, X B, E dead, U dead");
    }
    SUBCASE("a polled reaction") {
        a.when(&recorder::ready).then(die);
        started m(std::move(root));
        m.r.ready = true;
        CHECK(m.tick() == "U R, U A, die, X A, E dead");
    }
    SUBCASE("completion") {
        a.to("B").on_finished().then(die);
        started m(std::move(root));
        m.agent.finish();
        CHECK(m.decide() == "X A, die, E B, X B, E dead");
    }
    SUBCASE("a request") {
        a.on_exit(die);
        started m(std::move(root));
        CHECK(m.change_to("B") == "X A, die, E B, X B, E dead");
    }
    SUBCASE("start") {
        a.on_enter(die);
        const auto chart = hsm::compile(std::move(root));
        recorder r;
        hsm::instance agent{chart, r};
        agent.start();
        CHECK(r.take() == "E R, E A, die, X A, E dead");
    }
}

TEST_CASE("an always-transition is tried after an entry choice of a machine at rest") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("A"));
    m.dispatch(a).when(&recorder::go);
    m.to(traced(root->add("B"))).always().when([](const recorder& r) { return r.trace.find("E A") != r.trace.npos; });
    started s(std::move(root));
    s.r.go = true;
    CHECK(s.tick() == "U M, E A, X A, X M, E B");
}

TEST_CASE("an update alone does not make an always-transition due") {
    auto root = root_of();
    auto& a = traced(root->add("A")).on_update([](recorder& r) { r.go = true; });
    a.to(traced(root->add("B"))).always().when(&recorder::go);
    started m(std::move(root));
    CHECK(m.update() == "U A");
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("always-transitions are tried until none fires, after transients and completion, before internal events") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& t = traced(root->add("t")).transient();
    auto& f = traced(root->add("F"));
    auto& g = traced(root->add("G"));
    auto& h = traced(root->add("H"));
    a.to(t).on<event<1>>().then([](recorder&, hsm::step<recorder>& s) { s.process(event<2>{}); });
    t.to(f);
    f.on_enter([](recorder&, hsm::step<recorder>& s) { s.finish(); });
    f.to(g).on_finished();
    f.to(a).always(); // never: completion comes first
    g.to(h).always();
    g.on<event<2>>().then(tracing("too early"));
    h.on<event<2>>().then(tracing("event"));
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X A, E t, X t, E F, X F, E G, X G, E H, event");
}

TEST_CASE("the outermost source comes first, or the innermost with substate_first; then priority, then definition") {
    auto root = root_of();
    auto& m = root->add_fsm("M");
    auto& a = m.add("A");
    m.to(traced(root->add("outer"))).always().when(&recorder::go);
    a.to(traced(root->add("second"))).always().when(&recorder::go);
    a.to(traced(root->add("third"))).always().when(&recorder::go);
    a.to(traced(root->add("first"))).always().when(&recorder::ready).priority(1);
    a.on<event<1>>();
    SUBCASE("superstate first") {
        started s(std::move(root));
        s.r.go = s.r.ready = true;
        CHECK(s.process(event<1>{}) == "E outer");
    }
    SUBCASE("substate first") {
        started s(std::move(root), substates_first);
        s.r.go = true;
        SUBCASE("definition") { CHECK(s.process(event<1>{}) == "E second"); }
        SUBCASE("priority") {
            s.r.ready = true;
            CHECK(s.process(event<1>{}) == "E first");
        }
    }
}

TEST_CASE("a satisfied always-transition blocks the later always-transitions of its source and level") {
    auto root = root_of();
    auto& dead = traced(root->add("dead"));
    auto& hurt = traced(root->add("hurt"));
    root->to(dead).always().priority(9);
    root->to(hurt).always().priority(1);
    dead.on<event<1>>().then(tracing("twitch"));
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "twitch");
    CHECK(m.path() == "R/dead");
}

TEST_CASE("a satisfied always-transition does not block an always-reaction of its source") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        auto root = root_of();
        auto& m = traced(root->add_fsm("M"));
        auto& a = traced(m.add("a"));
        m.to(a).always();
        m.when(&recorder::go).always().then([](recorder& r) {
            r.note("react");
            r.go = false;
        });
        a.on<event<1>>().then([](recorder& r) { r.go = true; });
        started s(std::move(root), {.order = order});
        CHECK(s.process(event<1>{}) == "react");
    }
}

TEST_CASE("a satisfied polled transition does not block always-transitions") {
    auto root = root_of();
    auto& dead = traced(root->add("dead"));
    auto& hurt = traced(root->add("hurt"));
    root->to(dead).priority(9);
    root->to(hurt).always().when(&recorder::go);
    dead.on<event<1>>().then(tracing("twitch"));
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "twitch, X dead, E hurt");
    CHECK(m.tick() == "X hurt, E dead, X dead, E hurt, U hurt"); // after the transition to dead, that to hurt is due again
}

TEST_CASE("a held always-transition is refused outside a tick, and waits in a tick") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready);
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).always();
    a.to(c).always(); // barred by the one before
    a.on<event<1>>().then(tracing("reaction"));
    SUBCASE("outside a tick it is refused") {
        started m(std::move(root));
        CHECK(m.process(event<1>{}) == "reaction");
        m.r.ready = true;
        CHECK(m.tick() == "X A, E B, U B");
    }
    SUBCASE("in a tick it fires after its holder's update") {
        a.on_update([](recorder& r) { r.ready = true; });
        started m(std::move(root));
        m.agent.post(event<1>{});
        CHECK(m.tick() == "reaction, U A, X A, E B");
    }
}

TEST_CASE("a forced always-transition after a held one fires") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).always();
    a.to(traced(root->add("C"))).always().force();
    a.on<event<1>>().then(tracing("reaction"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E A, X A, E C");
}

TEST_CASE("a cycle of always-transitions throws a chain_error") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).always();
    b.to(a).always();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.chain_limit = 10}};
    CHECK_THROWS_AS(agent.start(), hsm::chain_error);
    CHECK(agent.active());
}

TEST_CASE("after a chain_error or another exception, only a tick, decide or a transition tries always-transitions again") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).always().when([](const recorder& r) -> bool {
        if (r.go) throw std::runtime_error("guard");
        return r.ready;
    });
    a.on<event<1>>().then(tracing("reaction"));
    b.on<event<2>>();
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<1>{}), std::runtime_error);
    m.r.go = false;
    m.r.ready = true;
    m.r.take();
    CHECK(m.agent.process(event<2>{}) == hsm::result::unhandled);
    CHECK(m.r.take() == "");
    SUBCASE("transition") { CHECK(m.process(event<1>{}) == "reaction, X A, E B"); }
    SUBCASE("decide") { CHECK(m.decide() == "X A, E B"); }
    SUBCASE("tick") { CHECK(m.tick() == "X A, E B, U B"); }
}

TEST_CASE("the step of each link of a chain has that link's reason and source") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).on<event<1>>();
    b.to(c).always();
    c.on_enter([](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(to_string(s.reason())) + " " + std::string(s.source().name()) + " was " + std::string(s.previous().name()));
        CHECK(s.event<event<1>>() == nullptr);
    });
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "poll B was B");
}

TEST_CASE("T36: with the superstate first, always-transitions are in the order of polled ones") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    m.to(y).always().when(&recorder::go); // the level of this one is M, that of the other R
    x.to(b).always().when(&recorder::go);
    x.on<event<1>>().then([](recorder& r) { r.go = true; });
    SUBCASE("superstate first: the outer level") {
        started s(std::move(root));
        CHECK(s.process(event<1>{}) == "X x, X M, E B");
    }
    SUBCASE("substate first: the inner source, which is the same here") {
        started s(std::move(root), substates_first);
        CHECK(s.process(event<1>{}) == "X x, X M, E B");
    }
}

TEST_CASE("within a level the outer source is tried first, then priority; each level of a source has its own list") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    traced(root->add("B"));
    traced(root->add("C"));
    m.to(y).always().when(&recorder::go); // satisfied once y is active; does not bar transitions of R's level
    m.to("C").always().when(&recorder::ready);
    bool ready_too = false;
    x.to(y).on<event<1>>().then([&](recorder& r) { r.go = true, r.ready = ready_too; });
    y.to("B").always().when(&recorder::go).priority(9);
    started s(std::move(root));
    SUBCASE("the inner source") { CHECK(s.process(event<1>{}) == "X x, E y, X y, X M, E B"); }
    SUBCASE("the outer source comes first, regardless of priority") {
        ready_too = true;
        CHECK(s.process(event<1>{}) == "X x, E y, X y, X M, E C");
    }
}

TEST_CASE("a held always-transition blocks all later ones of its level, in every call") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x")).hold_until(&recorder::ready);
    auto& y = traced(m.add("y"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    x.on<event<1>>().then(tracing("1"));
    m.to(b).always();
    auto later = x.to(c).always();
    SUBCASE("a later transition of another source does not fire") {
        started s(std::move(root));
        CHECK(s.process(event<1>{}) == "1");
    }
    SUBCASE("a forced transition fires") {
        later.force();
        started s(std::move(root));
        CHECK(s.path() == "R/C"); // immediately after start
    }
    SUBCASE("a transition of an inner level fires") {
        x.to(y).always().force();
        started s(std::move(root));
        CHECK(s.path() == "R/B"); // by way of y, which does not hold
    }
}

TEST_CASE("with regions and the superstate first, always-transitions fire one at a time, in the order of polled ones") {
    const auto trace_of = [](const hsm::compile_options& options) {
        auto root = root_of();
        auto& p = traced(root->add_parallel("P"));
        auto& one = p.add_fsm("1");
        auto& a = traced(one.add("a"));
        auto& b = traced(one.add("b"));
        auto& two = p.add_fsm("2");
        auto& c = traced(two.add("c"));
        auto& d = traced(two.add("d"));
        p.on<event<1>>().then([](recorder& r) { r.go = true; });
        a.to(b).always().when(&recorder::go);
        c.to(d).always().when(&recorder::go).priority(1);
        started m(std::move(root), options);
        return m.process(event<1>{});
    };
    CHECK(trace_of({}) == "X c, E d, X a, E b"); // of the same depth: by priority
    CHECK(trace_of(substates_first) == "X c, X a, E b, E d");
}

TEST_CASE("with regions, an outer level comes before the inner ones of all regions") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P"));
    auto& one = p.add_fsm("1");
    auto& a = traced(one.add("a"));
    a.to(traced(one.add("b"))).always().when(&recorder::go);
    auto& c = traced(p.add_fsm("2").add("c"));
    c.to(traced(root->add("B"))).always().when(&recorder::go);
    a.on<event<1>>().then([](recorder& r) { r.go = true; });
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "X c, X a, X P, E B");
}

TEST_CASE("a satisfied transition blocks the others of its source at its own level only") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("a"));
    auto& b = traced(m.add("b"));
    auto& c = traced(m.add("c"));
    m.to(b).when(&recorder::go).external().always(); // its level is above M: it is tried first
    m.to(c).when(&recorder::ready).always().then([](recorder& r) {
        r.ready = false;
        r.go = false;
    });
    a.to(b).on<event<1>>();
    started s(std::move(root));
    s.r.go = s.r.ready = true;
    CHECK(s.process(event<1>{}) == "X a, E b, X b, E c");
}

TEST_CASE("from a superstate to its own substate, an always-transition with reenter fires while its guard holds") {
    for (const auto& options : {hsm::compile_options{}, substates_first}) {
        auto root = root_of();
        auto& machine = traced(root->add_fsm("M"));
        auto& a = traced(machine.add("A"));
        int left = 0;
        auto t = machine.to(a).always().when([&left](const recorder&) { return left > 0; }).then([&left](recorder& r) { r.note("again"), --left; });
        a.on<event<1>>();
        SUBCASE("without reenter it is satisfied while the substate is active") {
            started m(std::move(root), options);
            left = 2;
            CHECK(m.process(event<1>{}).empty());
        }
        SUBCASE("with reenter") {
            t.reenter();
            started m(std::move(root), options);
            left = 2;
            CHECK(m.process(event<1>{}) == "X A, again, E A, X A, again, E A");
        }
        SUBCASE("with reenter and external, the machine is entered again, too") {
            t.reenter().external();
            started m(std::move(root), options);
            left = 1;
            CHECK(m.process(event<1>{}) == "X A, X M, again, E M, E A");
        }
    }
}

TEST_CASE("an always-transition without a target fires in the chain and exits no state") {
    for (const auto& options : {hsm::compile_options{}, substates_first}) {
        auto root = root_of();
        auto& a = traced(root->add("A"));
        traced(root->add("B"));
        a.when(&recorder::go).always().then([](recorder& r) { r.note("reacts"), r.go = false, r.ready = true; });
        a.to("B").always().when(&recorder::ready);
        a.on<event<1>>().then([](recorder& r) { r.go = true; });
        started m(std::move(root), options);
        CHECK(m.process(event<1>{}) == "reacts, X A, E B");
    }
}

TEST_CASE("always-transitions with and without a target are tried by priority, then definition") {
    for (const auto& options : {hsm::compile_options{}, substates_first}) {
        auto root = root_of();
        auto& machine = root->add_fsm("M");
        auto& a = traced(machine.add("A"));
        int first = 0, second = 0, third = 0;
        const auto once = [](int& asked) { return [&asked](const recorder& r) { return r.go && asked++ == 0; }; };
        machine.when(once(first)).always().then(tracing("first"));
        machine.to(a).always().reenter().when(once(second)).then(tracing("second"));
        machine.when(once(third)).always().then(tracing("third")).priority(1);
        machine.on<event<1>>();
        started m(std::move(root), options);
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "third, first, X A, second, E A");
    }
}

TEST_CASE("an endless always-transition without a target reaches the chain limit") {
    auto root = root_of();
    auto& a = root->add("A");
    a.when(&recorder::go).always().then(tracing("again"));
    a.on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    r.go = true;
    hsm::instance agent(chart, r, {.chain_limit = 3});
    CHECK_THROWS_AS(agent.start(), hsm::chain_error);
    CHECK(r.take() == "again, again, again");
    CHECK(agent.current().path() == "R/A");
}

TEST_CASE("substate first: one always-transition of each region, with or without a target, fires in one step") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& right = both.add_fsm("Q");
    left.add("l1").when(&recorder::go).always().then([](recorder& r) { r.note("l"), r.go = false; });
    traced(right.add("q1")).to("q2").always().when(&recorder::go);
    traced(right.add("q2"));
    root->on<event<1>>().then([](recorder& r) { r.go = true; });
    started m(std::move(root), substates_first);
    CHECK(m.process(event<1>{}) == "X q1, l, E q2");
}

TEST_CASE("an always-reaction runs after its source's update in a tick, and then in the work that follows") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    a.when(&recorder::go).always().then([](recorder& r) { r.note("reacts"), r.go = false; });
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.tick() == "U A, reacts");
    m.r.go = true;
    CHECK(m.decide().empty());
}
