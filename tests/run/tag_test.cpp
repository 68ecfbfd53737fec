// Tags: names that several states can have, and that queries ask for.

#include <hsm/chart/fingerprint.hpp>
#include <tests/support/findings.hpp>
#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

bool has(const hsm::instance_base& agent, std::string_view name) { return agent.is_in(hsm::tag(name)); }

std::string error_of(const hsm::instance_base& agent, std::string_view name) {
    try {
        static_cast<void>(has(agent, name));
    } catch (const hsm::state_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("an instance has the tags of its active states, including superstates") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& calm = root->add_fsm("calm").tag("vulnerable");
    auto& idle = calm.add("idle").tag("still");
    auto& walk = calm.add("walk");
    auto& rolls = root->add("rolls");
    auto& stunned = root->add("stunned").tag("vulnerable").tag("still");
    idle.to(walk).on<event<1>>();
    walk.to(rolls).on<event<2>>();
    rolls.to(stunned).on<event<3>>();
    started m(std::move(root));
    CHECK((has(m.agent, "vulnerable") && has(m.agent, "still")));
    m.process(event<1>{});
    CHECK((has(m.agent, "vulnerable") && !has(m.agent, "still")));
    m.process(event<2>{});
    CHECK((!has(m.agent, "vulnerable") && !has(m.agent, "still")));
    m.process(event<3>{});
    CHECK((has(m.agent, "vulnerable") && has(m.agent, "still")));
    m.agent.stop();
    CHECK((!has(m.agent, "vulnerable") && !has(m.agent, "still")));
}

TEST_CASE("a tag that no state of the chart has is an error with a suggestion") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("idle").tag("vulnerable");
    started m(std::move(root));
    CHECK(error_of(m.agent, "vulnerabel") ==
          "HSM-202 error at R: no state of this chart has the tag \"vulnerabel\"; hint: did you mean \"vulnerable\"?");
    CHECK(error_of(m.agent, "idle").starts_with("HSM-202"));
    CHECK(error_of(m.agent, "").starts_with("HSM-202"));
}

TEST_CASE("during a transition, a step has the tags of the states that are active at that moment") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").tag("left");
    auto& b = root->add("B").tag("right");
    const auto note = [](recorder& r, hsm::step<recorder>& step) {
        r.note((step.is_in(hsm::tag("left")) ? std::string("left") : "") + (step.is_in(hsm::tag("right")) ? "right" : "") + ".");
    };
    a.on_exit(note);
    a.to(b).on<event<1>>().then(note);
    b.on_enter(note);
    started m(std::move(root));
    CHECK(m.process(event<1>{}) == "left., ., right.");
}

TEST_CASE("with regions, a state of any region is sufficient") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& p = root->add_parallel("P").tag("both");
    auto& one = p.add_fsm("1");
    auto& two = p.add_fsm("2");
    auto& a = one.add("a");
    auto& b = one.add("b").tag("first");
    auto& c = two.add("c");
    auto& d = two.add("d").tag("second");
    a.to(b).on<event<1>>();
    c.to(d).on<event<2>>();
    started m(std::move(root));
    CHECK((has(m.agent, "both") && !has(m.agent, "first") && !has(m.agent, "second")));
    m.process(event<2>{});
    CHECK((has(m.agent, "both") && !has(m.agent, "first") && has(m.agent, "second")));
    m.process(event<1>{});
    CHECK((has(m.agent, "both") && has(m.agent, "first") && has(m.agent, "second")));
}

TEST_CASE("a chart can have more than 64 tags") {
    constexpr int count = 150;
    auto root = hsm::make_fsm<recorder>("R");
    auto& all = root->add_fsm("all").tag("all");
    for (int i = 0; i < count; ++i) all.add("s" + std::to_string(i)).tag("t" + std::to_string(i)).on<event<1>>().then([](recorder&) {});
    started m(std::move(root));
    for (const int active : {0, 63, 64, 65, 127, 128, 149}) {
        CAPTURE(active);
        m.agent.change_to("s" + std::to_string(active));
        for (int i = 0; i < count; ++i) CHECK(has(m.agent, "t" + std::to_string(i)) == (i == active));
        CHECK(has(m.agent, "all"));
    }
}

TEST_CASE("a tag is one word") {
    for (const char* const name : {"", "two words", "a\ttab"}) {
        CAPTURE(name);
        auto root = hsm::make_fsm<recorder>("R");
        root->add("A").tag(name);
        const auto found = hsm::check(*root);
        REQUIRE(found.size() == 1);
        CHECK(found[0].code == hsm::code::bad_name);
        CHECK(found[0].path == "R/A");
    }
}

TEST_CASE("tags are part of the fingerprint and the dump") {
    const auto chart_with = [](const char* tag) {
        auto root = hsm::make_fsm<recorder>("R");
        auto& a = root->add("A");
        if (tag) a.tag(tag);
        return hsm::compile(std::move(root));
    };
    CHECK(chart_with("x").fingerprint() == chart_with("x").fingerprint());
    CHECK(chart_with("x").fingerprint() != chart_with("y").fingerprint());
    CHECK(chart_with("x").fingerprint() != chart_with(nullptr).fingerprint());
    CHECK(chart_with("x").dump().find("[leaf] tag:x") != std::string::npos);
}
