// Choices: forks of transitions.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

TEST_CASE("a choice takes the first branch whose guard holds, by priority, then definition, else otherwise") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& c = root->add_choice("c");
    auto& b = traced(root->add("B"));
    auto& d = traced(root->add("D"));
    auto& e = traced(root->add("E"));
    c.otherwise(b).then(tracing("otherwise")); // also when it is written first
    c.to(d).when(&recorder::go).then(tracing("to D"));
    c.to(e).when(&recorder::ready).priority(1);
    a.to(c).on<event<1>>().then(tracing("action"));
    started m(std::move(root));
    SUBCASE("otherwise") { CHECK(m.process(event<1>{}) == "X A, action, otherwise, E B"); }
    SUBCASE("a branch") {
        m.r.go = true;
        CHECK(m.process(event<1>{}) == "X A, action, to D, E D");
    }
    SUBCASE("priority") {
        m.r.go = m.r.ready = true;
        CHECK(m.process(event<1>{}) == "X A, action, E E");
    }
}

TEST_CASE("the branches are evaluated after the exits, the action and the entries that lead to the choice") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    auto& c = m.add_choice("c");
    auto& x = traced(m.add("x"));
    auto& y = traced(m.add("y"));
    c.to(y).when(&recorder::go);
    c.otherwise(x);
    m.on_enter([](recorder& r) { r.go = true; });
    a.to(c);
    started s(std::move(root));
    CHECK(s.tick() == "X A, E M, E y, U M, U y");
}

TEST_CASE("a branch may leave the machine of its choice") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& m = traced(root->add_fsm("M"));
    auto& c = m.add_choice("c");
    auto& out = traced(root->add("out"));
    c.otherwise(out).then(tracing("branch"));
    a.to(c).on<event<1>>();
    started s(std::move(root));
    CHECK(s.process(event<1>{}) == "X A, E M, X M, branch, E out");
}

TEST_CASE("choices can follow each other, also at start") {
    auto root = root_of();
    auto& first = root->add_choice("first");
    auto& second = root->add_choice("second");
    first.otherwise(second);
    second.to(traced(root->add("A"))).when(&recorder::go);
    second.otherwise(traced(root->add("B")));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.take() == "E B");
}

TEST_CASE("an entry choice may lead to a choice; on_change runs for each link") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& m = root->add_fsm("M");
    auto& c = m.add_choice("c");
    auto& x = m.add("x");
    c.otherwise(x);
    m.initial(c);
    a.to(m).on<event<1>>();
    root->on_change([](recorder& r, hsm::state_ref from, hsm::state_ref to, hsm::reason why) {
        r.note(std::string(from.name()) + ">" + std::string(to.name()) + " " + std::string(to_string(why)));
    });
    started s(std::move(root));
    CHECK(s.process(event<1>{}) == "A>c event, c>x poll");
}

TEST_CASE("a choice whose guard throws is a leaf, and is tried again in the next tick") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& c = root->add_choice("c");
    auto& b = traced(root->add("B"));
    c.to(b).when([](const recorder& r) -> bool {
        if (r.go) throw std::runtime_error("guard");
        return true;
    });
    c.otherwise(a);
    a.to(c).on<event<1>>();
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.process(event<1>{}), std::runtime_error);
    CHECK(m.path() == "R/c");
    m.r.go = false;
    m.r.take();
    CHECK(m.tick() == "E B, U B");
}

TEST_CASE("a cycle of choices is reported") {
    auto root = root_of();
    root->add("A");
    auto& c = root->add_choice("c");
    auto& d = root->add_choice("d");
    c.otherwise(d);
    d.otherwise(c);
    started m(std::move(root));
    CHECK_THROWS_AS(m.agent.change_to("c"), hsm::chain_error);
    CHECK((m.path() == "R/c" || m.path() == "R/d"));
}

TEST_CASE("the hooks of a branch receive the choice as their source") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& c = root->add_choice("c");
    auto& b = root->add("B");
    const auto made = c.to(b).when(&recorder::go);
    c.otherwise(a);
    a.to(c).on<event<1>>();
    b.on_enter([&](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(to_string(s.reason())) + " " + s.source().path() + " was " + s.previous().path());
        CHECK(s.transition() == &made.spec());
    });
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "poll R/c was R/c");
}
