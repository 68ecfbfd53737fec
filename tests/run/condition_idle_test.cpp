// Ticks without an effect, and ticks that must not be treated as such: everything that a leaf watches counts.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace test;

namespace {

/// R{ a b }; `define` writes the transitions.
template <class Define> started two_states(Define define) {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    define(*root, a, b);
    return started(std::move(root));
}

} // namespace

TEST_CASE("clearing all conditions does not clear is_over") {
    auto m = two_states([](auto&, auto& a, auto& b) { a.to(b).when(hsm::all(hsm::is_over, "Landed")); });
    m.agent.finish();
    CHECK(m.tick() == ""); // from here on bit 0 is watched
    m.agent.clear();
    CHECK(m.agent.get(hsm::is_over));
    m.agent.set("Landed");
    CHECK(m.tick() == "X a, E b");
}

TEST_CASE("the condition is_over is known even if no transition requires it") {
    auto m = two_states([](auto&, auto& a, auto& b) { a.to(b).when("Go"); });
    m.agent.finish();
    CHECK(m.agent.get(hsm::is_over));
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    CHECK_FALSE(m.agent.get(hsm::is_over));
}

TEST_CASE("two requirements of is_over are one condition") {
    auto m = two_states([](auto&, auto& a, auto& b) {
        a.to(b).when("Go");
        b.to(a).when(hsm::any(hsm::is_over, hsm::is_over));
    });
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    m.agent.finish();
    CHECK(m.tick() == "X b, E a");
    CHECK_FALSE(m.agent.get("Go")); // reset by the transition
}

TEST_CASE("the guard of a satisfied transition is called although no condition matches") {
    int asked = 0;
    auto m = two_states([&](auto& root, auto& a, auto& b) {
        root.to(a).when([&asked](const recorder&) { return ++asked % 2 == 0; });
        a.to(b).when("Go");
    });
    for (const int so_far : {1, 2, 3}) {
        CHECK(m.tick() == "");
        CHECK(asked == so_far);
    }
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
}

TEST_CASE("conditions change while a leaf's tick tests them") {
    auto root = root_of();
    auto& idle = traced_hooks(root->add("idle"));
    auto& busy = traced_hooks(root->add("busy"));
    idle.to(busy).when(hsm::all("Near", "!Tired", 70));
    busy.to(idle).when(hsm::no(hsm::any("Near", 70)));
    busy.on("tire").then([](recorder&, hsm::step<recorder>& s) { s.set("Tired"), s.clear(70), s.clear("Near"); });
    started m(std::move(root));
    for (const auto* c : {"Near", "Tired"}) {
        m.agent.set(c);
        CHECK(m.tick() == "");
    }
    m.agent.set(70);
    CHECK(m.tick() == "");
    m.agent.clear("Tired");
    CHECK(m.tick() == "X idle, E busy");
    CHECK(m.tick() == "");
    m.agent.process("tire");
    CHECK(m.tick() == "X busy, E idle");
    CHECK(m.tick() == "");
}

TEST_CASE("a pulse without a transition ends with its tick") {
    auto m = two_states([](auto& root, auto& a, auto& b) {
        a.to(b).when("Go");
        root.condition("Far", 130);
    });
    CHECK(m.tick() == "");
    m.agent.pulse("Far");
    CHECK(m.agent.drain() == hsm::result::unhandled); // a drain is not a tick
    CHECK(m.agent.get("Far"));
    CHECK(m.tick() == "");
    CHECK_FALSE(m.agent.get("Far"));
}

TEST_CASE("an idle tick refuses negative time, and ends at the maximum time") {
    auto m = two_states([](auto&, auto& a, auto& b) { a.to(b).when("Go"); });
    const auto ns = [](std::int64_t n) { return hsm::time_span::from_nanoseconds(n); };
    const auto end = ns(0x7fff'ffff'ffff'ffff);
    m.agent.tick(ns(7));
    m.agent.tick(ns(7));
    CHECK(m.agent.tick(ns(-1)) == hsm::result::refused);
    CHECK(m.agent.tick(ns(-0x7fff'ffff'ffff'ffff - 1)) == hsm::result::refused);
    CHECK(m.agent.now() == ns(14));
    CHECK(m.agent.tick(end) == hsm::result::unhandled);
    CHECK(m.agent.now() == end);
}
