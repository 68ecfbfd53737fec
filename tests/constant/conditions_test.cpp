// Conditions of constant charts. They have the same results as in a chart compiled at run time from the same definition.

#include <hsm/observe/explain_constant.hpp>
#include <tests/constant/both_kinds.hpp>

using namespace test;

namespace {

constexpr auto moves = hsm::constant_chart<trace_context>([](auto& root) {
    auto& idle = add<"idle">(root);
    auto& run = add<"run">(root);
    auto& attack = add_machine<"attack">(root);
    auto& slash = add<"slash">(attack);
    auto& thrust = add<"thrust">(attack);
    auto& fall = add<"fall">(root);
    attack.dispatch(thrust).when("IsNear").when(hsm::no("IsTired"));
    attack.dispatch(slash);
    idle.to(run).when("IsRun").when("!IsTired");
    idle.to(attack).on(key::A).when(hsm::all("IsArmed", &trace_context::go, hsm::any("IsGrounded", "!IsRun")));
    run.to(idle).when(hsm::no(hsm::all("IsRun", "!IsTired")));
    run.on(key::B).when("IsNear").then(notes<"near">);
    attack.to(idle).when(hsm::no(hsm::any("IsArmed", "IsRun")));
    root.to(fall).when(hsm::no("IsGrounded")).priority(1);
    fall.to(idle).when("IsGrounded");
});

constexpr auto mixed = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).on(key::A).when(hsm::any("Angry", hsm::all(&trace_context::go, "!Calm")));
    b.to(a).on(key::A).when(hsm::no(hsm::all(&trace_context::go, "Calm")));
});

} // namespace

TEST_CASE("conditions of a constant chart select transitions by name and by negated name") {
    same_text<moves> m;
    m.both([](auto& agent) { return agent.set("IsGrounded"), agent.start(); });
    CHECK(m.tick() == "U idle");
    m.both([](auto& agent) { return agent.set("IsRun"), agent.tick(); });
    CHECK(m.path() == "root/run");
    m.both([](auto& agent) { return agent.set("IsTired"), agent.tick(); });
    CHECK(m.path() == "root/idle");
    m.both([](auto& agent) { return agent.clear("IsGrounded"), agent.tick(); });
    CHECK(m.path() == "root/fall");
}

TEST_CASE("conditions of a constant chart cause the same records as in a chart compiled at run time") {
    both_kinds<moves> both;
    both([](auto& agent) { agent.set("IsGrounded"); });
    both([](auto& agent) { agent.start(); });
    both([](auto& agent) { agent.set("IsRun"), agent.tick(); });
    CHECK(both.constant.is_in("run"));
    both([](auto& agent) { agent.process(key::B), agent.set("IsNear"), agent.process(key::B); });
    both([](auto& agent) { agent.set("IsTired"), agent.tick(); });
    CHECK(both.constant.is_in("idle"));
    both.ordinary_context.go = both.constant_context.go = true;
    both([](auto& agent) { agent.process(key::A), agent.set("IsArmed"), agent.process(key::A); });
    CHECK(both.constant.is_in("attack/slash"));
    both([](auto& agent) { agent.clear("IsTired"), agent.set("IsRun", false), agent.clear("IsArmed"), agent.tick(); });
    CHECK(both.constant.is_in("idle"));
    both([](auto& agent) { agent.set("IsArmed"), agent.process(key::A); });
    CHECK(both.constant.is_in("attack/thrust"));
    both([](auto& agent) { agent.clear(), agent.tick(); });
    CHECK(both.constant.is_in("fall"));
    CHECK_FALSE(both.constant.get("IsGrounded"));
}

TEST_CASE("a constant chart tests conditions and guards together") {
    both_kinds<mixed> both;
    const auto plays = [&] {
        for (int bits = 0; bits < 8; ++bits) {
            both.ordinary_context.go = both.constant_context.go = bits & 1;
            both([&](auto& agent) { agent.set("Angry", bits & 2), agent.set("Calm", bits & 4), agent.process(key::A); });
        }
    };
    both([](auto& agent) { agent.start(); });
    plays();
    both([](auto& agent) { agent.stop(), agent.start(); });
    plays();
    trace_context c;
    const auto converted = hsm::compile(hsm::definition_of(mixed));
    hsm::instance<trace_context> agent(converted, c);
    agent.start();
    CHECK(agent.process(key::A) == hsm::result::guarded);
    agent.set("Angry");
    CHECK(agent.process(key::A) == hsm::result::taken);
}

TEST_CASE("explain uses the conditions of a constant instance") {
    trace_context c;
    hsm::constant_instance<moves> agent(c);
    agent.set("IsGrounded");
    agent.start();
    CHECK(to_string(hsm::why_not(agent, "run")).find("IsRun") != std::string::npos);
    agent.set("IsRun");
    CHECK(to_string(hsm::why_not(agent, "run")).find("needs") == std::string::npos);
}

TEST_CASE("only a constant chart with conditions stores them") {
    static constexpr auto plain = hsm::constant_chart<trace_context>([](auto& root) { root.add("a"); });
    CHECK(sizeof(hsm::constant_instance<plain>) == 2 * sizeof(void*));
    CHECK(sizeof(hsm::constant_instance<mixed>) == sizeof(std::uint64_t) + 2 * sizeof(void*));
}
