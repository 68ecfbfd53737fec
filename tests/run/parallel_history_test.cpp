// Regions with history, and history of parallels and of machines around them.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// R{ B, M{ P{ 1{a, m{x,y}} 2{c,d} }, z } }: event 1: a to y, event 2: c to d, event 9: to B, event 3: to P.
struct history_owners {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::state<recorder>& out = traced(root->add("B"));
    hsm::fsm<recorder>& m = traced(root->add_fsm("M"));
    hsm::parallel<recorder>& p = traced(m.add_parallel("P"));
    hsm::fsm<recorder>& one = traced(p.add_fsm("1"));
    hsm::state<recorder>& a = traced(one.add("a"));
    hsm::fsm<recorder>& inner = traced(one.add_fsm("m"));
    hsm::state<recorder>& x = traced(inner.add("x"));
    hsm::state<recorder>& y = traced(inner.add("y"));
    hsm::fsm<recorder>& two = traced(p.add_fsm("2"));
    hsm::state<recorder>& c = traced(two.add("c"));
    hsm::state<recorder>& d = traced(two.add("d"));
    hsm::state<recorder>& z = traced(m.add("z"));

    history_owners() {
        a.to(y).on<event<1>>();
        c.to(d).on<event<2>>();
        m.to(out).on<event<9>>();
        out.to(p).on<event<3>>();
        out.to(m).on<event<4>>();
    }
};

/// Enters y and d, then goes to B.
void leave(started& s) {
    s.process(event<3>{});
    s.process(event<1>{});
    s.process(event<2>{});
    CHECK(leaves_of(s.agent) == "y d");
    CHECK(s.process(event<9>{}) == "X d, X 2, X y, X m, X 1, X P, X M, E B");
}

const std::string to_p = "X B, E M, E P, ";

} // namespace

TEST_CASE("without history, regions start from the beginning") {
    history_owners t;
    started s(std::move(t.root));
    leave(s);
    CHECK(s.process(event<3>{}) == to_p + "E 1, E a, E 2, E c");
}

TEST_CASE("only a region that remembers returns to its record") {
    history_owners t;
    SUBCASE("the direct substate") {
        t.one.remembers();
        started s(std::move(t.root));
        leave(s);
        CHECK(s.process(event<3>{}) == to_p + "E 1, E m, E x, E 2, E c");
    }
    SUBCASE("deeply") {
        t.one.remembers_deep();
        started s(std::move(t.root));
        leave(s);
        CHECK(s.process(event<3>{}) == to_p + "E 1, E m, E y, E 2, E c");
    }
    SUBCASE("also when the other region is the target") {
        t.one.remembers_deep();
        t.out.to(t.d).on<event<5>>();
        started s(std::move(t.root));
        leave(s);
        CHECK(s.process(event<5>{}) == to_p + "E 1, E m, E y, E 2, E d");
    }
}

TEST_CASE("a parallel that remembers returns to all its leaves, unless the transition has another target in it") {
    history_owners t;
    t.p.remembers_deep();
    t.out.to(t.c).on<event<5>>();
    t.out.to(t.two).on<event<6>>();
    started s(std::move(t.root));
    CHECK(s.process(event<3>{}) == to_p + "E 1, E a, E 2, E c");
    s.process(event<9>{});
    leave(s);
    SUBCASE("all") { CHECK(s.process(event<3>{}) == to_p + "E 1, E m, E y, E 2, E d"); }
    SUBCASE("by its machine's entry choice") { CHECK(s.process(event<4>{}) == to_p + "E 1, E m, E y, E 2, E d"); }
    SUBCASE("a target in one region") { CHECK(s.process(event<5>{}) == to_p + "E 1, E a, E 2, E c"); }
    SUBCASE("a region as the target") { CHECK(s.process(event<6>{}) == to_p + "E 1, E a, E 2, E c"); }
}

TEST_CASE("shallow history of a machine around a parallel restores the parallel, deep history the leaves of all regions") {
    history_owners t;
    t.m.initial(t.z);
    SUBCASE("shallow") {
        t.m.remembers();
        started s(std::move(t.root));
        leave(s);
        CHECK(s.process(event<4>{}) == to_p + "E 1, E a, E 2, E c");
    }
    SUBCASE("deep") {
        t.m.remembers_deep();
        started s(std::move(t.root));
        leave(s);
        CHECK(s.process(event<4>{}) == to_p + "E 1, E m, E y, E 2, E d");
    }
    SUBCASE("deep, but last exited in another substate") {
        t.m.remembers_deep();
        t.p.to(t.z).on<event<5>>();
        started s(std::move(t.root));
        leave(s);
        s.process(event<4>{});
        s.process(event<5>{});
        s.process(event<9>{});
        CHECK(s.process(event<4>{}) == "X B, E M, E z");
    }
    SUBCASE("deep and never exited: the entry choice") {
        t.m.remembers_deep();
        started s(std::move(t.root));
        CHECK(s.process(event<4>{}) == "X B, E M, E z");
    }
}

TEST_CASE("history states of a parallel lead to the default, then to the record") {
    history_owners t;
    auto& shallow = t.p.add_history("shallow");
    auto& deep = t.p.add_deep_history("deep");
    t.out.to(shallow).on<event<5>>();
    t.out.to(deep).on<event<6>>();
    SUBCASE("no default: all regions by default") {
        started s(std::move(t.root));
        CHECK(s.process(event<6>{}) == to_p + "E 1, E a, E 2, E c");
        s.process(event<9>{});
        leave(s);
        CHECK(s.process(event<6>{}) == to_p + "E 1, E m, E y, E 2, E d");
        s.process(event<9>{});
        CHECK(s.process(event<5>{}) == to_p + "E 1, E a, E 2, E c");
    }
    SUBCASE("a default in both regions, whose action runs behind the parallel's enter") {
        deep.otherwise(t.x, t.d).then(tracing("default"));
        started s(std::move(t.root));
        CHECK(s.process(event<6>{}) == to_p + "default, E 1, E m, E x, E 2, E d");
        s.process(event<9>{});
        leave(s);
        CHECK(s.process(event<6>{}) == to_p + "E 1, E m, E y, E 2, E d");
    }
    SUBCASE("a default in one region, the other one by default") {
        shallow.otherwise(t.d).then(tracing("default"));
        started s(std::move(t.root));
        CHECK(s.process(event<5>{}) == to_p + "default, E 1, E a, E 2, E d");
        s.process(event<9>{});
        CHECK(s.process(event<5>{}) == to_p + "E 1, E a, E 2, E c");
    }
}

TEST_CASE("history states inside a region, and of the machine around the parallel") {
    history_owners t;
    auto& of_region = t.one.add_deep_history("of region");
    auto& of_machine = t.m.add_deep_history("of machine");
    t.out.to(of_region).on<event<5>>();
    t.out.to(of_machine).on<event<6>>();
    t.out.to(of_region, t.d).on<event<7>>();
    started s(std::move(t.root));
    CHECK(s.process(event<5>{}) == to_p + "E 1, E a, E 2, E c");
    s.process(event<9>{});
    leave(s);
    CHECK(s.process(event<5>{}) == to_p + "E 1, E m, E y, E 2, E c");
    s.process(event<9>{});
    CHECK(s.process(event<7>{}) == to_p + "E 1, E m, E y, E 2, E d");
    s.process(event<9>{});
    CHECK(s.process(event<6>{}) == to_p + "E 1, E m, E y, E 2, E d");
}

TEST_CASE("all regions are recorded before the first exit, also those that the step enters again") {
    history_owners t;
    t.p.remembers_deep();
    t.y.to(t.p).on<event<5>>(); // a parallel does not stay: it exits and is entered again
    started s(std::move(t.root));
    s.process(event<3>{});
    s.process(event<1>{});
    s.process(event<2>{});
    CHECK(s.process(event<5>{}) == "X d, X 2, X y, X m, X 1, X P, E P, E 1, E m, E y, E 2, E d");
}

TEST_CASE("a transition from inside to the history of its own parallel returns to the states that it exits") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        history_owners t;
        auto& deep = t.p.add_deep_history("deep");
        t.y.to(deep).on<event<5>>().external();
        started s(std::move(t.root), {.order = order});
        s.process(event<3>{});
        s.process(event<1>{});
        CHECK(s.process(event<5>{}) == "X c, X 2, X y, X m, X 1, X P, E P, E 1, E m, E y, E 2, E c");
        s.process(event<2>{});
        CHECK(s.process(event<5>{}) == "X d, X 2, X y, X m, X 1, X P, E P, E 1, E m, E y, E 2, E d");
    }
}

TEST_CASE("history does not return to a final state, unless finals are remembered") {
    const auto define = [] {
        history_owners t;
        t.p.remembers_deep();
        auto& end = traced_final(t.inner.add_final("end"));
        t.y.to(end).on<event<5>>();
        return std::move(t.root);
    };
    const auto back = [](started& s) {
        s.process(event<3>{});
        s.process(event<1>{});
        s.process(event<2>{});
        s.process(event<5>{});
        s.process(event<9>{});
        return s.process(event<3>{});
    };
    SUBCASE("its machine makes its entry choice, and the other region returns to its record") {
        started s(define());
        CHECK(back(s) == to_p + "E 1, E m, E x, E 2, E d");
    }
    SUBCASE("remember_finals") {
        started s(define(), {.remember_finals = true});
        CHECK(back(s) == to_p + "E 1, E m, E end, E 2, E d");
    }
}

TEST_CASE("a region that finished itself starts from the beginning when its parallel returns to its record") {
    two_regions t;
    t.p.remembers_deep();
    auto& end = traced_final(t.one.add_final("end"));
    t.a.to(end).on<event<1>>();
    t.c.to(t.d).on<event<1>>();
    t.p.to(t.out).on<event<2>>();
    t.out.to(t.p).on<event<3>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(leaves_of(m.agent) == "end d");
    m.process(event<2>{});
    CHECK(m.process(event<3>{}) == "X B, E P, E 1, E a, E 2, E d");
}

TEST_CASE("a region that was exited at rest is entered, and makes its entry choice again") {
    two_regions t;
    t.p.remembers_deep();
    t.one.dispatch(t.a).when(&recorder::go);
    t.c.to(t.d).on<event<1>>();
    t.p.to(t.out).on<event<2>>();
    t.out.to(t.p).on<event<3>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.process(event<2>{}) == "X d, X 2, X 1, X P, E B");
    CHECK(m.process(event<3>{}) == "X B, E P, E 1, E 2, E d");
    m.process(event<2>{});
    m.r.go = true;
    CHECK(m.process(event<3>{}) == "X B, E P, E 1, E a, E 2, E d");
}

TEST_CASE("nested parallels: a deep record holds every leaf") {
    auto root = root_of();
    auto& p = traced(root->add_parallel("P").remembers_deep());
    auto& q = traced(p.add_parallel("Q"));
    auto& q1 = traced(q.add_fsm("q1"));
    auto& x = traced(q1.add("x"));
    auto& w = traced(q1.add("w"));
    traced(traced(q.add_fsm("q2")).add("y"));
    auto& r = traced(p.add_fsm("r"));
    auto& u = traced(r.add("u"));
    auto& v = traced(r.add("v"));
    auto& out = traced(root->add("out"));
    x.to(w).on<event<1>>();
    u.to(v).on<event<1>>();
    p.to(out).on<event<2>>();
    out.to(p).on<event<3>>();
    started m(std::move(root));
    m.process(event<1>{});
    CHECK(m.process(event<2>{}) == "X v, X r, X y, X q2, X w, X q1, X Q, X P, E out");
    CHECK(m.process(event<3>{}) == "X out, E P, E Q, E q1, E w, E q2, E y, E r, E v");
}

TEST_CASE("the default's action of a history state runs even if the history's superstate is not entered") {
    two_regions t;
    auto& h = t.one.add_history("h");
    h.otherwise(t.b).then(tracing("default"));
    t.a.to(h).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X a, default, E b");
    m.stop();
    m.start();
    m.r.take();
    CHECK(m.process(event<1>{}) == "X a, E b"); // exits in b
}

TEST_CASE("shallow history of a parallel returns to its regions, not to its deep record of them") {
    history_owners t;
    t.p.remembers_deep();
    auto& shallow = t.p.add_history("shallow");
    t.out.to(shallow).on<event<5>>();
    t.one.on_enter([](recorder& r, hsm::step<recorder>& s) { r.note(to_string(s.reason())); });
    started s(std::move(t.root));
    s.process(event<3>{});
    s.process(event<1>{});
    s.process(event<9>{});
    CHECK(s.process(event<5>{}) == to_p + "E 1, history, E a, E 2, E c");
}

TEST_CASE("records survive stop and start; reset clears them") {
    two_regions t;
    t.p.remembers_deep();
    t.a.to(t.b).on<event<1>>();
    started m(std::move(t.root));
    m.process(event<1>{});
    CHECK(m.stop() == "X c, X 2, X b, X 1, X P");
    CHECK(m.start() == "E P, E 1, E b, E 2, E c");
    m.agent.reset();
    CHECK(m.start() == "E P, E 1, E a, E 2, E c");
}

TEST_CASE("the reason is history for restored states, and entry for states entered by default") {
    history_owners t;
    t.one.remembers();
    t.p.remembers_deep();
    const auto why = [](hsm::state<recorder>& s) { s.on_enter([](recorder& r, hsm::step<recorder>& step) { r.note(to_string(step.reason())); }); };
    for (auto* s : {&t.x, &t.y, &t.c, &t.d}) why(*s);
    why(t.p);
    why(t.one);
    started s(std::move(t.root));
    s.process(event<3>{});
    s.process(event<1>{});
    s.process(event<9>{});
    CHECK(s.process(event<3>{}) == to_p + "event, E 1, history, E m, E y, history, E 2, E c, history");
}

TEST_CASE("substate_first, external: the level of a transition to a history state is that of its record") {
    // M{ h, m{x,y} z }: from x to h inside M, SCXML's domain is that of x and the recorded state.
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& h = m.add_deep_history("h");
    auto& inner = traced(m.add_fsm("m"));
    auto& x = traced(inner.add("x"));
    auto& y = traced(inner.add("y"));
    auto& z = traced(m.add("z"));
    auto& out = traced(root->add("B"));
    x.to(y).on<event<1>>();
    y.to(x).on<event<2>>();
    m.to(out).on<event<9>>().external();
    out.to(m).on<event<3>>().external();
    x.to(h).on<event<4>>().external();
    z.to(h).on<event<4>>().external();
    x.to(z).on<event<5>>();
    h.otherwise(z);
    started s(std::move(root), substates_first);
    CHECK(s.process(event<4>{}) == "X x, X m, E z"); // without a record: the default, its level is M
    CHECK(s.process(event<4>{}) == "X z, E z");
    s.process(event<9>{});
    s.process(event<3>{});
    s.process(event<1>{});
    s.process(event<9>{}); // exits in y
    s.process(event<3>{});
    CHECK(s.process(event<4>{}) == "X x, E y"); // m is the level
}

TEST_CASE("a deep record of a machine at rest enters it by default, so its own newer record is used") {
    auto root = root_of();
    traced(root->add("B"));
    auto& m = traced(root->add_fsm("M"));
    auto& z = traced(m.add("z"));
    auto& h = m.add_deep_history("h");
    auto& inner = traced(m.add_fsm("inner").remembers());
    auto& p = traced(inner.add("p"));
    auto& q = traced(inner.add("q"));
    inner.dispatch(p).when(&recorder::go);
    root->to(m).on<event<3>>();
    m.to("B").on<event<9>>();
    z.to(inner).on<event<1>>();
    z.to(h).on<event<4>>();
    inner.to(z).on<event<5>>();
    p.to(q).on<event<6>>();
    SUBCASE("without regions") {}
    SUBCASE("with regions elsewhere") { root->add_parallel("P").add("never entered"); }
    started s(std::move(root));
    s.process(event<3>{});
    CHECK(s.process(event<1>{}) == "X z, E inner");
    CHECK(s.process(event<9>{}) == "X inner, X M, E B"); // M's record: inner, at rest
    s.process(event<3>{});
    s.r.go = true;
    CHECK(s.process(event<1>{}) == "X z, E inner, E p");
    s.process(event<6>{});
    CHECK(s.process(event<5>{}) == "X q, X inner, E z"); // inner's own record: q
    CHECK(s.process(event<4>{}) == "X z, E inner, E q");
}
