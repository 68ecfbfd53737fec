// Explanations of constant charts.

#include <hsm/observe/explain_constant.hpp>

#include <doctest/doctest.h>

#include <string>

namespace brawl {
struct hit {
    int power = 0;
};
struct end {};
struct ping {};
struct fighter {
    bool go = false;
    bool ready = false;
    int entered = 0;
};
} // namespace brawl

namespace {

using brawl::fighter;
using brawl::hit;

constexpr auto fight = hsm::constant_chart<fighter>([](hsm::constant_fsm<fighter>& root) {
    root.named("fight");
    auto& idle = root.add("idle").on_enter([](fighter& f) { ++f.entered; });
    auto& attack = root.add_fsm("attack");
    auto& swing = attack.add("swing");
    auto& done = attack.add_final("done");
    root.to(idle).when(&fighter::go);
    idle.to(attack).on<hit>().when([](const fighter& f) { return f.ready; }).when([](const fighter&, const hit& h) { return h.power > 3; });
    swing.to(done).on<brawl::end>();
    attack.to(idle).on_finished().when(&fighter::ready);
});

using agent_of_fight = hsm::constant_instance<fight>;

} // namespace

TEST_CASE("a constant instance explains events, ticks, states, and possible events") {
    fighter f;
    agent_of_fight agent(f);
    CHECK(to_string(hsm::explain(agent, hit{5})) == "on brawl::hit: inactive\n");
    agent.start();
    CHECK(to_string(hsm::explain(agent, hit{5})) == "on brawl::hit: guarded\n"
                                                    "  fight/idle -> fight/attack on brawl::hit: its guard 1 returns false; 1 guard not evaluated\n");
    CHECK(to_string(hsm::explain(agent, hit{2}, hsm::explain_options{.all_guards = true})) ==
          "on brawl::hit: guarded\n  fight/idle -> fight/attack on brawl::hit: its guard 1 returns false; its guard 2 returns false\n");
    f.go = true;
    CHECK(to_string(hsm::explain(agent)) == "in a tick: unhandled\n  fight -> fight/idle: its target is already active\n");
    CHECK(to_string(hsm::why_not(agent, "attack")) ==
          "to fight/attack: guarded\n"
          "  fight/idle -> fight/attack on brawl::hit: it waits for brawl::hit; its guard 1 returns false; 1 guard not evaluated\n");
    f.ready = true;
    CHECK(to_string(hsm::possible(agent)) == "perhaps brawl::hit: fight/idle -> fight/attack on brawl::hit\n");
    CHECK(f.entered == 1);
}

TEST_CASE("an explained transition is the one that fires") {
    fighter f{.ready = true};
    agent_of_fight agent(f);
    agent.start();
    REQUIRE(hsm::explain(agent, hit{4}));
    CHECK(agent.process(hit{4}) == hsm::result::taken);
    CHECK(hsm::explain(agent, hit{4}).outcome == agent.process(hit{4}));
}

TEST_CASE("a finished state of a constant machine is reported as finished") {
    fighter f{.ready = true};
    agent_of_fight agent(f);
    agent.start();
    agent.process(hit{4});
    CHECK(to_string(hsm::explain(agent)).find("fight/attack is not finished") != std::string::npos);
    f.ready = false;
    agent.process(brawl::end{}); // its completion was tried without success
    const auto e = hsm::explain(agent);
    CHECK(!e.something_comes_first());
    CHECK(to_string(e).find("when finished: its guard 1 returns false") != std::string::npos);
    f.ready = true;
    CHECK(hsm::explain(agent));
    CHECK(agent.tick() == hsm::result::taken);
}

namespace {
constexpr auto ending = hsm::constant_chart<fighter, hsm::decision_order::substate_first>([](hsm::constant_fsm<fighter>& root) {
    auto& a = root.add_fsm("A");
    auto& b = a.add("B");
    b.to(root.add_final("end")).on<brawl::end>();
    a.on<brawl::ping>().then([](fighter&) {});
    b.on<brawl::ping>().then([](fighter&) {});
});
}

TEST_CASE("the ordinary chart decides and finishes like the constant chart") {
    fighter f;
    hsm::constant_instance<ending> agent(f);
    agent.start();
    CHECK(to_string(hsm::explain(agent, brawl::ping{})) ==
          "on brawl::ping: internal\n  root/A/B on brawl::ping: taken\n  root/A on brawl::ping: root/A/B on brawl::ping goes first\n");
    agent.process(brawl::end{});
    CHECK(hsm::explain(agent, brawl::ping{}).outcome == hsm::result::inactive);
}

namespace {
struct count {
    int value = 0;
};
constexpr auto define_sides = [](auto& root) {
    auto& p = root.named("sides").add_parallel("P");
    auto &left = p.add_fsm("left"), &right = p.add_fsm("right");
    auto &a = left.add("a"), &b = left.add("b"), &c = right.add("c"), &d = right.add("d").template local<count>();
    a.to(b).template on<brawl::end>();
    c.to(d).template on<brawl::end>();
    b.to(a).template on<brawl::ping>();
    b.to(a).after(hsm::time_span::from_nanoseconds(50));
    d.on_enter([](fighter&, count& x) { x.value = 7; });
    d.to(c).template on<hit>().when([](const fighter&, const count& x) { return x.value == 7; });
};
constexpr auto sides = hsm::constant_chart<fighter>(define_sides);
} // namespace

TEST_CASE("an explanation of a constant instance contains the states, timers and locals of all regions") {
    fighter f, g;
    auto root = hsm::make_fsm<fighter>("root");
    define_sides(*root);
    const auto chart = hsm::compile(std::move(root));
    hsm::instance<fighter> ordinary(chart, f);
    hsm::constant_instance<sides> constant(g);
    const auto report = [](auto& agent) {
        return to_string(hsm::explain(agent, brawl::ping{})) + to_string(hsm::explain(agent, hit{})) + to_string(hsm::explain(agent)) +
               to_string(hsm::why_not(agent, "right/c")) + to_string(hsm::possible(agent));
    };
    const auto each = [&](auto does) { does(ordinary), does(constant); };
    each([](auto& agent) { agent.start(); });
    CHECK(report(constant) == report(ordinary));
    each([](auto& agent) { agent.tick(hsm::time_span::from_nanoseconds(10)), agent.process(brawl::end{}); });
    each([](auto& agent) { agent.tick(hsm::time_span::from_nanoseconds(30)); });
    CHECK(to_string(hsm::explain(constant, brawl::ping{})) == "on brawl::ping: taken\n  sides/P/left/b -> sides/P/left/a on brawl::ping: taken\n");
    CHECK(hsm::explain(constant, hit{}));
    CHECK(report(constant) == report(ordinary));
}
