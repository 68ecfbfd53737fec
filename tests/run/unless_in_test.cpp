// `.unless_in()`: transitions of a superstate that do not fire in some of its substates.

#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

/// R{ alive{ idle, run }, dead }: a hit leads from every state to dead.
struct mortal {
    hsm::owned<hsm::fsm<recorder>> root = root_of();
    hsm::fsm<recorder>& alive = traced(root->add_fsm("alive"));
    hsm::state<recorder>& idle = traced(alive.add("idle"));
    hsm::state<recorder>& run = traced(alive.add("run"));
    hsm::state<recorder>& dead = traced(root->add("dead"));

    mortal() {
        idle.to(run).on<event<2>>();
        dead.to(idle).on<event<9>>();
    }
};

} // namespace

TEST_CASE("a superstate's transition does not fire in a state that unless_in excludes") {
    mortal t;
    t.root->to(t.dead).on<event<1>>().unless_in(t.dead);
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X idle, X alive, E dead");
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(m.r.take() == "");
    CHECK(m.process(event<9>{}) == "X dead, E alive, E idle");
    m.process(event<2>{});
    CHECK(m.process(event<1>{}) == "X run, X alive, E dead");
}

TEST_CASE("unless_in also excludes the substates of a state, and accepts several states") {
    mortal t;
    t.root->to(t.idle).on<event<1>>().unless_in("alive").unless_in(t.dead, "alive/run").then(tracing("never"));
    t.root->on<event<1>>().then(tracing("instead"));
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "instead");
    m.process(event<2>{});
    CHECK(m.process(event<1>{}) == "instead");
}

TEST_CASE("an excluded transition leaves the event to the next one") {
    mortal t;
    t.root->to(t.dead).on<event<1>>().unless_in(t.run);
    t.run.to(t.idle).on<event<1>>();
    started m(std::move(t.root));
    m.process(event<2>{});
    CHECK(m.process(event<1>{}) == "X run, E idle");
    CHECK(m.process(event<1>{}) == "X idle, X alive, E dead");
}

TEST_CASE("guards of an excluded transition are not called") {
    mortal t;
    t.root->to(t.dead).on<event<1>>().unless_in(t.idle).when([](const recorder& r) { return const_cast<recorder&>(r).note("asked"), true; });
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "");
    m.process(event<2>{});
    CHECK(m.process(event<1>{}) == "asked, X run, X alive, E dead");
}

TEST_CASE("polled transitions and reactions can be excluded in states") {
    mortal t;
    t.root->to(t.dead).when(&recorder::go).unless_in(t.idle);
    t.root->when(&recorder::go).unless_in(t.dead).then(tracing("reacts"));
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.tick() == "reacts, U alive, U idle");
    m.process(event<2>{});
    CHECK(m.tick() == "reacts, X run, X alive, E dead, U dead");
    m.agent.force_to("alive");
    m.r.take();
    CHECK(m.tick() == "reacts, U alive, U idle");
}

TEST_CASE("always-transitions and the transitions that compete with a deferral can be excluded") {
    mortal t;
    t.idle.to(t.dead).when(&recorder::go).unless_in(t.idle).always();
    t.alive.to(t.dead).when(&recorder::go).unless_in(t.idle).always();
    started m(std::move(t.root));
    m.r.go = true;
    CHECK(m.process(event<2>{}) == "X idle, E run, X run, X alive, E dead");
}

TEST_CASE("the excluded state may be in another region") {
    two_regions t;
    t.a.to(t.b).on<event<1>>().unless_in(t.c);
    t.c.to(t.d).on<event<2>>();
    t.d.to(t.c).on<event<3>>();
    t.p.to(t.out).on<event<4>>().unless_in(t.b, t.d);
    started m(std::move(t.root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::guarded);
    CHECK(m.process(event<1>{}) == "");
    CHECK(m.process(event<2>{}) == "X c, E d");
    CHECK(m.process(event<4>{}) == "");
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::taken);
    CHECK(m.process(event<1>{}) == "X a, E b");
    m.process(event<3>{});
    CHECK(m.process(event<4>{}) == "");
    m.agent.change_to("a");
    m.r.take();
    CHECK(m.process(event<4>{}) == "X c, X 2, X a, X 1, X P, E B");
}

TEST_CASE("both regions exit their states in one step: the states active before it count") {
    two_regions t;
    t.a.to(t.b).on<event<1>>();
    t.c.to(t.d).on<event<1>>().unless_in(t.b);
    started m(std::move(t.root));
    CHECK(m.process(event<1>{}) == "X c, X a, E b, E d");
}
