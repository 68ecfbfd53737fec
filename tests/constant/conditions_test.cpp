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

// A machine in the style of BitFSM: entries need bits, and a finished substate clears those of its entry.
constexpr auto fighter = hsm::constant_chart<trace_context>([](auto& root) {
    const auto jump = root.condition("Jump").trigger();
    const auto armed = root.condition();
    root.condition("Block", 9);
    auto& idle = add<"idle">(root).tag("free");
    auto& attack = add_machine<"attack">(root).tag("busy");
    auto& slash = add<"slash">(attack);
    auto& done = attack.add_final("done");
    auto& leap = add_machine<"leap">(root).tag("busy");
    auto& up = add<"up">(leap).tag("free");
    auto& down = leap.add_final("down");
    attack.dispatch(slash).when("Slash");
    attack.initial(done);
    idle.to(attack).when("IsAttack").when(!armed);
    idle.to(leap).when(hsm::any(jump, "Fly"));
    slash.to(done).when(-9);
    attack.to(idle).when(hsm::is_over).then(notes<"over">);
    up.to(down).when(jump).on(key::A);
    leap.to(idle).when(hsm::is_over).when(hsm::no(hsm::all("Slash", &trace_context::go)));
    root.on(key::B).when(jump).then(notes<"reaction">);
    root.on(key::C).when(hsm::any(hsm::is_over, &trace_context::go)).then(notes<"finished">);
});

constexpr auto doors = hsm::constant_chart<trace_context, hsm::decision_order::substate_first>([](auto& root) {
    const auto jump = root.condition("Jump").trigger();
    auto& both = root.add_parallel("both");
    auto& a = add_machine<"a">(both);
    auto& b = add_machine<"b">(both);
    auto& a1 = add<"a1">(a);
    auto& a2 = a.add_final("a2");
    auto& b1 = add<"b1">(b);
    auto& b2 = b.add_final("b2");
    auto& end = add<"end">(root);
    a1.to(a2).when("Open").when(jump).on(key::A);
    b1.to(b2).when("Open").on(key::A);
    a.on(key::B).when(hsm::is_over).then(notes<"a is over">);
    b1.to(b1).when(jump).on(key::A).priority(-1);
    both.to(end).when(hsm::is_over);
    end.to(both).when("Again");
});

// The entry choice of `left` requires another condition than the transition that enters the parallel.
constexpr auto entries = hsm::constant_chart<trace_context>([](auto& root) {
    auto& a = add<"a">(root);
    auto& both = root.add_parallel("both");
    auto& left = add_machine<"left">(both);
    auto& right = add_machine<"right">(both);
    auto& x = add<"x">(left);
    auto& y = add<"y">(left);
    auto& done = right.add_final("done");
    auto& next = add<"next">(right);
    left.dispatch(x).when("Left");
    left.initial(y);
    a.to(both).on(key::A).when("Begin");
    a.to(done).on(key::C).when("Next");
    right.to(next).on(key::B).when(hsm::is_over);
});

// Guards test triggers and the conditions of entries.
constexpr auto asking = hsm::constant_chart<trace_context>([](auto& root) {
    const auto hit = root.condition("Hit").trigger();
    auto& a = add<"a">(root);
    auto& m = add_machine<"m">(root);
    auto& done = m.add_final("done");
    m.initial(done);
    a.to(m).on(key::A).when(hsm::any(&trace_context::go, "Hit"));
    a.to(m).on(key::B).when(hsm::no(hsm::all(&trace_context::go, !hit, "Calm")));
    a.to(m).on(key::C).when("Calm").when("Hit");
    m.to(a).on(key::A).when(hsm::any(hsm::is_over, hsm::is_over));
    m.to(a).on(key::B).when(hsm::any(hsm::is_over, "Calm"));
    m.to(a).on(key::C).when(hsm::no(hsm::all(&trace_context::ready, !hsm::is_over)));
});

// Nothing but is_over is tested.
struct job {
    bool finished(const trace_context& w) const { return w.ready; }
};
constexpr auto finishing = hsm::constant_chart<trace_context>([](auto& root) {
    auto& m = add_machine<"m">(root);
    auto& work = m.template add<job>("work");
    auto& done = m.add_final("done");
    auto& idle = add<"idle">(root);
    work.to(idle).when(hsm::is_over).then(notes<"over">);
    work.to(done).on(key::A);
    m.to(idle).on(key::B).when(hsm::is_over);
    idle.to(m).on(key::B);
});

constexpr hsm::constant_chart_options with_pulses{hsm::decision_order::superstate_first, false, false, true};
constexpr auto blinks = hsm::constant_chart<trace_context, with_pulses>([](auto& root) {
    auto& a = add<"a">(root);
    auto& b = add<"b">(root);
    a.to(b).when("Hit");
    b.to(a).when("Hit").when("Ready");
    a.on(key::A).when("Hit").then(notes<"hit">);
    b.condition("Last", 9);
    b.condition("Late");
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
    CHECK(sizeof(hsm::constant_instance<blinks>) == 3 * sizeof(std::uint64_t) + 2 * sizeof(void*));
}

TEST_CASE("a transition of a constant chart uses up the triggers that it requires") {
    both_kinds<fighter> both;
    both([](auto& agent) { agent.start(), agent.trigger("Jump"), agent.process(key::B); });
    CHECK(both.constant.get("Jump"));
    both([](auto& agent) { agent.tick(); });
    CHECK(both.constant.is_in("leap/up"));
    CHECK_FALSE(both.constant.get("Jump"));
    both([](auto& agent) { agent.process(key::A), agent.trigger("Jump"), agent.process(key::A); });
    CHECK_FALSE(both.constant.get("Jump"));
    both([](auto& agent) { agent.process(key::C), agent.tick(); });
    CHECK(both.constant.is_in("idle"));
}

TEST_CASE("a transition of a constant chart that requires is_over clears the conditions of the entries") {
    both_kinds<fighter> both;
    both([](auto& agent) { agent.start(), agent.set("IsAttack"), agent.set("Slash"), agent.set(9), agent.tick(); });
    CHECK(both.constant.is_in("slash"));
    both([](auto& agent) { agent.set("Block", false), agent.tick(); });
    CHECK(both.constant.is_in("attack/done"));
    CHECK(both.constant.get("IsAttack"));
    both([](auto& agent) { agent.tick(); });
    CHECK(both.constant.is_in("idle"));
    CHECK_FALSE(both.constant.get("IsAttack"));
    CHECK(both.constant.get("Slash")); // the entry of the final state required nothing
}

TEST_CASE("regions of a constant chart have their own is_over, and use triggers together") {
    same_text<doors> m;
    m.start();
    m.both([](auto& agent) { return agent.set("Open"), agent.trigger("Jump"), agent.process(key::A); });
    CHECK_FALSE(m.constant_agent().get("Jump"));
    CHECK(m.process(key::B) == "a is over");
    m.tick();
    CHECK(m.path() == "root/end");
    CHECK_FALSE(m.constant_agent().get("Open")); // the final states were entered by transitions that required it
    m.both([](auto& agent) { return agent.set("Again"), agent.set("Open"), agent.tick(); });
    m.both([](auto& agent) { return agent.trigger("Jump"), agent.process(key::A); });
    m.tick();
    CHECK(m.path() == "root/end");
    CHECK_FALSE(m.constant_agent().get("Again"));
}

TEST_CASE("all regions of a constant chart are entered by the transition that enters their parallel") {
    same_text<entries> m;
    const auto play = [&](key first, bool begin) {
        m.both([](auto& agent) { return agent.set("Begin"), agent.set("Left"), agent.set("Next"), agent.start(); });
        m.process(first);
        m.process(key::B); // leaves the final state
        m.both([&](auto& agent) {
            CHECK(agent.get("Begin") == begin);
            CHECK(agent.get("Left"));
            CHECK(agent.get("Next") != begin);
            return agent.stop();
        });
    };
    play(key::A, false); // the condition of the transition that entered the final state is cleared
    play(key::C, true);
}

TEST_CASE("a constant chart can test is_over without other conditions") {
    both_kinds<finishing> both;
    both([](auto& agent) { agent.start(), agent.process(key::B), agent.process(key::A), agent.process(key::B); });
    CHECK(both.constant.is_in("idle"));
    both([](auto& agent) { agent.process(key::B), agent.tick(); });
    CHECK(both.constant.is_in("work"));
    both.ordinary_context.ready = both.constant_context.ready = true;
    both([](auto& agent) { agent.tick(), agent.tick(); });
    CHECK(both.constant.is_in("idle"));
}

TEST_CASE("guards of a constant chart use triggers and conditions of entries, also if it is converted") {
    both_kinds<asking> both;
    const auto converted = hsm::compile(hsm::definition_of(asking));
    CHECK(converted.dump() == both.chart.dump());
    trace_context c;
    hsm::instance<trace_context> other(converted, c);
    for (int calls = 0; calls < 9; ++calls)
        for (const bool go : {false, true}) {
            const auto does = [&](auto& agent) {
                agent.set("Calm"), agent.trigger("Hit"), agent.start();
                agent.process(static_cast<key>(calls / 3)), agent.process(static_cast<key>(calls % 3));
            };
            both.ordinary_context.go = both.constant_context.go = c.go = go;
            both(does), does(other);
            CHECK(both.constant.is_in("a"));
            for (const bool is_set : {both.ordinary.get("Calm"), other.get("Calm")}) CHECK(is_set == both.constant.get("Calm"));
            for (const bool is_set : {both.ordinary.get("Hit"), other.get("Hit")}) CHECK(is_set == both.constant.get("Hit"));
            CHECK_FALSE(both.constant.get("Hit"));
            CHECK(both.constant.get("Calm") == (calls != 6)); // entered by C, and left because is_over is required
            both([](auto& agent) { agent.stop(); }), other.stop();
        }
}

TEST_CASE("a pulse of a constant chart lasts until the end of the next tick") {
    both_kinds<blinks> both;
    both([](auto& agent) { agent.start(), agent.pulse("Hit"), agent.process(key::A), agent.update(hsm::time_span()); });
    CHECK(both.constant.get("Hit"));
    both([](auto& agent) { agent.tick(); });
    CHECK(both.constant.is_in("b"));
    CHECK_FALSE(both.constant.get("Hit"));
    both([](auto& agent) { agent.pulse("Ready"), agent.set("Ready"), agent.tick(), agent.pulse("Hit"), agent.decide(); });
    CHECK(both.constant.is_in("a"));
    CHECK(both.constant.get("Ready"));
    both([](auto& agent) { agent.pulse("Hit"), agent.pulse("Late"), agent.pulse("Last"), agent.set("Ready", false), agent.tick(); });
    both([](auto& agent) { agent.set("Ready"), agent.pulse("Hit"), agent.set("Late"), agent.set("Last"), agent.clear(), agent.tick(); });
    CHECK(both.constant.is_in("b"));
}

TEST_CASE("states of a constant chart have tags") {
    trace_context c;
    hsm::constant_instance<fighter> agent(c);
    agent.start();
    CHECK(agent.is_in(hsm::tag("free")));
    CHECK_FALSE(agent.is_in(hsm::tag("busy")));
    agent.set("Fly"), agent.tick();
    CHECK(agent.is_in(hsm::tag("free")));
    CHECK(agent.is_in(hsm::tag("busy")));
    hsm::instance<trace_context> ordinary(hsm::chart_of(fighter), c);
    ordinary.start();
    CHECK(ordinary.is_in(hsm::tag("free")));
}

TEST_CASE("explain uses the conditions without names of a constant instance") {
    trace_context c;
    hsm::constant_instance<fighter> agent(c);
    agent.set(9);
    agent.set("IsAttack");
    agent.start();
    CHECK(hsm::to_string(hsm::why_not(agent, "attack")).find("IsAttack") == std::string::npos);
}
