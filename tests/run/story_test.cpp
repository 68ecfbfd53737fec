// Wishes and problems of users of other libraries, solved with this one. The numbers are those of the issues in their trackers.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

using namespace test;
using namespace std::chrono_literals;

namespace {

struct player : recorder {
    bool moving = false;
    bool dodge = false;
    int dodge_frames = 0;
    bool still() const { return !moving; }
    bool dodged() const { return dodge_frames == 0; }
};

struct hit {
    int damage = 0;
};
struct attack {};

} // namespace

TEST_CASE("UnityHFSM #13: a dodge ends before the machine around it exits") {
    auto root = hsm::make_fsm<player>("player");
    auto& idle = traced(root->add("idle"));
    auto& movement = traced(root->add_fsm("movement"));
    auto& walk = traced(movement.add("walk"));
    auto& dodge = traced(movement.add("dodge")).hold_until(&player::dodged);
    idle.to(movement).when(&player::moving).force();
    movement.to(idle).when(&player::still);
    walk.to(dodge).when(&player::dodge).force();
    dodge.to(walk).when(&player::dodged);
    dodge.on_enter([](player& p) {
        p.dodge = false;
        p.dodge_frames = 2;
    });
    dodge.on_update([](player& p) { --p.dodge_frames; });
    started_with<player> m(std::move(root));
    m.r.moving = m.r.dodge = true;
    CHECK(m.tick() == "X idle, E movement, E walk, U movement, X walk, E dodge, U dodge");
    SUBCASE("the stick is released during the dodge") {
        m.r.moving = false;
        CHECK(m.tick() == "U movement, U dodge, X dodge, X movement, E idle");
    }
    SUBCASE("the stick is not released") {
        CHECK(m.tick() == "U movement, U dodge");
        CHECK(m.tick() == "U movement, X dodge, E walk, U walk");
    }
}

TEST_CASE("UnityHFSM #50: a state may release itself in its own enter") {
    auto root = root_of();
    auto& a = traced(root->add("first")).hold();
    a.to(traced(root->add("second")));
    a.on_enter([](recorder&, hsm::step<recorder>& s) { s.release(); });
    started m(std::move(root));
    CHECK(m.tick() == "X first, E second, U second");
}

TEST_CASE("UnityHFSM #60: on release the conditions of a waiting transition are evaluated again") {
    auto root = root_of();
    auto& a = traced(root->add("A")).hold();
    auto& wrong = traced(root->add("wrong"));
    auto& right = traced(root->add("right"));
    a.on_update([](recorder& r, hsm::step<recorder>& s) {
        if (!r.ready) return;
        r.go = false; // the waiting transition's condition does not hold any more
        s.release();
    });
    SUBCASE("polled") { a.to(wrong).when(&recorder::go); }
    SUBCASE("by event") { a.to(wrong).on<attack>().when(&recorder::go); }
    a.to(right).when(hsm::no(&recorder::go));
    started m(std::move(root));
    m.r.go = true;
    m.agent.process(attack{});
    CHECK(m.tick() == "U A");
    m.r.ready = true;
    CHECK(m.tick() == "U A");
    CHECK(m.tick() == "X A, E right, U right");
}

TEST_CASE("godot-statecharts #21: a delay of zero ends in the same frame, and its following work, too") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    auto& c = traced(root->add("C"));
    auto& d = traced(root->add("D"));
    a.to(b).on<attack>();
    b.to(c).after(0s).always();
    c.to(d).after(0s).always();
    started m(std::move(root));
    SUBCASE("processed") { CHECK(m.process(attack{}) == "X A, E B, X B, E C, X C, E D"); }
    SUBCASE("in a tick") {
        m.agent.post(attack{});
        CHECK(m.tick(16ms) == "X A, E B, X B, E C, X C, E D, U D");
    }
}

TEST_CASE("godot-statecharts #46: a guard can test how long a state has been active") {
    auto root = root_of();
    auto& idle = traced(root->add("idle"));
    auto& strike = traced(root->add_fsm("strike"));
    auto& wind_up = strike.add("wind_up");
    auto& window = strike.add("window"); // a second attack counts from 0.2 s to 0.3 s only
    auto& recovery = strike.add("recovery");
    auto& second = traced(root->add("second"));
    auto& hurt = traced(root->add("hurt"));
    wind_up.to(window).after(200ms);
    window.to(recovery).after(100ms);
    window.to(second).on<attack>();
    strike.to(idle).after(500ms);
    idle.to(strike).on<attack>();
    root->to(hurt).on<hit>();
    const auto over = hurt.to(idle).after(400ms);
    started m(std::move(root));
    m.process(attack{});
    m.tick(150ms);
    CHECK(m.agent.process(attack{}) == hsm::result::unhandled); // too early
    CHECK(m.agent.time_in_state(strike) == hsm::time_span(150ms));
    m.tick(100ms);
    CHECK(m.agent.is_in(window));
    CHECK(m.agent.time_in_state(window) == hsm::time_span());
    SUBCASE("in the window") { CHECK(m.process(attack{}) == "X strike, E second"); }
    SUBCASE("too late") {
        m.tick(100ms);
        CHECK(m.agent.process(attack{}) == hsm::result::unhandled);
        CHECK(m.agent.time_in_state(strike) == hsm::time_span(350ms)); // transitions inside it do not restart it
        m.tick(150ms);
        CHECK(m.path() == "R/idle");
    }
    SUBCASE("a second hit restarts the hurt time, and time_left reports the rest") {
        m.process(hit{});
        m.tick(300ms);
        CHECK(m.agent.time_left(over) == hsm::time_span(100ms));
        m.process(hit{}); // once more
        CHECK(m.agent.time_left(over) == hsm::time_span(400ms));
        m.tick(400ms);
        CHECK(m.path() == "R/idle");
    }
}

TEST_CASE("godot-statecharts #148: two delays of one state run at the same time, and the first due one fires") {
    struct target_reached {};
    auto root = root_of();
    auto& think = traced(root->add("think"));
    auto& explore = traced(root->add_fsm("explore"));
    auto& searching = explore.add("searching");
    auto& reached = explore.add("reached");
    auto& grab = traced(root->add("grab"));
    think.to(explore).on<attack>();
    explore.to(think).after(8s);
    searching.to(reached).on<target_reached>();
    reached.to(grab).after(4s);
    started m(std::move(root));
    m.process(attack{});
    SUBCASE("reached early: four seconds later") {
        m.tick(1s);
        m.process(target_reached{});
        CHECK(m.tick(3999ms) == "U explore");
        CHECK(m.tick(1ms) == "X explore, E grab, U grab");
    }
    SUBCASE("reached late: the time has passed before") {
        m.tick(5s);
        m.process(target_reached{});
        CHECK(m.tick(3s) == "X explore, E think, U think");
    }
    SUBCASE("never reached") {
        CHECK(m.tick(7999ms) == "U explore");
        CHECK(m.tick(1ms) == "X explore, E think, U think");
    }
}

TEST_CASE("HFSM2 #6: enter hooks receive the source, the event, and its payload") {
    auto root = root_of();
    auto& fight = root->add_fsm("fight");
    auto& run = root->add("run");
    auto& hurt = root->add_fsm("hurt");
    auto& light = hurt.add("light");
    auto& heavy = hurt.add("heavy");
    const auto note_cause = [](recorder& r, hsm::step<recorder>& s) {
        r.note(std::string(s.state().name()) + " after " + std::string(s.previous().name()) + " by " + std::string(to_string(s.reason())) + " " +
               std::to_string(s.event<hit>()->damage));
    };
    fight.add("stab");
    root->to(hurt).on<hit>();
    hurt.on_enter([](recorder& r, hsm::step<recorder>& s) { r.go = s.event<hit>()->damage > 10; });
    hurt.on_enter(note_cause);
    hurt.dispatch(heavy).when(&recorder::go); // depends on the event
    hurt.dispatch(light);
    light.on_enter(note_cause);
    heavy.on_enter(note_cause);
    started m(std::move(root));
    CHECK(m.process(hit{3}) == "hurt after stab by event 3, light after stab by entry 3");
    m.change_to(run);
    CHECK(m.process(hit{30}) == "hurt after run by event 30, heavy after run by entry 30");
}

TEST_CASE("HFSM2 #49: states that request each other in their updates do not hang a tick") {
    struct enable {};
    struct disable {};
    auto root = root_of();
    auto& disabled = traced(root->add("disabled"));
    auto& enabled = traced(root->add_fsm("enabled"));
    auto& active = traced(enabled.add_fsm("active"));
    auto& idle = traced(enabled.add("idle"));
    const auto last_step = [&](const char* name) -> hsm::state<recorder>& {
        return traced(active.add(name)).on_update([](recorder&, hsm::step<recorder>& s) { s.finish(); });
    };
    auto& a = last_step("A");
    auto& b = last_step("B");
    auto& end = active.add_final("end");
    a.to(b).on_finished();
    b.to(end).on_finished();
    active.to(idle).on_finished();
    disabled.on_update([&](recorder& r) { return r.go ? &enabled : nullptr; });
    disabled.to(enabled).on<enable>();
    root->to(disabled).on<disable>();
    started m(std::move(root));
    m.r.go = true;
    CHECK(m.tick() == "U disabled, X disabled, E enabled, E active, E A");
    CHECK(m.tick() == "U enabled, U active, U A, X A, E B");
    CHECK(m.process(disable{}) == "X B, X active, X enabled, E disabled");
    CHECK(m.tick() == "U disabled, X disabled, E enabled, E active, E A");
    m.tick();
    CHECK(m.tick() == "U enabled, U active, U B, X B, X active, E idle");
}

TEST_CASE("HFSM2 #49: an endless chain is reported, and the machine can continue") {
    auto root = root_of();
    auto& off = root->add("off");
    auto& ping = root->add("ping");
    auto& pong = root->add("pong");
    ping.to(pong).always();
    pong.to(ping).always();
    off.to(ping).on<attack>();
    root->to(off).on<hit>();
    started m(std::move(root));
    std::string message;
    try {
        m.agent.process(attack{});
    } catch (const hsm::chain_error& e) {
        message = e.what();
    }
    CHECK((message.find("R/ping -> R/pong -> R/ping") != message.npos || message.find("R/pong -> R/ping -> R/pong") != message.npos));
    CHECK(m.agent.process(hit{}) == hsm::result::taken);
    CHECK(m.path() == "R/off");
}
