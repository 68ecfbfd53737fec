// Triggers: conditions that are cleared when a transition uses them.

#include <hsm/chart/view.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/support/started.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <chrono>

using namespace test;
using namespace std::chrono_literals;

namespace {
auto go(const recorder& r) { return r.go; }
auto ready(const recorder& r) { return r.ready; }
} // namespace

TEST_CASE("a trigger stays set until a transition that requires it fires") {
    auto root = root_of();
    const auto jump = root->condition("Jump").trigger();
    root->condition("Fast");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).when(hsm::all(jump, "Fast")).when(&go);
    b.to(a).when(jump);
    started m(std::move(root));
    m.agent.trigger(jump);
    CHECK(m.tick() == "U A"); // Fast is clear
    m.agent.set("Fast");
    CHECK(m.tick() == "U A"); // the guard refuses
    CHECK(m.agent.get(jump));
    m.r.go = true;
    CHECK(m.tick() == "X A, E B, U B");
    CHECK_FALSE(m.agent.get(jump));
    CHECK(m.agent.get("Fast")); // not a trigger
    CHECK(m.tick() == "U B");
    m.agent.trigger("Jump");
    CHECK(m.tick() == "X B, E A, U A");
}

TEST_CASE("a transition uses the triggers that are set, of any and of all, also beside guards") {
    auto root = root_of();
    for (const auto* name : {"P", "Q", "R", "S"}) root->condition(name).trigger();
    auto& a = root->add("A");
    auto& b = root->add("B");
    SUBCASE("any") { a.to(b).on<event<1>>().when(hsm::any("P", "Q")).when("!S"); }
    SUBCASE("all") { a.to(b).on<event<1>>().when(hsm::all("P", "Q", "!S")); }
    SUBCASE("any with a guard") { a.to(b).on<event<1>>().when(hsm::any(hsm::all(&ready, "P"), "Q")).when("!S"); }
    started m(std::move(root));
    for (const auto* name : {"P", "Q", "R"}) m.agent.trigger(name);
    CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
    CHECK_FALSE(m.agent.get("P"));
    CHECK_FALSE(m.agent.get("Q"));
    CHECK(m.agent.get("R")); // not required
}

TEST_CASE("a transition that requires a trigger to be clear does not use it") {
    auto root = root_of();
    const auto stop = root->condition("Stop").trigger();
    const auto jump = root->condition("Jump").trigger();
    auto& a = root->add("A");
    a.to(root->add("B")).when(hsm::any(!stop, jump));
    started m(std::move(root));
    m.agent.trigger(jump);
    m.agent.trigger(stop);
    m.tick();
    CHECK(m.path() == "R/B");
    CHECK(m.agent.get(stop));
    CHECK_FALSE(m.agent.get(jump));
}

TEST_CASE("reactions, queries, and states that hold do not use triggers") {
    auto root = root_of();
    const auto jump = root->condition("Jump").trigger();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B"))).when(jump);
    a.on<event<1>>().when(jump).then(tracing("react"));
    started m(std::move(root));
    m.agent.trigger(jump);
    CHECK(m.agent.can(event<1>{}));
    CHECK(m.process(event<1>{}) == "react");
    CHECK(m.tick() == "U A"); // it waits
    CHECK(m.agent.get(jump));
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
    CHECK_FALSE(m.agent.get(jump));
}

TEST_CASE("one trigger fires one of two transitions that follow each other") {
    auto root = root_of();
    const auto next = root->condition("Next").trigger();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.to(b).when(next).always();
    b.to(c).when(next).always();
    started m(std::move(root));
    m.agent.trigger(next);
    CHECK(m.tick() == "X A, E B, U B");
    m.agent.trigger(next);
    CHECK(m.tick() == "X B, E C, U C");
}

TEST_CASE("a trigger is cleared before the exits, so hooks of the transition can set it again") {
    auto root = root_of();
    const auto jump = root->condition("Jump").trigger();
    auto& a = root->add("A").on_exit([jump](recorder& r, hsm::step<recorder>& s) {
        r.note(s.get(jump) ? "set" : "clear");
        s.trigger(jump);
    });
    a.to(traced(root->add("B"))).when(jump).then([jump](recorder& r, hsm::step<recorder>& s) { r.note(s.get(jump) ? "set" : "clear"); });
    started m(std::move(root));
    m.agent.trigger(jump);
    CHECK(m.tick() == "clear, set, E B, U B");
    CHECK(m.agent.get(jump));
}

TEST_CASE("entry choices use triggers before their actions") {
    auto root = root_of();
    const auto heavy = root->condition("Heavy").trigger();
    auto& a = root->add("A");
    auto& attack = root->add_fsm("attack");
    auto& light = attack.add("light");
    auto& slam = attack.add("slam");
    attack.initial(light);
    attack.dispatch(slam).when(heavy).then([heavy](recorder& r, hsm::step<recorder>& s) { r.note(s.get(heavy) ? "set" : "clear"); });
    a.to(attack).on<event<1>>();
    attack.to(a).on<event<2>>();
    started m(std::move(root));
    m.agent.trigger(heavy);
    CHECK(m.process(event<1>{}) == "clear");
    CHECK(m.path() == "R/attack/slam");
    CHECK_FALSE(m.agent.get(heavy));
    m.process(event<2>{});
    m.process(event<1>{});
    CHECK(m.path() == "R/attack/light");
}

TEST_CASE("all transitions of one step share a trigger; a later step finds it clear") {
    auto root = root_of();
    const auto both = root->condition("Both").trigger();
    auto& p = root->add_parallel("P");
    for (const auto* name : {"X", "Y"}) {
        auto& region = p.add_fsm(name);
        auto& one = region.add("one");
        auto& two = region.add("two");
        one.to(two).on<event<1>>().when(both);
        two.to(one).when(both);
    }
    started m(std::move(root));
    m.agent.trigger(both);
    CHECK(m.agent.process(event<1>{}) == hsm::result::taken);
    CHECK(m.agent.path_of_leaves() == "R/P/X/two, R/P/Y/two");
    CHECK_FALSE(m.agent.get(both));
    m.agent.trigger(both);
    m.tick(); // the regions decide one after the other
    CHECK(m.agent.path_of_leaves() == "R/P/X/one, R/P/Y/two");
}

TEST_CASE("set, clear and pulse work with triggers; trigger works only with them") {
    auto root = root_of();
    const auto jump = root->condition("Jump", 70).trigger();
    root->condition("Plain");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(jump);
    b.to(a).when(jump);
    started m(std::move(root));
    m.agent.set(jump);
    m.tick();
    CHECK(m.path() == "R/B");
    CHECK_FALSE(m.agent.get(jump));
    m.agent.trigger(70);
    m.agent.clear(jump);
    m.tick();
    CHECK(m.path() == "R/B");
    m.agent.pulse(jump);
    m.tick();
    CHECK(m.path() == "R/A");
    m.tick();
    CHECK(m.path() == "R/A");
    m.agent.trigger(jump);
    m.agent.reset();
    CHECK_FALSE(m.agent.get(jump));
    CHECK_THROWS_WITH_AS(m.agent.trigger("Plain"),
                         "HSM-204 error at R: \"Plain\" is not a trigger; hint: call .trigger() on the condition in the definition, or call set()",
                         hsm::condition_error);
    CHECK_THROWS_AS(m.agent.trigger("Jumb"), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.trigger(hsm::is_over), hsm::condition_error);
}

TEST_CASE("images and documents contain triggers; view, dump and fingerprint show them") {
    const auto make = [](bool as_trigger) {
        auto root = root_of();
        const auto jump = root->condition("Jump");
        if (as_trigger) jump.trigger();
        root->add("A").to(root->add("B")).when("Jump");
        return hsm::compile(std::move(root));
    };
    const auto chart = make(true), plain = make(false);
    CHECK(chart.fingerprint() != plain.fingerprint());
    CHECK(chart.view().condition(1).is_trigger());
    CHECK_FALSE(plain.view().condition(1).is_trigger());
    CHECK(chart.dump().find("Jump (trigger)") != std::string::npos);
    recorder r;
    hsm::instance agent{chart, r}, by_image{chart, r}, by_document{chart, r};
    agent.start();
    agent.trigger("Jump");
    hsm::restore(by_image, hsm::save(agent));
    hsm::restore_document(by_document, hsm::save_document(agent));
    for (auto* each : {&by_image, &by_document}) {
        CHECK(hsm::hash(*each) == hsm::hash(agent));
        each->tick();
        CHECK(each->current().name() == "B");
        CHECK_FALSE(each->get("Jump"));
    }
}

TEST_CASE("a trace contains the use of a trigger") {
    auto root = root_of();
    root->condition("Jump").trigger();
    root->add("A").to(root->add("B")).when("Jump");
    started m(std::move(root));
    text_observer log;
    const auto attached = m.agent.attach(log, hsm::record_kind::condition | hsm::record_kind::transition);
    log.take();
    m.agent.trigger("Jump");
    m.tick();
    CHECK(log.take() == "condition 1 1, begins 0 (poll), condition 1 0");
}
