// Successive transitions in difficult cases: several regions, machines without an active substate, hooks that throw, reused places of agents.

#include <hsm/observe/detail/coverage_follower.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/observe/coverage.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using hsm::coverage_kind;

namespace {

struct traveller {
    bool ready = false, fails = false;
};
struct in {};
struct out {};
struct on {};

struct travelling {
    explicit travelling(hsm::chart<traveller> c) : chart(std::move(c)), seen(chart), agent(chart, context) {
        attached = seen.watch(agent);
        agent.start();
    }
    hsm::transition_view find(std::string_view source, std::string_view event) const {
        for (const auto t : chart.view().transitions())
            if (t.source().name() == source && t.event() && t.event().name() == event) return t;
        return {};
    }
    std::uint64_t followed(const hsm::transition_view& first, const hsm::transition_view& next) const { return seen.followed(first, next); }
    std::size_t pairs() const { return seen.share(coverage_kind::pairs).seen; }

    hsm::chart<traveller> chart;
    hsm::coverage seen;
    traveller context;
    hsm::instance<traveller> agent;
    hsm::attachment attached;
};

/// R {home, P {left {a, b}, right {c, d}}}
hsm::chart<traveller> regions() {
    auto root = hsm::make_fsm<traveller>("R");
    auto& home = root->add("home");
    auto& p = root->add_parallel("P");
    auto& left = p.add_fsm("left");
    auto& right = p.add_fsm("right");
    auto& a = left.add("a");
    auto& b = left.add("b");
    right.add("c");
    right.add("d");
    home.to(p).on<in>();
    p.to(home).on<out>();
    a.to(b).on<on>();
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("a transition out of several regions follows the transitions that entered their innermost states") {
    travelling t(regions());
    const auto enters = t.find("home", "in"), leaves = t.find("P", "out"), moves = t.find("a", "on");
    t.agent.process(in{});
    t.agent.process(on{});
    t.agent.process(out{});
    CHECK(t.followed(enters, moves) == 1);
    CHECK(t.followed(moves, leaves) == 1);  // a's region
    CHECK(t.followed(enters, leaves) == 1); // the other one
    CHECK(t.pairs() == 3);
    t.agent.process(in{});
    t.agent.process(out{});
    CHECK(t.followed(leaves, enters) == 1);
    CHECK(t.followed(enters, leaves) == 3);
}

TEST_CASE("an exit of a resting machine counts like that of an innermost state") {
    auto root = hsm::make_fsm<traveller>("R");
    auto& home = root->add("home");
    auto& m = root->add_fsm("M");
    auto& x = m.add("x");
    m.dispatch(x).when(&traveller::ready);
    home.to(m).on<in>();
    m.to(home).on<out>();
    travelling t(hsm::compile(std::move(root)));
    const auto enters = t.find("home", "in"), leaves = t.find("M", "out");
    t.agent.process(in{});
    REQUIRE(t.agent.current().path() == "R/M");
    t.agent.process(out{});
    CHECK(t.followed(enters, leaves) == 1);
    t.context.ready = true;
    t.agent.process(in{});
    REQUIRE(t.agent.current().path() == "R/M/x");
    t.agent.process(out{});
    CHECK(t.followed(enters, leaves) == 2);
    CHECK(t.pairs() == 2);
    CHECK(t.seen.share(coverage_kind::pairs).all == 2);
}

TEST_CASE("a hook that throws ends a pair without a count, and counting continues") {
    auto root = hsm::make_fsm<traveller>("R");
    auto& home = root->add("home");
    auto& away = root->add("away").on_enter([](const traveller& t) {
        if (t.fails) throw std::runtime_error("lost");
    });
    home.to(away).on<in>();
    away.to(home).on<out>();
    travelling t(hsm::compile(std::move(root)));
    const auto enters = t.find("home", "in"), leaves = t.find("away", "out");
    t.context.fails = true;
    CHECK_THROWS_AS(t.agent.process(in{}), std::runtime_error);
    CHECK(t.seen.taken(enters) == 1);
    t.context.fails = false;
    t.agent.restart();
    t.agent.process(in{});
    t.agent.process(out{});
    CHECK(t.seen.taken(enters) == 2);
    CHECK(t.followed(enters, leaves) == 1);
    CHECK(t.followed(leaves, enters) == 0);
}

TEST_CASE("a state that set_state activates was not entered, and has no entering transition") {
    travelling t(regions());
    t.agent.process(in{});
    t.agent.set_state("home");
    t.agent.process(in{});
    CHECK(t.seen.entered(t.chart.view().find("home")) == 1);
    CHECK(t.seen.taken(t.find("home", "in")) == 2);
    CHECK(t.pairs() == 0);
}

TEST_CASE("an agent in a reused place starts without an entering transition") {
    const auto chart = regions();
    hsm::coverage seen(chart);
    hsm::crowd<traveller> all(chart);
    const auto attached = seen.watch(all);
    const auto first = all.add(traveller{});
    all[first]->process(in{});
    all.remove(first);
    const auto second = all.add(traveller{});
    CHECK(second.index == first.index);
    all[second]->change_to("P");
    all[second]->process(out{});
    CHECK(seen.share(coverage_kind::pairs).seen == 0);
    CHECK(seen.entered(chart.view().root()) == 2);
}

TEST_CASE("a hook may call another watched machine") {
    struct pair {
        hsm::instance<traveller>* other = nullptr;
    };
    const auto inner_chart = regions();
    traveller inner_context;
    hsm::instance inner{inner_chart, inner_context};
    inner.start();
    pair context{&inner};
    auto root = hsm::make_fsm<pair>("outer");
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.to(b).on<in>().then([](pair& p) { p.other->process(in{}); });
    b.to(a).on<out>().then([](pair& p) { p.other->process(out{}); });
    const auto outer_chart = hsm::compile(std::move(root));
    hsm::instance outer{outer_chart, context};
    hsm::coverage of_inner(inner_chart), of_outer(outer_chart);
    const auto one = of_inner.watch(inner), two = of_outer.watch(outer);
    outer.start();
    outer.process(in{});
    outer.process(out{});
    CHECK(of_outer.share(coverage_kind::pairs).seen == 1);
    CHECK(of_inner.share(coverage_kind::pairs).seen == 1);
    CHECK(of_inner.share(coverage_kind::transitions).seen == 2);
}
