// on_unhandled: hooks for events that no active state handles.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using namespace test;

namespace {
struct hit {
    int damage = 0;
};
enum class key { up, down };
const auto who = [](recorder& r, hsm::step<recorder>& s) {
    r.note(std::string(s.state().name()) + " " + std::string(to_string(s.reason())) + " was " + std::string(s.previous().name()));
};
} // namespace

TEST_CASE("on_unhandled of the innermost active machine runs; the result stays unhandled") {
    auto root = root_of();
    root->on_unhandled(who);
    auto& m = root->add_fsm("M").on_unhandled(who);
    auto& n = m.add_fsm("N");
    n.add("x");
    auto& out = root->add("out");
    out.on<event<1>>();
    m.to(out).on<event<2>>();
    started s(std::move(root));
    CHECK(s.agent.process(event<1>{}) == hsm::result::unhandled);
    CHECK(s.r.take() == "M event was x");
    s.agent.process(event<2>{});
    CHECK(s.agent.process(event<2>{}) == hsm::result::unhandled);
    CHECK(s.r.take() == "R event was out");
}

TEST_CASE("on_unhandled hooks run in order, in their context, with the event and its payload") {
    auto root = root_of();
    root->on_unhandled([](recorder& r, hsm::step<recorder>& s) {
        if (s.event<hit>()) r.note("hit " + std::to_string(s.event<hit>()->damage));
        if (s.event<key>()) r.note(*s.event<key>() == key::down ? "down" : "up");
        if (!s.event_name().empty()) r.note(s.event_name());
        CHECK_FALSE(s.source());
        CHECK_FALSE(s.target());
        CHECK(s.transition() == nullptr);
        CHECK(s.current().name() == "A");
    });
    root->on_unhandled(tracing("and again"));
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<event<1>>();
    SUBCASE("the chart knows the events") {
        b.on<hit>();
        b.on<key::down>();
        b.on("wave");
    }
    SUBCASE("no chart knows the events") {}
    started m(std::move(root));
    m.agent.process(hit{7});
    m.agent.process(key::down);
    m.agent.process("wave");
    CHECK(m.r.take() == "hit 7, and again, down, and again, wave, and again");
}

TEST_CASE("posted and queued events without a transition count; those that post refused do not") {
    auto root = root_of();
    root->on_unhandled(who);
    auto& a = root->add("A");
    auto& b = root->add("B");
    b.on<event<1>>();
    a.on<event<2>>().then([](recorder&, hsm::step<recorder>& s) {
        CHECK(s.process(event<1>{}) == hsm::result::queued);
        CHECK(s.process(event<3>{}) == hsm::result::unhandled);
    });
    started m(std::move(root));
    CHECK(m.agent.post(event<3>{}) == hsm::result::unhandled);
    CHECK(m.r.take() == "");
    CHECK(m.agent.post(event<1>{}) == hsm::result::queued);
    CHECK(m.tick() == "R event was A");
    CHECK(m.process(event<2>{}) == "R event was A");
}

TEST_CASE("on_unhandled does not run for guarded or held events, or for can") {
    auto root = root_of();
    root->on_unhandled(who);
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on<event<1>>().when(&recorder::go);
    a.to(b).on<event<2>>();
    b.on<event<3>>();
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::guarded);
    CHECK(m.agent.process(event<2>{}) == hsm::result::held);
    CHECK(m.agent.can(event<3>{}).outcome == hsm::result::unhandled);
    CHECK(m.r.take() == "");
}

TEST_CASE("on_unhandled runs in a machine at rest") {
    auto root = root_of();
    auto& m = root->add_fsm("M").on_unhandled(who);
    auto& x = m.add("x");
    m.dispatch(x).when(&recorder::go);
    started s(std::move(root));
    s.agent.process(event<1>{});
    CHECK(s.r.take() == "M event was M");
}

TEST_CASE("requests of on_unhandled follow, as after an event") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    root->on_unhandled([&](recorder&, hsm::step<recorder>& s) { CHECK(s.change_to(b) == hsm::result::queued); });
    a.to(b).always().when(&recorder::go); // it does not handle the event, though
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
    CHECK(m.r.take() == "X A, E B");
}

TEST_CASE("an on_unhandled that throws: the exception propagates, and the event is consumed") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    b.on<event<1>>();
    a.on<event<2>>();
    root->on_unhandled([](recorder& r) {
        r.note("unhandled");
        throw std::runtime_error("unhandled");
    });
    started m(std::move(root));
    m.agent.post(event<1>{});
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    CHECK(m.r.take() == "unhandled");
    CHECK(m.agent.queued() == 0);
    CHECK(m.tick() == "");
}

TEST_CASE("without on_unhandled nothing happens") {
    auto root = root_of();
    traced(root->add("A"));
    started m(std::move(root));
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
    CHECK(m.r.take() == "");
}
