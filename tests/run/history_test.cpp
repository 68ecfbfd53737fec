// T17: machines with history, and history states.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {

/// R{ A{ Y, Z{ p, q } }, out }: event 1 exits A, event 2 enters it, event 3 leads from Y to q.
struct house {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::fsm<recorder>& a = traced(root->add_fsm("A"));
    hsm::state<recorder>& y = traced(a.add("Y"));
    hsm::fsm<recorder>& z = traced(a.add_fsm("Z"));
    hsm::state<recorder>& p = traced(z.add("p"));
    hsm::state<recorder>& q = traced(z.add("q"));
    hsm::state<recorder>& out = traced(root->add("out"));

    house() {
        a.to(out).on<event<1>>();
        out.to(a).on<event<2>>();
        y.to(q).on<event<3>>();
    }
};

/// Returns the path after A has exited in q and was entered again.
std::string back_from_q(house& h) {
    started m(std::move(h.root));
    m.process(event<3>{});
    CHECK(m.path() == "R/A/Z/q");
    m.process(event<1>{});
    m.process(event<2>{});
    return m.path();
}

auto noting_reason(std::string who) {
    return [who](recorder& r, hsm::step<recorder>& s) { r.note(who + " " + std::string(to_string(s.reason()))); };
}

} // namespace

TEST_CASE("T17: a machine that remembers returns to the substate in which it was exited") {
    house h;
    SUBCASE("without history: its first substate") { CHECK(back_from_q(h) == "R/A/Y"); }
    SUBCASE("remembers: its last direct substate") {
        h.a.remembers();
        CHECK(back_from_q(h) == "R/A/Z/p");
    }
    SUBCASE("the machine and its substate remember") {
        h.a.remembers();
        h.z.remembers();
        CHECK(back_from_q(h) == "R/A/Z/q");
    }
    SUBCASE("remembers deep: its last leaf") {
        h.a.remembers_deep();
        CHECK(back_from_q(h) == "R/A/Z/q");
    }
}

TEST_CASE("a machine that remembers makes its entry choice at its first entry") {
    house h;
    h.a.remembers().initial(h.q);
    const auto chart = hsm::compile(std::move(h.root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E A, E Z, E q");
}

TEST_CASE("history comes before the choices; an explicit target before history") {
    house h;
    h.a.remembers();
    h.a.dispatch(h.y);
    h.out.to(h.p).on<event<4>>();
    started m(std::move(h.root));
    m.process(event<3>{});
    m.process(event<1>{});
    SUBCASE("history") { CHECK(m.process(event<2>{}) == "X out, E A, E Z, E p"); }
    SUBCASE("explicit") {
        CHECK(m.process(event<4>{}) == "X out, E A, E Z, E p");
        m.process(event<1>{});
        CHECK(m.process(event<2>{}) == "X out, E A, E Z, E p");
    }
}

TEST_CASE("a transition that does not exit the machine changes no record") {
    house h;
    h.z.remembers();
    h.q.to(h.y).on<event<4>>();
    h.y.to(h.p).on<event<5>>();
    h.p.to(h.q).on<event<6>>();
    h.y.to(h.z).on<event<7>>();
    started m(std::move(h.root));
    m.process(event<3>{}); // Y to q
    m.process(event<4>{}); // q to Y: Z exits in q
    m.process(event<5>{}); // Y to p: explicit
    m.process(event<6>{}); // p to q
    m.process(event<4>{});
    CHECK(m.process(event<7>{}) == "X Y, E Z, E q");
}

TEST_CASE("history is recorded before the exits run, and survives stop and start; reset clears it") {
    house h;
    h.a.remembers_deep();
    h.root->initial(h.a);
    started m(std::move(h.root));
    m.process(event<3>{});
    CHECK(m.stop() == "X q, X Z, X A");
    SUBCASE("stop and start") { CHECK(m.start() == "E A, E Z, E q"); }
    SUBCASE("reset") {
        CHECK(m.agent.reset() == hsm::result::taken);
        CHECK(m.start() == "E A, E Y");
    }
}

TEST_CASE("a root that remembers continues in the state in which it was stopped") {
    auto root = root_of();
    root->remembers();
    root->add("A");
    traced(root->add("B"));
    started m(std::move(root));
    m.change_to("B");
    m.stop();
    CHECK(m.start() == "E B");
}

TEST_CASE("a final state is not remembered") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    auto& out = traced(root->add("out"));
    auto& z = traced(a.add_fsm("Z"));
    traced(z.add("p"));
    auto& q = traced(z.add("q"));
    auto& end = z.add_final("end");
    q.to(end).on<event<1>>();
    a.to(out).on<event<2>>();
    out.to(a).on<event<3>>();
    SUBCASE("with deep history, its machine is remembered") {
        a.remembers_deep();
        started m(std::move(root));
        m.change_to(q);
        m.process(event<1>{});
        m.process(event<2>{});
        CHECK(m.process(event<3>{}) == "X out, E A, E Z, E p");
    }
    SUBCASE("the final state's machine has no record, and its former record is cleared") {
        z.remembers();
        started m(std::move(root));
        m.change_to(q);
        m.process(event<2>{});
        CHECK(m.process(event<3>{}) == "X out, E A, E Z, E q");
        m.process(event<1>{});
        m.process(event<2>{});
        CHECK(m.process(event<3>{}) == "X out, E A, E Z, E p");
    }
}

TEST_CASE("a machine that was exited at rest has no record") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).remembers();
    auto& out = traced(root->add("out"));
    auto& y = traced(a.add("Y"));
    auto& z = traced(a.add("Z"));
    a.dispatch(y).when(&recorder::go);
    a.to(out).on<event<1>>();
    out.to(a).on<event<2>>();
    started m(std::move(root));
    CHECK(m.path() == "R/A");
    m.change_to(z);
    m.process(event<1>{});
    CHECK(m.process(event<2>{}) == "X out, E A, E Z");
    m.change_to(a); // to its own superstate: the entry choice is made again, and refused
    CHECK(m.path() == "R/A");
    m.process(event<1>{});
    m.r.take();
    CHECK(m.process(event<2>{}) == "X out, E A");
}

TEST_CASE("an entry choice at rest never uses history") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).remembers();
    auto& out = traced(root->add("out"));
    auto& y = traced(a.add("Y"));
    auto& z = traced(a.add("Z"));
    a.to(out).on<event<1>>();
    out.to(a).on<event<2>>();
    y.to(z).on<event<3>>();
    z.on_enter([](recorder& r) {
        if (r.go) throw std::runtime_error("enter");
    });
    started m(std::move(root));
    m.process(event<3>{});
    m.process(event<1>{});
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<2>{}), std::runtime_error);
    CHECK(m.r.take() == "X out, E A, E Z"); // the first of two enter hooks
    CHECK(m.path() == "R/A");
    m.r.go = false;
    CHECK(m.tick() == "U A, E Y, U Y");
}

TEST_CASE("a transition to an own superstate makes the entry choice without its history; inner machines may use theirs") {
    house h;
    h.a.remembers();
    h.z.remembers();
    h.a.initial(h.z);
    h.y.to(h.a).on<event<4>>();
    h.z.to(h.y).on<event<5>>();
    started m(std::move(h.root));
    m.change_to(h.q);
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.path() == "R/A/Z/q"); // A remembers Z, Z remembers q
    m.process(event<5>{});
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.path() == "R/A/Y"); // A remembers Y
    m.r.take();
    CHECK(m.process(event<4>{}) == "X Y, E Z, E q"); // not by A's history, but by Z's
}

TEST_CASE("a transition to a history state enters the substate, or with deep history the leaf, in which the machine was exited") {
    house h;
    SUBCASE("shallow") { h.out.to(h.a.add_history("back")).on<event<4>>(); }
    SUBCASE("deep") { h.out.to(h.a.add_deep_history("back")).on<event<4>>(); }
    const bool deep = h.a.substates().back()->history_kind() == hsm::history_depth::deep;
    started m(std::move(h.root));
    m.process(event<3>{});
    m.process(event<1>{});
    CHECK(m.agent.can(event<4>{}).outcome == hsm::result::taken);
    CHECK(m.process(event<4>{}) == (deep ? "X out, E A, E Z, E q" : "X out, E A, E Z, E p"));
    m.process(event<1>{});
    CHECK(m.process(event<2>{}) == "X out, E A, E Y"); // without it, there is no record
}

TEST_CASE("a history state without a record uses its own choice, or else its machine's") {
    house h;
    auto& back = h.a.add_history("back");
    h.out.to(back).on<event<4>>();
    h.root->initial(h.out);
    SUBCASE("its machine's") {
        h.a.initial(h.z).then(tracing("initial of A"));
        started m(std::move(h.root));
        CHECK(m.process(event<4>{}) == "X out, E A, initial of A, E Z, E p");
    }
    SUBCASE("its own") {
        back.otherwise(h.q).then(tracing("otherwise"));
        started m(std::move(h.root));
        CHECK(m.process(event<4>{}) == "X out, E A, otherwise, E Z, E q");
    }
}

TEST_CASE("a default can be another history state, whose default is then used") {
    house h;
    auto& back = h.a.add_history("back");
    auto& deep = h.a.add_deep_history("deep");
    back.otherwise(deep).then(tracing("of back"));
    deep.otherwise(h.q).then(tracing("of deep"));
    SUBCASE("it is the target") {
        h.out.to(back).on<event<4>>();
        h.root->initial(h.out);
        started m(std::move(h.root));
        CHECK(m.process(event<4>{}) == "X out, E A, of back, of deep, E Z, E q");
    }
    SUBCASE("a polled transition is satisfied while that default is active") {
        h.a.to(back).when(&recorder::go);
        started m(std::move(h.root));
        m.r.go = true;
        CHECK(m.tick() == "U A, X Y, of back, of deep, E Z, E q, U Z, U q");
        CHECK(m.tick() == "U A, U Z, U q");
    }
}

TEST_CASE("a history state of an active machine leads to its latest record") {
    house h;
    auto& back = h.a.add_history("back");
    back.otherwise(h.y);
    h.a.to(back).on<event<4>>();
    h.q.to(back).on<event<5>>();
    started m(std::move(h.root));
    m.process(event<3>{});
    m.process(event<1>{});
    m.process(event<2>{});
    CHECK(m.path() == "R/A/Y");
    SUBCASE("from the machine") {
        m.r.take();
        CHECK(m.process(event<4>{}) == "X Y, E Z, E p");
    }
    SUBCASE("from a substate: its machine stays") {
        m.process(event<3>{});
        m.r.take();
        CHECK(m.process(event<5>{}) == "X q, X Z, E Z, E p");
    }
}

TEST_CASE("an external transition to an own history state exits the machine first, and returns to the recorded state") {
    house h;
    auto& back = h.a.add_deep_history("back");
    h.a.to(back).on<event<4>>().external();
    started m(std::move(h.root));
    m.process(event<3>{});
    CHECK(m.process(event<4>{}) == "X q, X Z, X A, E A, E Z, E q");
}

TEST_CASE("dispatch, initial and requests may name a history state, too") {
    house h;
    auto& back = h.a.add_deep_history("back");
    SUBCASE("request") {
        started m(std::move(h.root));
        m.process(event<3>{});
        m.process(event<1>{});
        CHECK(m.change_to(back) == "X out, E A, E Z, E q");
    }
    SUBCASE("initial of the machine itself") {
        back.otherwise(h.z);
        h.a.initial(back);
        started m(std::move(h.root));
        CHECK(m.path() == "R/A/Z/p");
        m.change_to(h.q);
        m.process(event<1>{});
        CHECK(m.process(event<2>{}) == "X out, E A, E Z, E q");
    }
    SUBCASE("dispatch of the superstate") {
        h.root->dispatch(back);
        started m(std::move(h.root));
        CHECK(m.path() == "R/A/Y");
        m.process(event<3>{});
        m.stop();
        CHECK(m.start() == "E A, E Z, E q");
    }
}

TEST_CASE("a polled transition of a superstate to a history state is satisfied while its machine is active") {
    house h;
    h.root->to(h.a.add_history("back")).when(&recorder::go);
    started m(std::move(h.root));
    m.process(event<3>{});
    m.r.go = true;
    CHECK(m.tick() == "U A, U Z, U q");
    m.process(event<1>{});
    CHECK(m.tick() == "X out, E A, E Z, E p, U A, U Z, U p");
}

TEST_CASE("a history state is never active, and never the first substate of a machine") {
    auto root = root_of();
    auto& a = root->add_fsm("A");
    a.add_history("back");
    traced(a.add("Y"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E Y");
    CHECK_FALSE(agent.is_in("back"));
}

TEST_CASE("enter hooks receive the cause: the transition, an entry choice, history") {
    auto root = root_of();
    auto& a = root->add_fsm("A").on_enter(noting_reason("A"));
    auto& out = root->add("out").on_exit(noting_reason("exit"));
    a.add("Y").on_enter(noting_reason("Y"));
    auto& z = a.add_fsm("Z").on_enter(noting_reason("Z"));
    auto& p = z.add("p").on_enter(noting_reason("p"));
    auto& q = z.add("q").on_enter(noting_reason("q"));
    z.initial(p).then(noting_reason("initial"));
    auto& back = a.add_history("back");
    back.otherwise(q).then(noting_reason("otherwise"));
    out.to(back).on<event<1>>().then(noting_reason("action"));
    out.to(z).on<event<2>>();
    a.to(out).on<event<3>>();
    root->initial(out);
    root->on_change([](recorder& r, hsm::state_ref, hsm::state_ref, hsm::reason why) { r.note("change " + std::string(to_string(why))); });
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "exit event, action event, A event, otherwise entry, Z entry, q entry, change event");
    m.process(event<3>{});
    m.r.take();
    CHECK(m.process(event<1>{}) == "exit event, action event, A event, Z history, initial entry, p entry, change event");
    m.process(event<3>{});
    m.r.take();
    CHECK(m.process(event<2>{}) == "exit event, A event, Z event, initial entry, p entry, change event");
}

TEST_CASE("T39: a machine's polled transition to its own history state is satisfied while the state that it leads to is active") {
    auto root = root_of();
    auto& m = traced(root->add_fsm("M"));
    auto& a = traced(m.add("a"));
    auto& b = traced(m.add("b"));
    m.to(m.add_history("H"));
    a.to(b).on<event<1>>();
    SUBCASE("superstate_first") {
        started s(std::move(root));
        CHECK(s.tick() == "U M, U a");
        CHECK(s.process(event<1>{}) == "X a, E b");
        CHECK(s.tick() == "U M, X b, E a, U a");
        CHECK(s.tick() == "U M, U a");
    }
    SUBCASE("substate_first") {
        started s(std::move(root), substates_first);
        CHECK(s.tick() == "U M, U a");
        CHECK(s.process(event<1>{}) == "X a, E b");
        CHECK(s.tick() == "X b, E a, U M, U a");
        CHECK(s.tick() == "U M, U a");
    }
}

TEST_CASE("a history state leads to its record, its default, or the entry choice of its machine") {
    house h;
    auto& back = h.a.add_deep_history("back");
    h.a.to(back).when(&recorder::go);
    SUBCASE("the record") {
        started m(std::move(h.root));
        m.process(event<3>{});
        m.process(event<1>{}); // exits in q
        m.process(event<2>{}); // entered in Y
        m.r.go = true;
        CHECK(m.tick() == "U A, X Y, E Z, E q, U Z, U q");
        CHECK(m.tick() == "U A, U Z, U q");
    }
    SUBCASE("the default") {
        back.otherwise(h.q);
        started m(std::move(h.root));
        m.r.go = true;
        CHECK(m.tick() == "U A, X Y, E Z, E q, U Z, U q");
        CHECK(m.tick() == "U A, U Z, U q");
    }
    SUBCASE("a dispatch choice whose guard holds, or the initial state") {
        h.a.dispatch(h.z).when(&recorder::ready);
        h.a.initial(h.y);
        started m(std::move(h.root));
        m.r.go = true;
        CHECK(m.tick() == "U A, U Y");
        m.r.ready = true;
        CHECK(m.tick() == "U A, X Y, E Z, E p, U Z, U p");
        CHECK(m.tick() == "U A, U Z, U p");
    }
    SUBCASE("it blocks the later transitions of its level only while it is satisfied") {
        h.a.to(h.y).when(&recorder::ready);
        back.otherwise(h.q);
        started m(std::move(h.root));
        m.r.go = m.r.ready = true;
        CHECK(m.tick() == "U A, X Y, E Z, E q, U Z, U q");
        CHECK(m.tick() == "U A, U Z, U q");
        m.r.go = false;
        CHECK(m.tick() == "U A, X q, X Z, E Y, U Y");
    }
    SUBCASE("reenter") {
        back.otherwise(h.y);
        h.a.to(back).when(&recorder::ready).reenter();
        started m(std::move(h.root));
        m.r.ready = true;
        CHECK(m.tick() == "U A, X Y, E Y, U Y");
    }
}

TEST_CASE("if the transition exits the history's machine, its active states count as recorded") {
    house h;
    SUBCASE("the state that the machine is in") {
        h.root->to(h.a.add_history("back"));
        started m(std::move(h.root));
        m.process(event<3>{});
        CHECK(m.tick() == "U A, U Z, U q"); // shallow: Z is active
    }
    SUBCASE("from outside it is entered") {
        h.root->to(h.a.add_deep_history("back"));
        h.root->initial(h.out);
        started m(std::move(h.root));
        CHECK(m.tick() == "X out, E A, E Y, U A, U Y");
        CHECK(m.tick() == "U A, U Y");
    }
    SUBCASE("a machine at rest has no state to return to") {
        h.a.dispatch(h.y).when(&recorder::ready);
        h.root->to(h.a.add_history("back")).when(&recorder::go);
        started m(std::move(h.root));
        CHECK(m.path() == "R/A");
        m.r.go = true;
        CHECK(m.tick() == "U A"); // the record leads to resting
        m.r.ready = true;
        CHECK(m.tick() == "X A, E A, E Y, U A, U Y");
    }
}

namespace {

/// R{ A{ Y, Z{ p, q }, W, back }, out }: events 1 to 3 lead to Y, Z and W, event 4 to the previous substate; 5 exits A, 6 enters it.
struct hands {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::fsm<recorder>& a = traced(root->add_fsm("A"));
    hsm::state<recorder>& y = traced(a.add("Y"));
    hsm::fsm<recorder>& z = traced(a.add_fsm("Z"));
    hsm::state<recorder>& p = traced(z.add("p"));
    hsm::state<recorder>& q = traced(z.add("q"));
    hsm::state<recorder>& w = traced(a.add("W"));
    hsm::history<recorder>& back = a.add_previous("back");
    hsm::state<recorder>& out = traced(root->add("out"));

    hands() {
        a.to(y).on<event<1>>();
        a.to(z).on<event<2>>();
        a.to(w).on<event<3>>();
        a.to(back).on<event<4>>();
        a.to(out).on<event<5>>();
        out.to(a).on<event<6>>();
        p.to(q).on<event<7>>();
    }
};

} // namespace

TEST_CASE("a transition to a previous state leads to the substate before the present one, and a second one leads back") {
    hands h;
    started m(std::move(h.root));
    m.process(event<2>{});
    m.process(event<7>{});
    CHECK(m.path() == "R/A/Z/q");
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Y");
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Z/p"); // it makes its own entry
    m.process(event<3>{});
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Z/p");
    m.process(event<4>{});
    CHECK(m.path() == "R/A/W");
}

TEST_CASE("a previous state without a record leads to its otherwise, or to the entry choice") {
    hands h;
    SUBCASE("the entry choice") {
        started m(std::move(h.root));
        m.process(event<4>{});
        CHECK(m.path() == "R/A/Y");
    }
    SUBCASE("otherwise") {
        h.back.otherwise(h.w);
        started m(std::move(h.root));
        m.process(event<4>{});
        CHECK(m.path() == "R/A/W");
    }
}

TEST_CASE("a repeated entry of the present substate does not change the previous one") {
    hands h;
    started m(std::move(h.root));
    m.process(event<2>{});
    m.process(event<2>{});
    SUBCASE("inside the machine") {}
    SUBCASE("when the machine exits and is entered again") {
        m.process(event<5>{});
        m.process(event<6>{});
        m.process(event<2>{});
    }
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Y");
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Z/p");
}

TEST_CASE("a previous state passes over choices, transient states and final states") {
    hands h;
    auto& fork = h.a.add_choice("fork");
    fork.otherwise(h.back);
    auto& end = h.a.add_final("end");
    h.a.to(fork).on<event<8>>();
    h.a.to(end).on<event<9>>();
    started m(std::move(h.root));
    m.process(event<3>{});
    m.process(event<8>{}); // by the choice
    CHECK(m.path() == "R/A/Y");
    m.process(event<2>{});
    m.process(event<9>{});
    m.process(event<1>{});
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Z/p");
}

TEST_CASE("reset forgets the previous substate, stop does not") {
    hands h;
    started m(std::move(h.root));
    m.process(event<2>{});
    m.process(event<3>{});
    SUBCASE("stop") {
        m.agent.stop();
        m.agent.start();
        m.process(event<4>{});
        CHECK(m.path() == "R/A/W");
    }
    SUBCASE("reset") {
        m.agent.reset();
        m.agent.start();
        m.process(event<2>{});
        m.agent.reset();
        m.agent.start();
        m.process(event<4>{});
        CHECK(m.path() == "R/A/Y");
    }
}

TEST_CASE("a machine with a previous state and one with history record independently") {
    hands h;
    h.a.remembers();
    started m(std::move(h.root));
    m.process(event<2>{});
    m.process(event<3>{});
    m.process(event<5>{});
    m.process(event<6>{});
    CHECK(m.path() == "R/A/W");
    m.process(event<4>{});
    CHECK(m.path() == "R/A/Z/p");
}

TEST_CASE("a polled transition to a previous state is satisfied only by the entry choice") {
    hands h;
    h.a.to(h.back).when([](const recorder&) { return true; });
    started m(std::move(h.root));
    CHECK(m.tick() == "U A, U Y");
    m.process(event<2>{});
    CHECK(m.tick() == "U A, X p, X Z, E Y, U Y");
    CHECK(m.tick() == "U A, X Y, E Z, E p, U Z, U p");
}
