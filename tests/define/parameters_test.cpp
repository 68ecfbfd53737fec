// The parameters of hooks, in every form, and the data that they require.

#include <tests/support/life.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;

namespace {

struct hero : recorder {
    void greet() { note("greet"); }
    void move(float dt) { note("move " + std::to_string(dt).substr(0, 3)); }
};

struct watch {
    int ticks = 1;
    void tick() { ++ticks; }
};

struct bag {
    int coins = 7;
};

struct hit {
    int damage = 0;
    void report(hero& h) const { h.note("reported " + std::to_string(damage)); }
};

std::string updated(auto hook) {
    return life_of_state<hero>([&](hsm::state<hero>& s) { s.local<watch>().local<bag>().on_update(std::move(hook)); });
}

/// The data that this update requires.
hsm::detail::hook_needs needs_of_update(auto hook) {
    auto root = hsm::make_fsm<hero>("R");
    root->add("A").on_update(std::move(hook));
    return root->substates()[0]->hooks(hsm::hook_kind::update)[0].needs();
}

} // namespace

TEST_CASE("a hook can have its parameters in any order") {
    CHECK(updated([](bag& b, float dt, hsm::step<hero>& s, hero& h, watch& w) {
              h.note(std::to_string(b.coins) + " " + std::to_string(int(dt * 10)) + " " + std::string(s.state().name()) + " " +
                     std::to_string(w.ticks));
          }) == "7 5 A 1");
    CHECK(updated([](hsm::step<hero>& s, const bag& b, hero& h) { h.note(std::to_string(b.coins) + std::string(s.state().name())); }) == "7A");
}

TEST_CASE("an update receives the elapsed time as the number or duration of its parameter") {
    using namespace std::chrono;
    const auto counted = [](auto d) { return std::to_string(d.count()); };
    CHECK(updated([](hero& h, float dt) { h.note(dt == 0.5f ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, double dt) { h.note(dt == 0.5 ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, const double& dt) { h.note(dt == 0.5 ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, long double dt) { h.note(dt == 0.5L ? "half" : "?"); }) == "half");
    CHECK(updated([=](hero& h, nanoseconds dt) { h.note(counted(dt)); }) == "500000000");
    CHECK(updated([=](hero& h, microseconds dt) { h.note(counted(dt)); }) == "500000");
    CHECK(updated([=](hero& h, milliseconds dt) { h.note(counted(dt)); }) == "500");
    CHECK(updated([=](hero& h, const milliseconds& dt) { h.note(counted(dt)); }) == "500");
    CHECK(updated([=](hero& h, seconds dt) { h.note(counted(dt)); }) == "0");
    CHECK(updated([=](hero& h, hours dt) { h.note(counted(dt)); }) == "0");
    CHECK(updated([](hero& h, duration<float> dt) { h.note(dt.count() == 0.5f ? "half" : "?"); }) == "half");
    CHECK(updated([](hero& h, duration<double, std::milli> dt) { h.note(dt.count() == 500 ? "half" : "?"); }) == "half");
    CHECK(updated([=](hero& h, duration<int, std::ratio<1, 60>> frames) { h.note(counted(frames)); }) == "30");
    CHECK(updated([](hero& h, hsm::time_span dt) { h.note(std::to_string(dt.nanoseconds())); }) == "500000000");
    CHECK(updated([](float dt) { CHECK(dt == 0.5f); }) == "");
    CHECK(updated(&hero::move) == "move 0.5");
}

TEST_CASE("an action can take the event by reference or by value, in any position") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A").local<bag>();
    a.on<hit>()
        .then([](hero& h, const hit& e) { h.note("reference " + std::to_string(e.damage)); })
        .then([](hit e, hero& h) { h.note("value " + std::to_string(e.damage)); })
        .then([](const hit& e) { CHECK(e.damage == 3); })
        .then([](const hit& e, bag& b, hsm::step<hero>& s, hero& h) { h.note(std::to_string(e.damage + b.coins) + std::string(s.state().name())); })
        .then(&hero::greet)
        .then(&hit::report);
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    CHECK(agent.process(hit{3}) == hsm::result::internal);
    CHECK(h.take() == "reference 3, value 3, 10A, greet, reported 3");
}

TEST_CASE("a hook requires the locals that it takes, and the hook context only if one of its parameters needs it") {
    const auto nothing = needs_of_update([](hero&) {});
    CHECK(nothing.local_count == 0);
    CHECK_FALSE(nothing.hook_context);
    CHECK_FALSE(nothing.locals);
    CHECK_FALSE(needs_of_update(&hero::greet).hook_context);

    for (const auto& needs : {needs_of_update([](hero&, float) {}), needs_of_update([](hsm::step<hero>&) {}), needs_of_update(&hero::move),
                              needs_of_update([](hero&) { return hsm::successor(); }), needs_of_update([](auto&) {})}) {
        CHECK(needs.local_count == 0);
        CHECK(needs.hook_context);
    }

    const auto two = needs_of_update([](const bag&, hero&, watch&) {});
    REQUIRE(two.local_count == 2);
    CHECK(two.locals[0] == &hsm::detail::local_type_of<bag>);
    CHECK(two.locals[1] == &hsm::detail::local_type_of<watch>);
    CHECK(two.hook_context);
    CHECK(needs_of_update(&watch::tick).local_count == 1);
}
