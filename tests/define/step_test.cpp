// The queries and requests of a step.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

struct hit {
    int damage = 0;
};
struct hug {};
enum class input { jump, duck };

using step = hsm::step<recorder>;

/// "why source>target was previous"
std::string text_of(const step& s) {
    return std::string(to_string(s.reason())) + " " + std::string(s.source().name()) + ">" + std::string(s.target().name()) + " was " +
           std::string(s.previous().name());
}

/// A hook or action that records the cause of the step.
auto noting(std::string who) {
    return [who](recorder& r, step& s) { r.note(who + ": " + text_of(s)); };
}

} // namespace

TEST_CASE("the step contains reason, source, target and previous state of each kind of transition") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_enter(noting("E A")).on_exit(noting("X A"));
    auto& m = root->add_fsm("M").on_enter(noting("E M"));
    auto& b = m.add("B").on_enter(noting("E B")).on_exit(noting("X B"));
    auto& c = root->add("C").on_enter(noting("E C")).on_exit(noting("X C"));
    a.to(m).on<hit>().then(noting("action"));
    a.on<hug>().then(noting("hug"));
    m.to(c).when(&recorder::go).then(noting("polled"));
    c.to(a).on_finished().then(noting("finished"));
    b.when(&recorder::ready).then(noting("reaction"));
    c.on_update([&a](recorder& r) { return r.ready ? &a : nullptr; });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E A: entry none>R was none");
    agent.process(hug{});
    CHECK(r.take() == "hug: event A>none was A");
    agent.process(hit{});
    CHECK(r.take() == "X A: event A>M was A, action: event A>M was A, E M: event A>M was A, E B: entry A>M was A");
    r.ready = true;
    agent.tick();
    CHECK(r.take() == "reaction: poll B>none was B");
    r.ready = false;
    r.go = true;
    agent.tick();
    CHECK(r.take() == "X B: poll M>C was B, polled: poll M>C was B, E C: poll M>C was B");
    r.go = false;
    agent.finish();
    agent.tick();
    CHECK(r.take() == "X C: completion C>A was C, finished: completion C>A was C, E A: completion C>A was C");
    agent.change_to("C");
    CHECK(r.take() == "X A: request A>C was A, E C: request A>C was A");
    r.ready = true;
    agent.tick();
    CHECK(r.take() == "X C: request C>A was C, E A: request C>A was C");
    agent.stop();
    CHECK(r.take() == "X A: stop none>none was A");
}

TEST_CASE("states entered by an entry choice or history have that reason; states on the way to a target have the transition's reason") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& m = root->add_fsm("M").on_enter(noting("M")).remembers();
    auto& n = m.add_fsm("N").on_enter(noting("N"));
    auto& x = n.add("x").on_enter(noting("x"));
    n.add("y");
    auto& out = root->add("out");
    n.initial(x).then(noting("initial"));
    m.initial(n);
    m.to(out).on<hug>().then(noting("action"));
    out.to(m).on<hit>();
    out.to(x).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "M: entry none>R was none, N: entry none>R was none, initial: entry none>R was none, x: entry none>R was none");
    agent.process(hug{});
    CHECK(r.take() == "action: event M>out was x");
    agent.process(hit{});
    CHECK(r.take() == "M: event out>M was out, N: history out>M was out, initial: entry out>M was out, x: entry out>M was out");
    agent.process(hug{});
    r.take();
    agent.process(event<1>{});
    CHECK(r.take() == "M: event out>x was out, N: event out>x was out, x: event out>x was out");
    agent.restart();
    CHECK(r.take() == "M: entry none>R was none, N: history none>R was none, initial: entry none>R was none, x: entry none>R was none");
}

TEST_CASE("an entry choice of a machine at rest has the reason entry") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").on_enter(noting("E A"));
    root->dispatch(a).when(&recorder::go).then(noting("choice"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.go = true;
    agent.tick();
    CHECK(r.take() == "choice: entry R>none was R, E A: entry R>none was R");
}

TEST_CASE("an update has no transition: no reason, no states, no event") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on_update([](recorder& r, step& s) {
        r.note(text_of(s) + " in " + s.state().path());
        CHECK(s.event<hit>() == nullptr);
        CHECK(s.event_name() == "");
        CHECK_FALSE(s.source());
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick();
    CHECK(r.take() == "none none>none was none in R/A");
}

TEST_CASE("every hook of a transition can read the event's payload, but only as its own type") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto payload = [](recorder& r, step& s) {
        CHECK(s.event<hug>() == nullptr);
        CHECK(s.event_name() == "");
        r.note(s.event<hit>() ? std::to_string(s.event<hit>()->damage) : "none");
    };
    auto& a = root->add("A").on_exit(payload);
    auto& b = root->add("B").on_enter(payload);
    a.to(b).on<hit>().then(payload);
    b.on<input::duck>().then([](recorder& r, step& s) {
        CHECK(s.event<hit>() == nullptr);
        r.note(*s.event<input>() == input::duck ? "duck" : "?");
    });
    b.on("wave").then([](recorder& r, step& s) { r.note(s.event_name()); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    SUBCASE("processed") {
        agent.process(hit{7});
        agent.process(input::duck);
        agent.process("wave");
    }
    SUBCASE("posted") {
        agent.post(hit{7});
        agent.post(input::duck);
        agent.post("wave");
        agent.tick();
    }
    CHECK(r.take() == "7, 7, 7, duck, wave");
}

TEST_CASE("step.state() is the state of the hook; in an action, the innermost state that stays") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto here = [](recorder& r, step& s) { r.note(s.state().path() + " of " + s.current().path()); };
    auto& m = root->add_fsm("M").on_enter(here);
    auto& a = m.add("A").on_enter(here);
    auto& b = m.add("B").on_exit(here);
    a.to(b).on<hit>().then(here);
    root->to(*root).on<hug>().then([](recorder& r, step& s) { r.note(s.state() ? "?" : "above the root"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "R/M of R/M, R/M/A of R/M/A");
    agent.process(hit{});
    CHECK(r.take() == "R/M of R/M");
    agent.process(hug{});
    CHECK(r.take() == "R/M/B of R/M/B, above the root, R/M of R/M, R/M/A of R/M/A");
}

TEST_CASE("time_in_state is the time of the hook's state, and elapsed is the time of the update") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto times = [](recorder& r, step& s) {
        r.note(std::string(s.state().name()) + " " + std::to_string(s.time_in_state().nanoseconds() / 1'000'000) + " " +
               std::to_string(s.elapsed().nanoseconds() / 1'000'000));
    };
    root->on_update(times);
    auto& a = root->add("A").on_update(times).on_exit(times);
    auto& b = root->add("B").on_enter(times).on_update(times);
    a.to(b).on<hit>().then(times);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.tick(0.25);
    agent.update(0.25);
    CHECK(r.take() == "R 250 250, A 250 250, R 500 250, A 500 250");
    agent.process(hit{});
    CHECK(r.take() == "A 500 0, R 500 0, B 0 0");
    agent.tick(0.125);
    CHECK(r.take() == "R 625 125, B 125 125");
}

TEST_CASE("step.local returns the nearest local of a type from the hook's state outwards, or null") {
    struct outer {
        int value = 1;
    };
    struct inner {
        int value = 2;
    };
    auto root = hsm::make_fsm<recorder>("R");
    root->local<outer>().on_enter([](recorder& r, step& s) { r.note(s.local<inner>() ? "?" : "no inner"); });
    root->add<inner>("A", 5).on_enter([](recorder& r, step& s) {
        s.local<outer>()->value = 3;
        r.note(std::to_string(s.local<outer>()->value) + std::to_string(s.local<inner>()->value));
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "no inner, 35");
    CHECK(agent.local<outer>()->value == 3);
    CHECK(agent.local<hit>() == nullptr);
}

TEST_CASE("process, post, change_to, finish and stop in a hook return immediately and take effect later") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& end = root->add_final("end");
    a.to(b).on<hit>();
    a.to(b).on("wave");
    b.to(a).on_finished();
    a.to(end).on<hug>();
    root->on<input::jump>().then([](step& s) {
        CHECK(s.process(hit{}) == hsm::result::queued);
        CHECK(s.post("wave") == hsm::result::queued);
        CHECK(s.process(event<1>{}) == hsm::result::unhandled); // no transition waits for it
        CHECK(s.process("unexpected") == hsm::result::unhandled);
    });
    root->on("home").then([](step& s) { CHECK(s.change_to("A") == hsm::result::queued); });
    b.on_update([](recorder& r, step& s) {
        if (r.go) s.finish();
    });
    root->on("stop").then([](step& s) { CHECK(s.stop() == hsm::result::queued); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    agent.process(input::jump);
    CHECK(r.take() == "X A, E B");
    agent.process("home");
    CHECK(r.take() == "X B, E A");
    agent.tick(); // the wave
    CHECK(r.take() == "X A, E B, U B");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "U B, X B, E A");
    agent.process("stop");
    CHECK(r.take() == "X A");
    CHECK_FALSE(agent.active());
}

TEST_CASE("step.transition is the defined transition; a request, start, stop and an entry choice have none") {
    auto root = hsm::make_fsm<recorder>("R");
    const hsm::transition_spec* known[3] = {};
    const auto which = [&known](recorder& r, step& s) {
        for (std::size_t i = 0; i < std::size(known); ++i)
            if (s.transition() && s.transition() == known[i]) return r.note(std::to_string(i));
        r.note(s.transition() ? "?" : "none");
    };
    auto& a = root->add("A").on_enter(which).on_exit(which);
    auto& b = root->add("B").on_enter(which).on_exit(which);
    known[0] = &a.to(b).on<hit>().then(which).spec();
    known[1] = &b.to(a).when(&recorder::go).spec();
    known[2] = &a.on<hug>().then(which).spec();
    root->dispatch(a).then(which);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "none, none");
    agent.process(hug{});
    CHECK(r.take() == "2");
    agent.process(hit{});
    CHECK(r.take() == "0, 0, 0");
    r.go = true;
    agent.tick();
    CHECK(r.take() == "1, 1");
    agent.change_to("B");
    CHECK(r.take() == "none, none");
    agent.stop();
    CHECK(r.take() == "none");
}

TEST_CASE("release and force_to in a hook let a queued request exit a holding state") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A")).hold();
    traced(root->add("B"));
    a.on<hit>().then([](step& s) {
        CHECK(s.change_to("B") == hsm::result::queued);
        s.release(); // before the request is handled
    });
    a.on<hug>().then([](step& s) { CHECK(s.force_to("B") == hsm::result::queued); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    SUBCASE("release") { agent.process(hit{}); }
    SUBCASE("force_to") { agent.process(hug{}); }
    CHECK(r.take() == "X A, E B");
}
