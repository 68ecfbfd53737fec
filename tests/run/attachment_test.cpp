// Which records an observer gets, and when: one for each step, in order.

#include <hsm/vm/detail/observed.hpp>
#include <tests/support/recorder.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

using namespace std::chrono_literals;
using hsm::result;
using test::event;
using test::recorder;
using test::text_observer;

namespace {

struct hit {
    int strength;
};
std::string describe(const hit& h) { return "hit of " + std::to_string(h.strength); }

/// R 0 {A 1, M 2 {B 3, C 4}}; A to M on event 0 if `go`, M chooses B if `ready`, else C.
hsm::chart<recorder> nested() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& m = root->add_fsm("M");
    auto& b = m.add("B");
    auto& c = m.add("C").on_update([](recorder&) {});
    a.to(m).on<event<0>>().when([](const recorder& r) { return r.go; }).then([](recorder&) {});
    m.dispatch(b).when([](const recorder& r) { return r.ready; });
    m.dispatch(c);
    c.to(b).when([](const recorder& r) { return r.ready; });
    m.on<hit>().then([](recorder&) {});
    root->to(a).on<event<1>>();
    return hsm::compile(std::move(root));
}

/// Is observed when it starts. The records of the start are dropped.
struct observed {
    explicit observed(hsm::chart<recorder> c, hsm::record_kinds kinds = hsm::record_kinds::all()) : chart(std::move(c)), agent(chart, r) {
        seen = agent.attach(log, kinds);
        agent.start();
        log.take();
    }
    hsm::chart<recorder> chart;
    recorder r;
    hsm::instance<recorder> agent;
    text_observer log;
    hsm::attachment seen;
};

} // namespace

TEST_CASE("an attached observer receives the active states first, then the start state by state") {
    const auto chart = nested();
    recorder r;
    hsm::instance agent{chart, r};
    text_observer log;
    const auto seen = agent.attach(log);
    CHECK(log.take() == "call none, is - of 0 (attached), -> taken");
    agent.start();
    CHECK(log.take() == "call start, begins - (start), E 0, E 1, at 1, is 1 of 1 (start), -> taken");
    text_observer later;
    const auto also = agent.attach(later);
    CHECK(later.take() == "call none, is 1 of 1 (attached), -> taken");
    CHECK(log.take().empty());
}

TEST_CASE("the records of an event: guards with their results, exits, actions, entries, the entry choice, the new leaf") {
    observed o(nested());
    o.agent.process(event<0>{});
    CHECK(o.log.take() == "call process, event 1 call, guard 0 no, -> guarded");
    o.r.go = true;
    o.agent.process(event<0>{});
    CHECK(o.log.take() ==
          "call process, event 1 call, guard 0 yes, begins 1 (event), X 1, A 0, E 2, guard 1 no, begins 3 (entry), E 4, at 4, -> taken");
    o.agent.process(hit{3});
    CHECK(o.log.take() == "call process, event 2 call, begins 4 (event), A 1, -> internal");
    o.agent.process(event<7>{});
    CHECK(o.log.take() == "call process, event - call, -> unhandled");
    o.r.ready = true;
    o.agent.tick();
    CHECK(o.log.take() == "call tick, guard 2 yes, begins 5 (poll), X 4, E 3, at 3, -> taken");
    o.agent.stop();
    CHECK(o.log.take() == "call stop, X 3, X 2, X 0, is - of 0 (stop), -> taken");
}

TEST_CASE("an observer receives only the selected kinds") {
    observed o(nested(), hsm::record_kind::exited | hsm::record_kind::entered);
    o.r.go = true;
    o.agent.process(event<0>{});
    CHECK(o.log.take() == "X 1, E 2, E 4");
    o.agent.change_to("A");
    CHECK(o.log.take() == "X 4, X 2, E 1");
}

TEST_CASE("an observer receives the event with its payload, described by the user's function") {
    observed o(nested(), hsm::record_kind::action);
    o.log.describes = true;
    o.r.go = true;
    o.agent.process(event<0>{});
    CHECK(o.log.take() == "A 0");
    o.agent.process(hit{3});
    CHECK(o.log.take() == "A 1, hit of 3");
}

TEST_CASE("a detached observer receives nothing more, also when the handle outlives the machine") {
    const auto chart = nested();
    recorder r;
    text_observer log;
    hsm::attachment seen;
    CHECK(!seen);
    {
        hsm::instance agent{chart, r};
        seen = agent.attach(log);
        CHECK(seen);
        agent.start();
        seen.detach();
        CHECK(!seen);
        log.take();
        CHECK(agent.process(event<1>{}) == result::taken);
        CHECK(agent.process(event<1>{}) == result::taken);
        CHECK(log.take().empty());
        seen = agent.attach(log);
        CHECK(log.take() == "call none, is 1 of 1 (attached), -> taken");
    }
    seen.detach();
}

TEST_CASE("an attachment moves with its machine") {
    observed o(nested(), hsm::record_kind::entered);
    hsm::instance<recorder> elsewhere(std::move(o.agent));
    elsewhere.process(event<1>{});
    CHECK(o.log.take() == "E 1");
    o.seen.detach();
    elsewhere.process(event<1>{});
    CHECK(o.log.take().empty());
    o.agent = std::move(elsewhere);
    CHECK(o.agent.process(event<1>{}) == result::taken);
}

TEST_CASE("an observer attached in a hook is active from the next call; a guard cannot attach one") {
    struct place {
        std::optional<hsm::instance<place>>* agent;
        text_observer* log;
        hsm::attachment seen;
        bool in_guard = false;
    };
    auto root = hsm::make_fsm<place>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").on_enter([](place& p) { p.seen = (*p.agent)->attach(*p.log); });
    a.to(b).on<event<0>>();
    b.to(a).on<event<1>>();
    b.to(a).on<event<2>>().when([](const place& p) { return static_cast<bool>((*p.agent)->attach(*p.log)); });
    const auto chart = hsm::compile(std::move(root));
    std::optional<hsm::instance<place>> agent;
    text_observer log;
    place p{&agent, &log, {}};
    agent.emplace(chart, p);
    agent->start();
    CHECK(agent->process(event<0>{}) == result::taken);
    CHECK(log.take() == "call none, is 2 of 1 (attached), -> taken");
    CHECK(agent->process(event<1>{}) == result::taken);
    CHECK(log.take() == "call process, event 1 call, begins 1 (event), X 2, E 1, at 1, -> taken");
    p.seen.detach();
    agent->process(event<0>{});
    log.take();
    try {
        agent->process(event<2>{});
        FAIL("it was attached");
    } catch (const hsm::usage_error& e) {
        CHECK(e.number() == hsm::code::attached_by_guard);
        CHECK(std::string(e.what()) == "HSM-208 error at R: a guard, or an observer of this machine, attaches an observer; hint: attach it "
                                       "elsewhere; these functions must not change the machine");
    }
}

TEST_CASE("an observer attached during start is active from the next call") {
    struct place {
        std::optional<hsm::instance<place>>* agent;
        text_observer* log;
        hsm::attachment seen;
    };
    auto root = hsm::make_fsm<place>("R");
    auto& a = root->add("A").on_enter([](place& p) { p.seen = (*p.agent)->attach(*p.log); });
    auto& b = root->add("B");
    a.to(b).on<event<0>>();
    const auto chart = hsm::compile(std::move(root));
    std::optional<hsm::instance<place>> agent;
    text_observer log;
    place p{&agent, &log, {}};
    agent.emplace(chart, p);
    agent->start();
    CHECK(log.take() == "call none, is 1 of 1 (attached), -> taken");
    agent->process(event<0>{});
    CHECK(log.take() == "call process, event 0 call, begins 0 (event), X 1, E 2, at 2, -> taken");
}

TEST_CASE("calls from an observer to its machine are busy and change nothing") {
    observed o(nested());
    std::string answers;
    o.log.act = [&] {
        answers = std::string(to_string(o.agent.process(event<1>{}))) + " " + std::string(to_string(o.agent.tick())) + " " +
                  std::string(to_string(o.agent.change_to("M"))) + " " + std::string(to_string(o.agent.stop())) + " " +
                  std::string(to_string(o.agent.post(event<1>{}))) + " " + std::string(to_string(o.agent.start()));
    };
    o.r.go = true;
    o.agent.process(event<0>{});
    CHECK(answers == "busy busy busy busy busy busy");
    CHECK(o.agent.is_in("C"));
    CHECK(o.agent.queued() == 0);
}

TEST_CASE("an exception of an observer is thrown after the complete call") {
    observed o(nested());
    o.r.go = true;
    o.log.throws_at = hsm::record_kind::exited;
    CHECK_THROWS_WITH_AS(o.agent.process(event<0>{}), "enough records", std::runtime_error);
    CHECK(o.agent.is_in("C"));
    CHECK(o.log.take().ends_with("at 4, -> taken"));
    o.log.throws_at = hsm::record_kind::lost;
    CHECK(o.agent.process(event<1>{}) == result::taken);
}

TEST_CASE("an observer that throws while it is attached is not attached, and attach throws") {
    struct thrower : hsm::observer {
        int records = 0;
        void on_attached(const hsm::moment&) override { throw std::runtime_error("no room"); }
        void on_record(const hsm::record&, const hsm::moment&) override { ++records; }
    } to;
    const auto chart = nested();
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK_THROWS_WITH_AS(static_cast<void>(agent.attach(to)), "no room", std::runtime_error);
    to.records = 0;
    CHECK(agent.tick(1.0) != result::busy);
    CHECK(agent.change_to("C") == result::taken);
    CHECK(to.records == 0);
}

TEST_CASE("an exception of a hook precedes that of an observer; records describe the incomplete transition") {
    for (const auto& options : {hsm::compile_options(), hsm::compile_options{.program_memory = 0}}) { // with and without a program
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A");
        auto& b = root->add("B").on_enter([](recorder&) { throw std::logic_error("the hook's"); });
        a.to(b).on<event<0>>();
        observed o(hsm::compile(std::move(root), options));
        o.log.throws_at = hsm::record_kind::entered;
        CHECK_THROWS_WITH_AS(o.agent.process(event<0>{}), "the hook's", std::logic_error);
        CHECK(o.log.take() == "call process, event 0 call, begins 0 (event), X 1, E 2, error in 2 entering, X 2, is 0 of 1 (aborted), -> thrown");
    }
}

TEST_CASE("the records of timers, conditions and completion") {
    auto root = hsm::make_fsm<recorder>("R");
    const auto armed = root->condition("Armed");
    auto& a = root->add("A");
    auto& m = root->add_fsm("M");
    m.add_final("done");
    a.to(m).after(10ms).when("Armed");
    m.to(a).on_finished();
    observed o(hsm::compile(std::move(root)));
    o.agent.tick(10ms);
    CHECK(o.log.take() == "call tick, conditions 0 no, -> unhandled");
    o.agent.set(armed);
    CHECK(o.log.take() == "call none, condition 1 1, -> taken");
    o.agent.tick(1ms);
    CHECK(o.log.take() ==
          "call tick, conditions 0 yes, begins 0 (time), due 0, X 1, E 2, E 3, finished 2, at 3, begins 1 (completion), X 3, X 2, E 1, "
          "armed 0 21ms, at 1, -> taken");
    o.agent.pulse("Armed");
    o.agent.tick(1ms);
    CHECK(o.log.take() == "call none, condition 1 2, -> taken, call tick, condition 1 3, -> unhandled");
}

TEST_CASE("the records of queues contain the origin of an event, and lost events") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").on_enter([](recorder&, hsm::step<recorder>& s) { s.process(event<1>{}); });
    a.to(b).on<event<0>>();
    b.to(a).on<event<1>>();
    observed o(hsm::compile(std::move(root)));
    o.agent.post(event<0>{});
    CHECK(o.log.take().empty());
    o.agent.tick();
    CHECK(o.log.take() ==
          "call tick, event 0 posted, begins 0 (event), X 1, E 2, at 2, event 1 internal, begins 1 (event), X 2, E 1, at 1, -> taken");
    o.agent.post(event<0>{});
    o.agent.stop();
    CHECK(o.log.take() == "call stop, X 1, X 0, dropped 0 over, is - of 0 (stop), -> taken");
}

TEST_CASE("records of waiting work: held, released, deferred, recalled") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").hold().defer<event<1>>();
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).on<event<0>>();
    b.to(c).on<event<1>>();
    observed o(hsm::compile(std::move(root)));
    o.agent.process(event<1>{});
    CHECK(o.log.take() == "call process, event 0 call, deferred 0, -> deferred");
    o.agent.process(event<0>{});
    CHECK(o.log.take() == "call process, event 1 call, held 0 by 1, -> held");
    o.agent.release();
    CHECK(o.log.take() == "call none, released 1, -> taken");
    o.agent.tick();
    CHECK(o.log.take() ==
          "call tick, event 1 pending, begins 0 (event), X 1, E 2, at 2, event 0 deferred, begins 2 (event), X 2, E 3, at 3, recalled 0, "
          "-> taken");
}

TEST_CASE("the records of a step of several regions: each exit, then each action, then each entry") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& p = root->add_parallel("P");
    for (const char* const name : {"X", "Y"}) {
        auto& region = p.add_fsm(name);
        auto& a = region.add("A");
        auto& b = region.add("B");
        a.to(b).on<event<0>>();
    }
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    text_observer log;
    auto seen = agent.attach(log);
    CHECK(log.take() == "call none, is 3 of 2 (attached), more 1, -> taken");
    agent.process(event<0>{});
    CHECK(log.take() == "call process, event 0 call, begins 0 (event), begins 1 (event), X 6, X 3, E 4, at 4, E 7, at 7, -> taken");
    seen.detach();
    agent.reset();
    agent.start();
    CHECK(agent.process(event<0>{}) == result::taken); // its regions run the chart's own programs again
    CHECK(agent.path_of_leaves() == "R/P/X/B, R/P/Y/B");
}

TEST_CASE("regions that are no longer observed run the chart's own programs, which find a throwing hook") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& p = root->add_parallel("P");
    auto& x = p.add_fsm("X");
    auto& a = x.add("A");
    auto& b = x.add("B").on_enter([](recorder&) { throw std::runtime_error("no B"); });
    p.add_fsm("Y").add("C");
    p.add_fsm("Z").add("D"); // two regions have programs of their own
    a.on<event<0>>().then([](recorder&) { throw std::runtime_error("no action"); });
    a.to(b).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    text_observer log;
    auto seen = agent.attach(log);
    seen.detach();
    agent.tick(1ms); // ends the observation
    CHECK_THROWS_WITH(agent.process(event<0>{}), "no action");
    CHECK(agent.path_of_leaves() == "R/P/X/A, R/P/Y/C, R/P/Z/D");
    CHECK_THROWS_WITH(agent.process(event<1>{}), "no B");
    CHECK(agent.path_of_leaves() == "R"); // everything inside the parallel has exited
}

TEST_CASE("set_state, reset and take_over report the active states without hooks") {
    observed o(nested());
    o.agent.set_state("C");
    CHECK(o.log.take() == "call set_state, is 4 of 1 (set_state), -> taken");
    hsm::instance other{o.chart, o.r};
    text_observer also;
    const auto seen = other.attach(also);
    CHECK(other.take_over(o.agent) == result::taken);
    CHECK(also.take() == "call none, is - of 0 (attached), -> taken, call take_over, is 4 of 1 (take_over), -> taken");
    CHECK(o.log.take() == "call take_over, is - of 0 (reset), -> taken");
    other.reset();
    CHECK(also.take() == "call reset, is - of 0 (reset), -> taken");
}

TEST_CASE("a tick that the idle test skips sends no record, and can() sends none") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when("Go");
    a.on<event<1>>().then([](recorder&) {});
    b.to(a).on<event<0>>().when([](const recorder& r) { return r.go; });
    observed o(hsm::compile(std::move(root)));
    o.agent.tick(1ms);
    o.log.take();
    o.agent.tick(1ms);
    CHECK(o.log.take().empty());
    CHECK(o.agent.now() == 2ms);
    o.agent.post(event<1>{});
    o.log.take();
    o.agent.tick(0ms);
    CHECK_FALSE(o.log.take().empty());
    o.agent.tick(0ms);
    o.log.take();
    o.agent.set("Go");
    o.agent.tick(1ms);
    o.log.take();
    CHECK(o.agent.can(event<0>{}).outcome == result::guarded);
    CHECK(o.log.take().empty());
}

namespace {
/// The use count of the resource shows whether each copy was destroyed once.
struct note {
    std::shared_ptr<int> resource;
};

/// An instance that allocates its queues in `begin`, which is called while it is observed.
template <class Begin> void check_queues_made_while_observed(Begin begin) {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    root->on<note>().then([](recorder&) {});
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    text_observer log;
    const auto resource = std::make_shared<int>();
    agent.start();
    {
        const auto seen = agent.attach(log);
        begin(agent, note{resource});
        agent.tick();
    }
    agent.tick(); // without observers it has the chart's own tables again
    const auto in_their_place = std::make_unique<std::byte[]>(sizeof(hsm::detail::observed_core)); // all flags are zero
    for (int i = 0; i < 40; ++i) {                                                                 // each slot is used twice
        CHECK(agent.post(note{resource}) == result::queued);
        agent.tick();
    }
    CHECK(resource.use_count() == 1);
    agent.post(note{resource});
    agent.stop();
    CHECK(resource.use_count() == 1);
}
} // namespace

TEST_CASE("queues that are created while an instance is observed outlive its observers") {
    SUBCASE("by post") {
        check_queues_made_while_observed([](auto& agent, const note& n) { agent.post(n); });
    }
    SUBCASE("by reserve") {
        check_queues_made_while_observed([](auto& agent, const note&) { agent.reserve(); });
    }
    SUBCASE("by a time scale") {
        check_queues_made_while_observed([](auto& agent, const note&) { agent.set_time_scale(2); });
    }
}
