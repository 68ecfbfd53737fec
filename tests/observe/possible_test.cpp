// Possible transitions.

#include <hsm/observe/explain.hpp>

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <set>
#include <sstream>
#include <string>

using namespace test;

namespace brawl {
struct hit {
    int power = 0;
};
struct rest {};
} // namespace brawl

namespace {
using brawl::hit;

/// Returns the lines, sorted, because the order of event types depends on the compiler.
std::string explained(const started& m) {
    std::istringstream text(to_string(hsm::possible(m.agent)));
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line + '\n');
    return std::accumulate(lines.begin(), lines.end(), std::string());
}
} // namespace

TEST_CASE("possible lists events with their transitions, and enabled polled transitions") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on("jump").when(&recorder::go);
    a.on("jump").then([](recorder&) {});
    a.to(b).on<brawl::rest>();
    b.to(a).on("back");
    a.to(b).when(&recorder::ready);
    started m(std::move(root));
    CHECK(explained(m) == "brawl::rest: R/A -> R/B on brawl::rest\n"
                          "jump: R/A on jump\n");
    m.r.go = m.r.ready = true;
    CHECK(explained(m) == "brawl::rest: R/A -> R/B on brawl::rest\n"
                          "jump: R/A -> R/B on jump\n"
                          "tick: R/A -> R/B\n");
    m.agent.stop();
    CHECK(hsm::possible(m.agent).empty());
}

TEST_CASE("transitions that depend on the event object, and later ones, are listed as perhaps possible") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<hit>().when([](const recorder&, const hit& h) { return h.power > 3; });
    a.to(b).on<hit>().when([](const auto& r, const hit& h) { return r.go && h.power > 2; });
    a.to(b).on<hit>().when(hsm::all(&recorder::ready, [](const recorder&, const hit& h) { return h.power > 1; }));
    a.on<hit>().then([](recorder&) {});
    a.to(a).on<hit>();
    const started m(std::move(root));
    const auto found = hsm::possible(m.agent);
    CHECK(to_string(found) == "perhaps brawl::hit: R/A -> R/B on brawl::hit\n"
                              "perhaps brawl::hit: R/A -> R/B on brawl::hit\n"
                              "perhaps brawl::hit: R/A -> R/B on brawl::hit\n"
                              "perhaps brawl::hit: R/A on brawl::hit\n");
    REQUIRE(found.all.size() == 4);
    CHECK(found.all[3].transition == 3);
}

TEST_CASE("transitions that would wait and deferred events are not possible") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on("jump");
    a.to(b).on<hit>().when([](const recorder&, const hit&) { return true; });
    a.to(b).on("flee").force();
    a.to(b).when(&recorder::go);
    a.defer<brawl::rest>();
    started m(std::move(root));
    m.r.go = true;
    CHECK(explained(m) == "brawl::rest: R/A keeps brawl::rest\n"
                          "flee: R/A -> R/B on flee\n");
    m.agent.release();
    CHECK(explained(m) == "brawl::rest: R/A keeps brawl::rest\n"
                          "flee: R/A -> R/B on flee\n"
                          "jump: R/A -> R/B on jump\n"
                          "perhaps brawl::hit: R/A -> R/B on brawl::hit\n"
                          "tick: R/A -> R/B\n");
}

TEST_CASE("each region can have a possible transition") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    both.add("L").on("ping").then([](recorder&) {});
    both.add("M").on("ping").then([](recorder&) {});
    const started m(std::move(root));
    CHECK(explained(m) == "ping: R/P/L on ping\nping: R/P/M on ping\n");
}

TEST_CASE("possible lists transitions on any_event with the events that they would take") {
    auto root = root_of();
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on(hsm::any_event);
    b.on<hit>();
    started m(std::move(root));
    const auto lines = explained(m);
    CHECK(lines.find("brawl::hit: R/A -> R/B on any_event\n") != std::string::npos);
    CHECK(lines.find("any_event: R/A -> R/B on any_event\n") != std::string::npos);
    m.agent.process("x");
    CHECK(explained(m) == "brawl::hit: R/B on brawl::hit\n");
}
