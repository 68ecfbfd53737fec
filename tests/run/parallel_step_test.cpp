// What a step of several regions reports to hooks and to on_change: its source and its reason.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

void note_step(recorder& r, hsm::step<recorder>& s, std::string who) {
    r.note(who + " " + std::string(s.source().name()) + ">" + std::string(s.target().name()) + " from " + std::string(s.previous().name()) + ", " +
           std::string(to_string(s.reason())));
}

/// The state's hooks record what their step reports.
template <class State> State& noted(State& state) {
    const std::string name(state.name());
    state.on_enter([name](recorder& r, hsm::step<recorder>& s) { note_step(r, s, "E " + name); });
    state.on_exit([name](recorder& r, hsm::step<recorder>& s) { note_step(r, s, "X " + name); });
    return state;
}

/// R{ P{ 1{a,b} 2{c,d} }, B } with such hooks in all states.
struct noting_house {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::parallel<recorder>& p = noted(root->add_parallel("P"));
    hsm::fsm<recorder>& one = noted(p.add_fsm("1"));
    hsm::state<recorder>& a = noted(one.add("a"));
    hsm::state<recorder>& b = noted(one.add("b"));
    hsm::fsm<recorder>& two = noted(p.add_fsm("2"));
    hsm::state<recorder>& c = noted(two.add("c"));
    hsm::state<recorder>& d = noted(two.add("d"));
    hsm::state<recorder>& out = noted(root->add("B"));
};

/// Records each call of on_change as "who: from>to, why".
auto noticing(std::string who) {
    return [who](recorder& r, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
        r.note(who + ": " + std::string(from.name()) + ">" + std::string(to.name()) + ", " + std::string(to_string(why)));
    };
}

} // namespace

TEST_CASE("each hook of a step receives the transition whose states it exits and enters") {
    noting_house t;
    const auto acting = [](recorder& r, hsm::step<recorder>& s) { note_step(r, s, "then in " + std::string(s.state().name()) + ":"); };
    t.a.to(t.b).on<event<1>>().then(acting);
    t.c.to(t.d).on<event<1>>().then(acting);
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c c>d from c, event, X a a>b from a, event, "
                                   "then in 1: a>b from a, event, then in 2: c>d from c, event, "
                                   "E b a>b from a, event, E d c>d from c, event");
}

TEST_CASE("in steps out of and into a parallel, the state before is the innermost state that all regions share") {
    noting_house t;
    t.a.to(t.out).on<event<1>>();
    t.out.to(t.d).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c a>B from P, event, X 2 a>B from P, event, X a a>B from P, event, "
                                   "X 1 a>B from P, event, X P a>B from P, event, E B a>B from P, event");
    // states that are not on the way to the target are entered by an entry choice
    CHECK(m.process(event<2>{}) == "X B B>d from B, event, E P B>d from B, event, E 1 B>d from B, entry, "
                                   "E a B>d from B, entry, E 2 B>d from B, event, E d B>d from B, event");
}

TEST_CASE("a parallel as the target: its regions are entered by an entry choice") {
    noting_house t;
    t.root->initial(t.out);
    t.out.to(t.p).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X B B>P from B, event, E P B>P from B, event, E 1 B>P from B, entry, "
                                   "E a B>P from B, entry, E 2 B>P from B, entry, E c B>P from B, entry");
}

TEST_CASE("on_change reports the first target of a fork; all its entries belong to the transition") {
    noting_house t;
    t.root->initial(t.out);
    t.out.to(t.d, t.b).on<event<1>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X B B>d from B, event, E P B>d from B, event, E 1 B>d from B, event, "
                                   "E b B>d from B, event, E 2 B>d from B, event, E d B>d from B, event");
}

TEST_CASE("the step of a reaction describes its own region") {
    noting_house t;
    const auto acting = [](recorder& r, hsm::step<recorder>& s) { note_step(r, s, "in " + std::string(s.state().name()) + ":"); };
    t.c.on<event<1>>().then(acting);
    t.p.on<event<2>>().then(acting);
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "in c: c>none from c, event");
    CHECK(m.process(event<2>{}) == "in P: P>none from P, event");
}

TEST_CASE("in a hook, the entered states that have not exited are active") {
    two_regions t;
    t.from_outside();
    t.out.to(t.b, t.d).on<event<1>>();
    t.b.on_enter([](recorder& r, hsm::step<recorder>& s) { r.note(s.is_in("R/P/2") ? "2 already" : "not yet 2"); });
    t.d.on_enter([](recorder& r, hsm::step<recorder>& s) {
        r.note(s.is_in("R/P/1/b") ? "in b" : "not in b");
        r.note(s.current().name());
    });
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X B, E P, E 1, E b, not yet 2, E 2, E d, in b, P");
}

TEST_CASE("on_change runs once for each transition of a step, with the old and new state of its own region") {
    two_regions t;
    t.root->on_change(noticing("R"));
    t.one.on_change(noticing("1"));
    t.two.on_change(noticing("2"));
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<1>>();
    t.b.to(t.out).on<event<2>>();
    t.out.to(t.d).on<event<3>>();
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X a, E b, E d, R: a>b, event, 1: a>b, event, R: c>d, event, 2: c>d, event");
    CHECK(m.process(event<2>{}) == "X d, X 2, X b, X 1, X P, E B, R: P>B, event");
    CHECK(m.process(event<3>{}) == "X B, E P, E 1, E a, E 2, E d, R: B>P, event, 1: B>P, event, 2: B>P, event");
    m.stop();
    CHECK(m.start() == "E P, E 1, E a, E 2, E c, R: none>P, start, 1: none>P, start, 2: none>P, start");
}

TEST_CASE("on_change does not run for reactions, or for a machine that was entered and rests") {
    two_regions t;
    t.from_outside();
    t.one.dispatch(t.a).when(&recorder::go);
    t.one.on_change(noticing("1"));
    t.two.on_change(noticing("2"));
    t.c.on<event<1>>().then(tracing("reaction"));
    t.out.to(t.p).on<event<2>>();
    started m(std::move(t.root));
    CHECK(m.process(event<2>{}) == "X B, E P, E 1, E 2, E c, 2: B>P, event");
    CHECK(m.process(event<1>{}) == "reaction");
    m.r.go = true;
    CHECK(m.decide() == "E a, 1: 1>a, entry");
}

TEST_CASE("on_change of a machine around a parallel runs for the steps in its regions") {
    auto root = root_of();
    auto& m = root->add_fsm("M").on_change(noticing("M"));
    auto& p = m.add_parallel("P");
    auto& one = p.add_fsm("1");
    auto& deep = one.add_fsm("deep").on_change(noticing("deep"));
    auto& x = deep.add("x");
    auto& y = deep.add("y");
    auto& z = one.add("z");
    p.add("2");
    x.to(y).on<event<1>>();
    y.to(z).on<event<2>>();
    z.to(deep).on<event<3>>();
    started s(std::move(root));
    CHECK(s.process(event<1>{}) == "M: x>y, event, deep: x>y, event");
    CHECK(s.process(event<2>{}) == "M: y>z, event");
    CHECK(s.process(event<3>{}) == "M: z>x, event, deep: z>x, event");
}
