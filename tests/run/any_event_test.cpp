// any_event: transitions for the events that nothing else handles.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {
struct hit {
    int damage = 0;
};
enum class key { up, down };
} // namespace

TEST_CASE("any_event takes objects, enumerators and names, known to the chart or not, and its hooks read them") {
    auto root = root_of();
    root->on(hsm::any_event).then([](recorder& r, hsm::step<recorder>& s) {
        if (s.event<hit>()) r.note("hit " + std::to_string(s.event<hit>()->damage));
        if (s.event<key>()) r.note(*s.event<key>() == key::down ? "down" : "up");
        if (!s.event_name().empty()) r.note(s.event_name());
        CHECK(s.source().name() == "R");
    });
    root->add("A");
    auto& b = root->add("B");
    SUBCASE("known to the chart") {
        b.on<hit>();
        b.on<key::down>();
        b.on("wave");
    }
    SUBCASE("unknown") {}
    started m(std::move(root));
    CHECK(m.agent.process(hit{7}) == hsm::result::internal);
    CHECK(m.agent.process(key::down) == hsm::result::internal);
    CHECK(m.agent.process("wave") == hsm::result::internal);
    CHECK(m.r.take() == "hit 7, down, wave");
}

TEST_CASE("any_event comes after all other transitions and deferrals, innermost state first, in both orders") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        auto root = root_of();
        root->on(hsm::any_event).then(tracing("root"));
        root->on<event<1>>().when(&recorder::go).then(tracing("root 1"));
        auto& a = root->add_fsm("A");
        a.on(hsm::any_event).then(tracing("A"));
        a.on(hsm::any_event).priority(1).when(&recorder::ready).then(tracing("A first"));
        a.defer<event<2>>();
        auto& x = a.add("x");
        x.on(hsm::any_event).when(&recorder::go).then(tracing("x"));
        started m(std::move(root), {.order = order});
        CHECK(m.process(event<1>{}) == "A");
        m.r.ready = true;
        CHECK(m.process(event<1>{}) == "A first");
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "root 1");
        CHECK(m.process(event<3>{}) == "x");
        CHECK(m.agent.can(event<3>{}).outcome == hsm::result::internal);
        CHECK(m.agent.process(event<2>{}) == hsm::result::deferred);
        CHECK(m.r.take() == "");
    }
}

TEST_CASE("with regions, one transition on any_event fires, of the innermost state, and only if no region takes the event") {
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        auto root = root_of();
        auto& p = root->add_parallel("P");
        auto& one = p.add_fsm("1");
        auto& a = traced_hooks(one.add("a"));
        auto& b = traced_hooks(one.add("b"));
        auto& two = p.add_fsm("2");
        auto& c = two.add("c");
        p.on(hsm::any_event).then(tracing("P"));
        a.to(b).on(hsm::any_event).when(&recorder::go);
        c.on(hsm::any_event).then(tracing("c"));
        c.on<event<1>>().then(tracing("c 1"));
        started m(std::move(root), {.order = order});
        CHECK(m.process(event<2>{}) == "c");
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "c 1");
        CHECK(m.agent.process(event<2>{}) == hsm::result::taken);
        CHECK(m.r.take() == "X a, E b");
    }
}

TEST_CASE("any_event comes before on_unhandled; without an enabled transition the result is guarded") {
    auto root = root_of();
    root->on_unhandled(tracing("unhandled"));
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on(hsm::any_event).when(&recorder::go);
    started m(std::move(root));
    CHECK(m.agent.process("x") == hsm::result::guarded);
    CHECK(m.agent.can("x").outcome == hsm::result::guarded);
    CHECK(m.r.take() == "");
    m.r.go = true;
    CHECK(m.agent.can("x").outcome == hsm::result::taken);
    CHECK(m.agent.process("x") == hsm::result::taken);
    CHECK(m.process("x") == "unhandled");
}

TEST_CASE("a transition on any_event that a state holds is refused; nothing is pending") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("A")).hold();
    auto& b = traced_hooks(root->add("B"));
    a.to(b).on(hsm::any_event);
    root->on(hsm::any_event).then(tracing("root"));
    root->to(b).on("leave").force();
    started m(std::move(root));
    CHECK(m.process("x") == "root");
    m.agent.release();
    CHECK(m.process("leave") == "X A, E B");
}

TEST_CASE("queues accept names, and the values and objects of types that a transition names, for any_event") {
    auto root = root_of();
    root->on(hsm::any_event).then([](recorder& r, hsm::step<recorder>& s) { r.note(s.event<key>() ? "key" : s.event_name()); });
    auto& b = root->add("A");
    b.on(key::up).when(&recorder::go);
    b.on<event<1>>().then([](recorder&, hsm::step<recorder>& s) {
        CHECK(s.process("inside") == hsm::result::queued);
        CHECK(s.process(key::down) == hsm::result::queued);
        CHECK(s.process(hit{}) == hsm::result::unhandled);
    });
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "inside, key");
    CHECK(m.agent.post("posted") == hsm::result::queued);
    CHECK(m.agent.post(hit{}) == hsm::result::unhandled);
    CHECK(m.tick() == "posted");
}

TEST_CASE("a recalled event can be taken by any_event") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = traced_hooks(root->add("B"));
    a.defer<event<1>>();
    a.to(b).on("go");
    b.on(hsm::any_event).then(tracing("late"));
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::deferred);
    CHECK(m.process("go") == "E B, late");
}

TEST_CASE("timers, completion and events that the machine raises are not offered to any_event") {
    auto root = root_of();
    root->on(hsm::any_event).then([](recorder& r, hsm::step<recorder>& s) { r.note(s.event_name()); });
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    x.to(m.add_final("end")).after(hsm::time_span::from_nanoseconds(10));
    auto& out = root->add("out");
    SUBCASE("no transition waits for the done event") {}
    SUBCASE("one waits, but its guard refuses") { m.to(out).on("done.state.M").when(&recorder::go); }
    started s(std::move(root), {.done_events = true});
    CHECK(s.tick(hsm::time_span::from_nanoseconds(20)) == "");
    CHECK(s.path() == "R/M/end");
    CHECK(s.agent.process("done.state.M") != hsm::result::internal);
    CHECK(s.process("done") == "done");
}
