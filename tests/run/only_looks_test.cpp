// T40: guards and predicates cannot change their own machine: calls with a result return busy, others do nothing. This file tests instances;
// tests/crowd and tests/manage test agents and managed machines.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

using namespace test;

namespace {

struct player : recorder {
    std::function<void()> meddle; ///< calls that the guard makes
    bool answers(bool answer) const {
        if (meddle) meddle();
        return answer;
    }
};

auto meddling(bool answer) {
    return [answer](const player& p) { return p.answers(answer); };
}

/// Makes all calls, and returns their results as text.
template <class Agent> std::string all_calls(Agent& agent, const hsm::state_base& s) {
    std::string answers;
    const auto add = [&](hsm::result r) { answers += std::string(to_string(r)) + ' '; };
    add(agent.process(event<1>{}));
    add(agent.post(event<1>{}));
    add(agent.change_to(s));
    add(agent.force_to(s));
    add(agent.finish());
    add(agent.finish(s));
    add(agent.release());
    add(agent.release(s));
    add(agent.stop());
    add(agent.start());
    add(agent.start(s));
    add(agent.restart());
    add(agent.reset());
    add(agent.destroy());
    add(agent.set_state(s));
    add(agent.tick());
    add(agent.update());
    add(agent.decide());
    add(agent.drain());
    add(agent.set_time_scale(2.0));
    agent.set("c");
    agent.pulse("c");
    agent.clear("d");
    agent.clear();
    agent.pause();
    return answers;
}

std::string busy(int calls) {
    std::string all;
    while (calls-- > 0) all += "busy ";
    return all;
}

template <class Agent> void check_unchanged(Agent& agent) {
    CHECK(agent.queued() == 0);
    CHECK_FALSE(agent.get("c"));
    CHECK(agent.get("d"));
    CHECK_FALSE(agent.paused());
    CHECK(agent.time_scale() == 1.0);
}

} // namespace

TEST_CASE("T40: calls to the own machine in the guard of a polled transition are busy and change nothing") {
    auto root = hsm::make_fsm<player>("R");
    root->condition("c");
    root->condition("d");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.on<event<1>>().then(tracing("1"));
    a.to(b).when(meddling(true));
    const auto chart = hsm::compile(std::move(root));
    player p;
    hsm::instance agent{chart, p};
    agent.start();
    agent.set("d");
    p.take();
    std::string answers;
    p.meddle = [&] { answers = all_calls(agent, b); };
    agent.tick();
    CHECK(answers == busy(20));
    CHECK(p.take() == "X A, E B, U B");
    check_unchanged(agent);
    p.meddle = nullptr;
    agent.tick();
    CHECK(p.take() == "U B"); // nothing follows later
}

TEST_CASE("calls to the own machine are busy in every kind of guard and predicate, in every call") {
    struct timer {
        std::function<void()> meddle;
        bool finished() const {
            if (meddle) meddle();
            return false;
        }
    };
    auto root = hsm::make_fsm<player>("R");
    root->condition("c");
    root->condition("d");
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    auto& x = traced(m.add("x"));
    a.on<event<1>>().then(tracing("1"));
    std::string answers;
    player p;
    const auto check = [&](auto act, int asked = 1) {
        const auto chart = hsm::compile(std::move(root));
        hsm::instance agent{chart, p};
        agent.start();
        agent.set("d");
        p.take();
        int calls = 0;
        p.meddle = [&] {
            ++calls;
            answers = all_calls(agent, x);
        };
        act(agent);
        CHECK(calls == asked);
        CHECK(answers == busy(20));
        check_unchanged(agent);
        p.meddle = nullptr;
    };
    SUBCASE("guard of an event's transition") {
        a.to(m).on<event<2>>().when(meddling(true));
        check([&](auto& agent) { CHECK(agent.process(event<2>{}) == hsm::result::taken); });
    }
    SUBCASE("guard that can() calls") {
        a.to(m).on<event<2>>().when(meddling(true));
        check([&](auto& agent) { CHECK(agent.can(event<2>{}).outcome == hsm::result::taken); });
    }
    SUBCASE("guard of a reaction") {
        a.when(meddling(false)).then(tracing("reaction"));
        check([&](auto& agent) { agent.update(); });
    }
    SUBCASE("guard of an always-transition") {
        a.to(m).always().when(meddling(false));
        check([&](auto& agent) { agent.process(event<1>{}); });
    }
    SUBCASE("guard of a completion, which is polled later") {
        a.to(m).on_finished().when(meddling(false));
        check([&](auto& agent) { agent.finish(a), agent.drain(); });
    }
    SUBCASE("guard of an entry choice") {
        m.dispatch(x).when(meddling(true));
        a.to(m).on<event<2>>();
        check([&](auto& agent) { CHECK(agent.process(event<2>{}) == hsm::result::taken); });
        CHECK(p.take() == "X A, E M, E x");
    }
    SUBCASE("predicate of a hold") {
        a.hold_until(meddling(false));
        a.to(m).on<event<2>>();
        check([&](auto& agent) { CHECK(agent.process(event<2>{}) == hsm::result::held); }, 1);
    }
    SUBCASE("guards in regions") {
        auto& par = root->add_parallel("P");
        par.add("1").template on<event<2>>().when(meddling(true)).then(tracing("one"));
        par.add("2").template on<event<2>>().when(meddling(false));
        root->initial(par);
        check([&](auto& agent) { CHECK(agent.process(event<2>{}) == hsm::result::internal); }, 2);
    }
}

TEST_CASE("the finished() of a local is a predicate, too") {
    static std::function<void()> meddle;
    struct timer {
        bool finished() const {
            if (meddle) meddle();
            return false;
        }
    };
    auto root = hsm::make_fsm<player>("R");
    root->condition("c");
    root->condition("d");
    auto& a = traced(root->add<timer>("A"));
    a.on<event<1>>().then(tracing("1"));
    const auto chart = hsm::compile(std::move(root));
    player p;
    hsm::instance agent{chart, p};
    agent.start();
    agent.set("d");
    std::string answers;
    meddle = [&] { answers = all_calls(agent, a); };
    agent.tick();
    meddle = nullptr;
    CHECK(answers == busy(20));
    check_unchanged(agent);
}

TEST_CASE("can() in a guard does not disturb the selection in progress or that of another can()") {
    auto root = hsm::make_fsm<player>("R");
    auto& par = root->add_parallel("P");
    auto& one = par.add_fsm("1");
    auto& a = traced(one.add("a"));
    auto& b = traced(one.add("b"));
    auto& two = par.add_fsm("2");
    auto& c = traced(two.add("c"));
    auto& d = traced(two.add("d"));
    a.to(b).on<event<2>>().when(meddling(true));
    c.to(d).on<event<2>>().when(meddling(true));
    par.on<event<3>>().then(tracing("P"));
    hsm::compile_options options;
    SUBCASE("superstate_first") {}
    SUBCASE("substate_first") { options.order = hsm::decision_order::substate_first; }
    const auto chart = hsm::compile(std::move(root), options);
    player p;
    hsm::instance agent{chart, p};
    agent.start();
    p.take();
    int depth = 0;
    std::string outcomes;
    p.meddle = [&] {
        if (depth == 2) return;
        ++depth;
        outcomes += std::string(to_string(agent.can(event<2>{}).outcome)) + ' ' + std::string(to_string(agent.can(event<3>{}).outcome)) + ' ';
        --depth;
    };
    CHECK(agent.process(event<2>{}) == hsm::result::taken);
    CHECK(p.take() == "X c, X a, E b, E d");
    CHECK(outcomes.find("unhandled") == outcomes.npos);
    CHECK(outcomes.find("guarded") == outcomes.npos);
}

TEST_CASE("can() in a part of a guard does not change the locals of the other parts") {
    struct near {
        int value = 1;
    };
    struct far {
        int value = 2;
    };
    auto root = hsm::make_fsm<player>("R");
    auto& a = root->add("A").local<near>().local<far>();
    auto& b = root->add("B");
    const auto asks = [](const player& p, const near& n) { return p.answers(n.value == 1); };
    a.to(b).on<event<1>>().when(hsm::all(asks, [](const far& f) { return f.value == 2; }));
    a.to(b).on<event<2>>().when([](const far& f) { return f.value == 2; });
    const auto chart = hsm::compile(std::move(root));
    player p;
    hsm::instance agent(chart, p);
    agent.start();
    p.meddle = [&] { CHECK(agent.can(event<2>{})); };
    CHECK(agent.process(event<1>{}) == hsm::result::taken);
}

TEST_CASE("a region is evaluated in each of 70,000 selections, even if it was not evaluated in the selections between") {
    auto root = hsm::make_fsm<player>("R");
    auto& par = root->add_parallel("P");
    par.add("1").template on<event<2>>().then([](player& p) { ++p.trace[0]; });
    par.add("2").template on<event<3>>();
    auto& out = root->add("out");
    par.to(out).on<event<4>>();
    out.to(par).on<event<4>>();
    out.on<event<5>>();
    const auto chart = hsm::compile(std::move(root), {.order = hsm::decision_order::substate_first});
    player p;
    hsm::instance agent{chart, p};
    agent.start();
    p.trace = std::string(1, '\0');
    CHECK(agent.can(event<2>{}).outcome == hsm::result::internal);
    agent.process(event<4>{});
    for (int i = 0; i < 65'533; ++i) static_cast<void>(agent.can(event<5>{}));
    agent.process(event<4>{});
    for (int i = 0; i < 4'500; ++i) {
        agent.process(event<4>{});
        agent.process(event<4>{});
        REQUIRE(agent.can(event<2>{}).outcome == hsm::result::internal);
        REQUIRE(agent.process(event<2>{}) == hsm::result::internal);
    }
}
