// Events that a machine raises: done events, and errors of guards.

#include <tests/support/two_regions.hpp>

#include <hsm/run/error.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {

constexpr hsm::compile_options done{.done_events = true};
constexpr hsm::compile_options done_as_scxml{.order = hsm::decision_order::substate_first, .done_events = true};
constexpr hsm::compile_options caught{.guard_error = "error.execution"};

/// Records each done event with its data.
void note_done(hsm::fsm<recorder>& root) {
    root.on(hsm::event_prefix("done.state")).then([](recorder& r, const hsm::named_event& e) {
        r.note(std::string(e.name()) + (e.data() ? "=" + hsm::to_string(e.data()) : ""));
    });
}

} // namespace

TEST_CASE("a machine that enters a final substate raises done.state. and its name, after the enter hooks") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight");
    traced(fight.add("A")).to("won").on<event<1>>();
    fight.add_final("won").on_enter(tracing("E won"));
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}) == "X A, E won, done.state.fight");
}

TEST_CASE("options own the name of the event of a guard that throws") {
    const auto options = [](int n) {
        hsm::compile_options made;
        made.guard_error = "error.of.the.guard.number." + std::to_string(n);
        return made;
    }(7);
    const std::string overwritten(40, '#'); // where the text was
    auto root = root_of();
    root->on(hsm::event_prefix("error")).then([](recorder& r, const hsm::named_event& e) { r.note(std::string(e.name())); });
    root->add("A").on<event<1>>().when([](const recorder&) -> bool { throw std::runtime_error("no"); });
    started m(std::move(root), options);
    CHECK(m.process(event<1>{}) == "error.of.the.guard.number.7");
}

TEST_CASE("without compile_options::done_events nothing is raised") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight");
    fight.add("A").to("won").on<event<1>>();
    fight.add_final("won").on_enter(tracing("E won"));
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "E won");
}

TEST_CASE("the root raises no done event") {
    auto root = root_of();
    note_done(*root);
    root->add("A").to("end").on<event<1>>();
    root->add_final("end");
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}).empty());
    CHECK(m.agent.finished());
}

TEST_CASE("done_id changes the name after done.state., and done_data its data") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight").done_id("the.fight");
    fight.add("A").to("won").on<event<1>>();
    fight.add_final("won").on_enter(tracing("E won")).done_data([](recorder& r) {
        r.note("data");
        return hsm::event_data::object({{"points", 3}});
    });
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}) == "E won, data, done.state.the.fight={\"points\":3}");
}

TEST_CASE("done_data is called only if a transition waits for the event") {
    auto root = root_of();
    auto& fight = root->add_fsm("fight");
    fight.add("A").to("won").on<event<1>>();
    fight.add_final("won").done_data([](recorder& r) { return r.note("data"), 1; });
    root->on("done.state.other");
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}).empty());
}

TEST_CASE("each entry of a final substate raises the event, also in a finished machine") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight");
    auto& a = fight.add("A");
    auto& won = fight.add_final("won");
    a.to(won).on<event<1>>();
    fight.to(a).on<event<2>>();
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}) == "done.state.fight");
    CHECK(m.process(event<2>{}).empty());
    CHECK(m.process(event<1>{}) == "done.state.fight");
}

namespace {
/// R{ P{ L{ l1, (l2) }, Q{ q1, (q2) } } }: events 1 and 2 finish L and Q, 3 finishes both, 4 leads from R into l1, 5 enters P again.
hsm::owned<hsm::fsm<recorder>> two_ends_root() {
    auto root = root_of();
    note_done(*root);
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& right = both.add_fsm("Q");
    auto& l1 = left.add("l1");
    auto& l2 = left.add_final("l2");
    auto& q1 = right.add("q1");
    auto& q2 = right.add_final("q2");
    l1.to(l2).on<event<1>>();
    q1.to(q2).on<event<2>>();
    l1.to(l2).on<event<3>>();
    q1.to(q2).on<event<3>>();
    left.to(l1).on<event<4>>();
    return root;
}
} // namespace

TEST_CASE("a parallel raises its done event when its last region finishes, after the region's done event") {
    for (const auto& options : {done, done_as_scxml}) {
        started m(two_ends_root(), options);
        CHECK(m.process(event<1>{}) == "done.state.L");
        CHECK(m.process(event<2>{}) == "done.state.Q, done.state.P");
    }
}

TEST_CASE("regions that finish in one step raise done events in entry order") {
    for (const auto& options : {done, done_as_scxml}) {
        started m(two_ends_root(), options);
        CHECK(m.process(event<3>{}) == "done.state.L, done.state.Q, done.state.P");
    }
}

TEST_CASE("a region that has exited its final substate does not count, even if it is marked as finished") {
    started m(two_ends_root(), done);
    CHECK(m.process(event<1>{}) == "done.state.L");
    CHECK(m.process(event<4>{}).empty());
    CHECK(m.process(event<2>{}) == "done.state.Q");
    CHECK(m.process(event<1>{}) == "done.state.L, done.state.P");
}

TEST_CASE("only the innermost parallel around a finished machine can raise its done event, as in SCXML") {
    auto root = root_of();
    note_done(*root);
    auto& outer = root->add_parallel("outer");
    auto& inner = outer.add_parallel("inner");
    for (const auto* const name : {"a", "b"}) {
        auto& region = inner.add_fsm(name);
        region.add("on").to(std::string(name) + "/off").on<event<1>>();
        region.add_final("off");
    }
    auto& third = outer.add_fsm("c");
    third.add("on").to("c/off").on<event<2>>();
    third.add_final("off");
    SUBCASE("if the inner parallel finishes last, the outer one raises no event") {
        started m(std::move(root), done_as_scxml);
        CHECK(m.process(event<2>{}) == "done.state.c");
        CHECK(m.process(event<1>{}) == "done.state.a, done.state.b, done.state.inner");
    }
    SUBCASE("if the machine finishes last, the inner parallel counts as finished") {
        started m(std::move(root), done_as_scxml);
        CHECK(m.process(event<1>{}) == "done.state.a, done.state.b, done.state.inner");
        CHECK(m.process(event<2>{}) == "done.state.c, done.state.outer");
    }
}

TEST_CASE("a machine's own done event comes before that of its superstate") {
    auto root = root_of();
    note_done(*root);
    auto& outer = root->add_fsm("outer");
    auto& inner = outer.add_fsm("inner");
    inner.add("A").to("end").on<event<1>>();
    inner.add_final("end");
    outer.add_final("over");
    inner.to("over").on("done.state.inner");
    started m(std::move(root), done_as_scxml);
    CHECK(m.process(event<1>{}) == "done.state.outer");
}

TEST_CASE("completion transitions come before the event: it is in the internal queue") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight");
    fight.add("A").to("won").on<event<1>>();
    fight.add_final("won");
    fight.to(traced(root->add("B"))).on_finished();
    started m(std::move(root), done);
    CHECK(m.process(event<1>{}) == "E B, done.state.fight");
}

TEST_CASE("without room in the queue the state is not entered, and queue_error is thrown") {
    auto root = root_of();
    note_done(*root);
    auto& fight = root->add_fsm("fight");
    fight.add("A").to("won").on<event<1>>();
    fight.add_final("won");
    const auto chart = hsm::compile(std::move(root), done);
    recorder r;
    hsm::instance agent(chart, r, {.internal_queue = 0, .posted_queue = 1});
    agent.start();
    CHECK_THROWS_WITH_AS(agent.process(event<1>{}),
                         "HSM-203 error at R: the event \"done.state.fight\" cannot be raised: the internal queue is full; hint: "
                         "raise instance_options::internal_queue",
                         hsm::queue_error);
    CHECK(agent.current().path() == "R/fight");
}

TEST_CASE("a guard that throws refuses, and its error event is handled before all other waiting work") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to("B").on("go").when([](const recorder&) -> bool { throw std::runtime_error("no such thing"); });
    a.to(traced(root->add("C"))).on("go").then([](recorder& r, hsm::step<recorder>& s) { r.note("go"), s.process("later"); });
    root->add("B");
    root->on("error.execution").then([](recorder& r, const hsm::named_event& e) { r.note("error: " + std::string(e.data().text())); });
    root->on("later").then(tracing("later"));
    started m(std::move(root), caught);
    CHECK(m.process("go") == "go, E C, error: no such thing, later");
    CHECK(m.path() == "R/C");
}

TEST_CASE("a guard that throws refuses even if no transition waits for the event") {
    auto root = root_of();
    root->add("A").to("B").on<event<1>>().when([](const recorder&) -> bool { throw 1; });
    root->add("B");
    started m(std::move(root), caught);
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(m.path() == "R/A");
}

TEST_CASE("guards of polled transitions, entry choices, reactions and groups are caught") {
    const auto bad = [](const recorder& r) -> bool { return r.go ? throw std::runtime_error("bad") : false; };
    const auto machine = [&](auto add) {
        auto root = root_of();
        auto& a = traced(root->add("A"));
        auto& b = root->add_fsm("B");
        traced(b.add("b1"));
        traced(b.add("b2"));
        add(a, b);
        root->on(hsm::event_prefix("error")).then(tracing("error"));
        started m(std::move(root), caught);
        m.r.go = true;
        const auto first = m.process("x");
        return first + (first.empty() ? "" : " | ") + m.tick();
    };
    CHECK(machine([&](auto& a, auto& b) { a.to(b).when(bad); }) == "U A, error");
    CHECK(machine([&](auto& a, auto& b) { a.to(b).when(hsm::any(bad, &recorder::go)); }) == "U A, error");
    CHECK(machine([&](auto& a, auto&) { a.when(bad).then(tracing("no")); }) == "U A, error");
    CHECK(machine([&](auto& a, auto& b) { a.to(b).on("x"), b.dispatch("b1").when(bad), b.initial("b2"); }) == "X A, E b2, error | U b2");
}

TEST_CASE("with an event for failed guards, a tick continues after a transition past states without update hooks") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    auto& y = m.add("y").on_enter(tracing("E y"));
    a.to(m);
    x.to(y);
    started s(std::move(root), caught);
    CHECK(s.tick() == "E y");
}

TEST_CASE("can() calls the same guards and raises nothing; exceptions of predicates and updates propagate") {
    auto root = root_of();
    auto& a = root->add("A");
    a.to("B").on<event<1>>().when([](const recorder&) -> bool { throw std::runtime_error("bad"); });
    a.to("B").on<event<2>>();
    a.hold_until([](const recorder&) -> bool { throw std::runtime_error("held"); });
    root->add("B");
    root->on("error.execution").then(tracing("error"));
    started m(std::move(root), caught);
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::guarded);
    CHECK(m.agent.queued() == 0);
    CHECK_THROWS_WITH(m.agent.process(event<2>{}), "held");
    CHECK(m.process(event<1>{}) == "error");
}

TEST_CASE("a guard of one region that throws leaves the other region its transition") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& right = both.add_fsm("Q");
    left.add("l1").to("l2").on<event<1>>().when([](const recorder&) -> bool { throw std::runtime_error("bad"); });
    traced(left.add("l2"));
    right.add("q1").to("q2").on<event<1>>();
    traced(right.add("q2"));
    root->on("error.execution").then(tracing("error"));
    started m(std::move(root), caught);
    CHECK(m.process(event<1>{}) == "E q2, error");
}
