// Setting conditions: from where, for how long, and by which names.

#include <tests/support/animation.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace test;

TEST_CASE("hooks set conditions") {
    auto root = root_of();
    const auto done = root->condition();
    auto& a = root->add("a").on_update([=](recorder&, hsm::step<recorder>& s) { s.set(done); });
    auto& b = root->add("b").on_enter([=](recorder& r, hsm::step<recorder>& s) {
        r.note(s.get(done) && !s.get("Other") ? "E b" : "?");
        s.clear(done);
        s.pulse("Other");
    });
    a.to(b).when(done);
    b.to(a).when("Other");
    machine m(std::move(root));
    CHECK(m.tick() == "");
    CHECK(m.agent.get(done));
    CHECK(m.tick() == "E b");
    CHECK_FALSE(m.agent.get(done));
    CHECK(m.agent.get("Other")); // a pulse of this tick lasts to the end of the next
    CHECK((m.tick(), m.leaf()) == "a");
    CHECK_FALSE(m.agent.get("Other"));
}

TEST_CASE("a pulse ends with the next tick or decide") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    a.to(b).when(hsm::all("Jump", "Ready"));
    b.to(a).on("back");
    machine m(std::move(root));
    m.tick();
    m.agent.pulse("Jump");
    CHECK(m.agent.get("Jump"));
    CHECK(m.tick() == "");
    CHECK_FALSE(m.agent.get("Jump"));
    m.agent.set("Ready");
    CHECK(m.tick() == "");
    m.agent.pulse("Jump");
    m.agent.update();
    m.agent.drain();
    m.agent.process("back"); // none of these is the next tick
    CHECK(m.agent.get("Jump"));
    CHECK(m.decide() == "X a, E b");
    CHECK(m.bits() == "Ready");
    m.agent.pulse("Jump");
    m.agent.set("Jump"); // the pulse becomes permanent
    m.tick();
    CHECK(m.agent.get("Jump"));
    m.agent.pulse("Jump");
    m.agent.stop();
    m.agent.tick(); // not active: no tick
    CHECK(m.agent.get("Jump"));
    m.agent.start();
    m.agent.tick();
    CHECK(m.bits() == "Ready");
}

TEST_CASE("a pulse ends also when a hook throws") {
    auto root = root_of();
    auto& a = root->add("a");
    a.to(a).when("Jump").then([](recorder&) { throw 1; });
    machine m(std::move(root));
    m.agent.pulse("Jump");
    CHECK_THROWS_AS(m.agent.tick(), int);
    CHECK_FALSE(m.agent.get("Jump"));
    m.agent.tick();
    CHECK(m.tick() == "");
}

TEST_CASE("conditions survive stop and start, but not reset") {
    machine m(animation());
    m.agent.stop();
    m.agent.set("IsJump");
    m.agent.start();
    CHECK(m.bits() == "IsJump");
    m.tick();
    m.agent.finish();
    m.agent.restart(); // exits without a transition reset nothing
    CHECK(m.bits() == "IsJump");
    m.agent.pulse("IsRun");
    m.agent.reset();
    CHECK(m.bits() == "");
    m.agent.start();
    m.r.take();
    CHECK(m.tick() == "");
    m.agent.set_state("Jump");
    m.agent.set("IsJump");
    m.agent.finish();
    CHECK(m.tick() == "X Jump, landed, E Idle"); // Idle was not entered by a transition
    CHECK(m.bits() == "IsJump");
}

TEST_CASE("conditions survive a move of the instance") {
    const auto chart = hsm::compile(animation());
    recorder r;
    hsm::instance<recorder> first{chart, r};
    first.start();
    first.set("IsRun");
    auto second = std::move(first);
    CHECK(second.get("IsRun"));
    second.tick();
    CHECK(second.current().name() == "Run");
}

TEST_CASE("a condition that the chart does not have is an error") {
    machine m(animation());
    const auto report_of = [&](auto call) {
        try {
            call();
        } catch (const hsm::condition_error& e) {
            CHECK(e.number() == hsm::code::unknown_condition);
            return true;
        }
        return false;
    };
    CHECK(report_of([&] { m.agent.set("IsRum"); }));
    try {
        m.agent.set("IsRum");
    } catch (const hsm::condition_error& e) {
        CHECK(e.report().path == "R");
        CHECK(e.report().problem == "\"IsRum\" is not a condition of this chart");
        CHECK(e.report().hint == "did you mean \"IsRun\"?");
    }
    CHECK(report_of([&] { (void)m.agent.get("!IsRun"); }));
    CHECK(report_of([&] { m.agent.pulse(5); }));
    CHECK(report_of([&] { m.agent.set(-1); }));
    CHECK(report_of([&] { m.agent.set(""); }));
    CHECK(report_of([&] { m.agent.set(hsm::is_over); }));
    CHECK(report_of([&] { m.agent.set(hsm::condition()); }));
    auto other = root_of();
    const auto of_another = other->condition();
    CHECK(report_of([&] { m.agent.set(of_another); }));
    const auto named = m.chart.condition("IsRun");
    m.agent.set(named);
    CHECK(m.bits() == "IsRun");
}

TEST_CASE("a chart without conditions has no condition names") {
    auto root = root_of();
    root->add("a");
    machine m(std::move(root));
    CHECK_THROWS_AS(m.agent.set("IsRun"), hsm::condition_error);
    CHECK_THROWS_AS(m.agent.set(0), hsm::condition_error);
    m.agent.clear();
    CHECK(m.tick() == "");
}

TEST_CASE("bits at the limits of indices are independent, in every word") {
    const std::vector<int> indices{1, 2, 61, 62, 63, 64, 65, 127, 128, 65534, 65535};
    for (const auto by_name : {false, true}) {
        auto root = root_of();
        auto& a = root->add("a");
        for (const auto i : indices) {
            if (by_name) root->condition("bit" + std::to_string(i), i);
            auto& to = root->add("on" + std::to_string(i));
            a.to(to).when(i);
            to.to(a).when(-i);
        }
        machine m(std::move(root));
        for (const auto i : indices) {
            CAPTURE(i);
            if (by_name)
                m.agent.set("bit" + std::to_string(i));
            else
                m.agent.set(i);
            for (const auto other : indices) CHECK(m.agent.get(other) == (other == i));
            m.tick();
            CHECK(m.leaf() == "on" + std::to_string(i));
            m.agent.clear(i);
            m.tick();
            CHECK(m.leaf() == "a");
        }
    }
}

TEST_CASE("bits beyond the limits of indices are not in the chart") {
    for (const auto last : {1, 61, 62, 63, 64, 65535}) {
        auto root = root_of();
        auto& a = root->add("a");
        a.to(a).when(last);
        machine m(std::move(root));
        CAPTURE(last);
        CHECK_NOTHROW(m.agent.set(last));
        for (const auto beyond : {last + 1, 65536, 2147483647, -2147483647 - 1, -last, -1}) {
            CHECK_THROWS_AS(m.agent.set(beyond), hsm::condition_error);
            CHECK_THROWS_AS(m.agent.pulse(beyond), hsm::condition_error);
            CHECK_THROWS_AS((void)m.agent.get(beyond), hsm::condition_error);
        }
        CHECK_THROWS_AS(m.agent.set(0), hsm::condition_error);
        CHECK_FALSE(m.agent.get(0));
    }
}
