// T5, T6, T9, T10, T13: states that hold; the reasons, and what ends a hold.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

TEST_CASE("T5: a state that holds until released exits after the release; a release from outside only sets a mark") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B")));
    started m(std::move(root));
    CHECK(m.tick() == "U A");
    CHECK(m.agent.release() == hsm::result::queued);
    CHECK(m.r.take() == "");
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("T6: a state that is ready does not hold") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold_until(&recorder::ready);
    a.to(traced(root->add("B")));
    started m(std::move(root));
    m.r.ready = true;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("T9: a state whose substate does not hold exits") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    traced(a.add("X"));
    traced(a.add("held elsewhere")).hold();
    a.to(traced(root->add("B")));
    started m(std::move(root));
    CHECK(m.tick() == "X X, X A, E B, U B");
}

TEST_CASE("T10: a substate that never stops holding also keeps its superstate active") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    traced(a.add("X")).hold();
    a.to(traced(root->add("B")));
    started m(std::move(root));
    for (int i = 0; i < 3; ++i) CHECK(m.tick() == "U A, U X");
}

TEST_CASE("T13: a forced transition does not wait") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A"));
    traced(a.add("X")).hold();
    a.to(traced(root->add("B"))).force();
    started m(std::move(root));
    CHECK(m.tick() == "X X, X A, E B, U B");
}

TEST_CASE("a state holds while any of its reasons does: until released, the least duration, the predicates") {
    auto root = root_of();
    auto& a = traced(root->add("A")).min_duration(2.0).hold_until(&recorder::go).hold_until(&recorder::ready);
    a.to(traced(root->add("B")));
    started m(std::move(root));
    m.r.go = m.r.ready = true;
    CHECK(m.tick(hsm::time_span::from_seconds(1.0)) == "U A");
    m.r.ready = false;
    CHECK(m.tick(hsm::time_span::from_seconds(1.0)) == "U A");
    m.r.ready = true;
    m.r.go = false;
    CHECK(m.tick() == "U A");
    m.r.go = true;
    CHECK(m.tick() == "X A, E B, U B");
}

TEST_CASE("a release ends all holds until the state is entered again") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold().min_duration(100.0).hold_until(&recorder::ready);
    auto& b = traced(root->add("B"));
    a.to(b);
    b.to(a).on<event<1>>();
    started m(std::move(root));
    m.agent.release();
    CHECK(m.tick() == "X A, E B, U B");
    CHECK(m.process(event<1>{}) == "X B, E A");
    CHECK(m.tick() == "U A");
}

TEST_CASE("the predicates are called in order, with the target, until one refuses") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    std::string asked;
    a.hold_until([&](const recorder& r, hsm::state_ref to) {
        asked += "first " + std::string(to.name()) + " ";
        return r.ready;
    });
    a.hold_until([&](const recorder&, hsm::state_ref to) {
        asked += "second ";
        return to == hsm::state_ref(c);
    });
    a.to(b).on<event<1>>();
    a.to(c).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::held);
    CHECK(asked == "first B ");
    asked.clear();
    m.r.ready = true;
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::held);
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::taken);
    CHECK(asked == "first B second first C second ");
}

TEST_CASE("a predicate of any form may take the target") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    a.hold_until([](const auto&, const auto& to) { return to.name() == "C"; }); // generic
    a.hold_until([](const recorder&, const hsm::state_ref& to) { return to.name() != "none"; });
    a.to(b).on<event<1>>();
    a.to(c).on<event<2>>();
    started m(std::move(root));
    CHECK(m.agent.can(event<1>{}).outcome == hsm::result::held);
    CHECK(m.agent.can(event<2>{}).outcome == hsm::result::taken);
}

TEST_CASE("an event of type state_ref is distinct from the target of a held transition") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    std::string seen;
    a.hold_until([&](const recorder&, hsm::state_ref to) {
        seen += "held from " + std::string(to.name()) + " ";
        return true;
    });
    a.to(b).on<hsm::state_ref>().when([&](const recorder&, const hsm::state_ref& called) {
        seen += "called " + std::string(called.name()) + " ";
        return called == hsm::state_ref(c);
    });
    started m(std::move(root));
    CHECK(m.agent.process(hsm::state_ref(a)) == hsm::result::guarded);
    CHECK(seen == "called A ");
    seen.clear();
    CHECK(m.agent.process(hsm::state_ref(c)) == hsm::result::taken);
    CHECK(seen == "called C held from B ");
}

TEST_CASE("a predicate sees the locals of its state") {
    struct swing {
        int frames;
        void update(recorder& r) {
            r.note("swing");
            --frames;
        }
        bool over() const { return frames <= 0; }
    };
    auto root = root_of();
    auto& a = root->add<swing>("A", 2);
    a.hold_until(&swing::over);
    a.to(traced(root->add("B")));
    started m(std::move(root));
    CHECK(m.tick() == "swing");
    CHECK(m.tick() == "swing, E B");
}

TEST_CASE("a hook releases its own state, and no other") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold();
    auto& x = traced(a.add("X")).hold();
    a.to(traced(root->add("B")));
    const auto release = [](recorder&, hsm::step<recorder>& s) { s.release(); };
    x.on<event<1>>().then(release);
    a.on<event<2>>().then(release);
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::internal);
    CHECK(m.tick() == "U A, U X");
    CHECK(m.agent.process(event<2>{}) == hsm::result::internal);
    CHECK(m.tick() == "X X, X A, E B, U B");
}

TEST_CASE("a state that releases itself in its update exits right after it; in its enter, immediately") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    a.to(traced(root->add("B")));
    const auto release = [](recorder&, hsm::step<recorder>& s) { s.release(); };
    SUBCASE("update") {
        a.on_update(release);
        started m(std::move(root));
        CHECK(m.tick() == "U A, X A, E B");
    }
    SUBCASE("enter") {
        a.on_enter(release);
        started m(std::move(root));
        CHECK(m.tick() == "X A, E B, U B");
    }
}

TEST_CASE("release from outside applies to the leaf, or to a given state") {
    auto root = root_of();
    auto& a = traced(root->add_fsm("A")).hold();
    auto& x = traced(a.add("X")).hold();
    auto& b = traced(root->add("B"));
    a.to(b);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.release() == hsm::result::inactive);
    agent.start();
    CHECK(agent.release(b) == hsm::result::unhandled);
    CHECK(agent.release() == hsm::result::queued);
    r.take();
    agent.tick();
    CHECK(r.take() == "U A, U X");
    CHECK(agent.release("A") == hsm::result::queued);
    agent.tick();
    CHECK(r.take() == "X X, X A, E B, U B");
    CHECK(agent.release(x) == hsm::result::unhandled);
}

TEST_CASE("stop, force_to and internal reactions are never held") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    traced(root->add("B"));
    a.on<event<1>>().then(tracing("reaction"));
    a.when(&recorder::go).then(tracing("polled reaction"));
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.process(event<1>{}) == "reaction");
    CHECK(m.tick() == "U A, polled reaction");
    SUBCASE("force_to") {
        CHECK(m.agent.force_to("B") == hsm::result::taken);
        CHECK(m.r.take() == "X A, E B");
    }
    SUBCASE("stop") { CHECK(m.stop() == "X A"); }
}

TEST_CASE("a predicate that throws acts as a guard that throws: nothing has changed") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.hold_until([](const recorder& r) {
        if (r.go) throw std::runtime_error("hold");
        return true;
    });
    a.to(b);
    a.to(b).on<event<1>>();
    started m(std::move(root));
    m.r.go = true;
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    CHECK_THROWS_AS(m.agent.process(event<1>{}), std::runtime_error);
    CHECK_THROWS_AS(m.agent.change_to(b), std::runtime_error);
    CHECK(m.r.take() == "");
    m.r.go = false;
    CHECK(m.tick() == "X A, E B, U B");
}
