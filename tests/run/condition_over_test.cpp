// The condition is_over, which belongs to the leaf, and the conditions that are reset when a state exits.

#include <tests/support/animation.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

TEST_CASE("a transition by another condition resets nothing") {
    auto root = animation();
    root->to("Run").when("Abort");
    machine m(std::move(root));
    m.agent.set("IsJump");
    m.tick();
    m.agent.set("Abort");
    CHECK(m.tick() == "X Jump, E Run");
    CHECK(m.bits() == "Abort IsJump");
}

TEST_CASE("is_over resets the conditions that led into all exited states") {
    auto root = root_of();
    auto& idle = traced_hooks(root->add("idle"));
    auto& jump = traced_hooks(root->add_fsm("jump"));
    auto& up = traced_hooks(jump.add("up"));
    auto& down = traced_hooks(jump.add("down"));
    auto& landed = traced_hooks(jump.add_final("landed"));
    idle.to(jump).when(hsm::all("IsJump", "!Tired", hsm::any("Grounded", &recorder::go)));
    up.to(down).when("Falls");
    down.to(landed).when("Lands");
    jump.to(idle).when(hsm::is_over); // a final leaf is finished, too
    machine m(std::move(root));
    for (const auto* c : {"IsJump", "Grounded", "Falls"}) m.agent.set(c);
    CHECK(m.tick() == "X idle, E jump, E up, X up, E down");
    m.agent.set("Lands");
    CHECK(m.tick() == "X down, E landed");
    CHECK(m.bits() == "over IsJump Grounded Falls Lands");
    CHECK(m.tick() == "X landed, X jump, E idle");
    CHECK(m.bits() == "Falls");
}

TEST_CASE("is_over resets the conditions of an entry choice") {
    auto root = root_of();
    auto& attack = root->add_fsm("attack");
    auto& slash = traced_hooks(attack.add("slash"));
    auto& shoot = traced_hooks(attack.add("shoot"));
    attack.dispatch(shoot).when("HasBow");
    attack.dispatch(slash);
    shoot.to(slash).when(hsm::is_over);
    auto chart_root = std::move(root);
    auto& strike = chart_root->add("strike");
    strike.to("attack").when("IsAttack");
    machine m(std::move(chart_root));
    m.agent.change_to("strike");
    m.agent.set("IsAttack");
    m.agent.set("HasBow");
    CHECK((m.tick(), m.leaf()) == "shoot");
    m.agent.finish();
    m.r.take();
    CHECK(m.tick() == "X shoot, E slash");
    CHECK(m.bits() == "IsAttack"); // attack has not exited
}

TEST_CASE("is_over with a guard resets conditions; is_over inside other requirements does not") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    a.to(b).when("Go");
    b.to(a).when(hsm::all(hsm::is_over, "Back", &recorder::go));
    machine m(std::move(root));
    m.agent.set("Go");
    m.tick();
    m.agent.finish();
    CHECK(m.tick() == "");
    m.agent.set("Back");
    CHECK(m.tick() == "");
    m.r.go = true;
    CHECK(m.tick() == "X b, E a");
    CHECK(m.bits() == "Back");
    CHECK(m.agent.get(hsm::is_over) == false);
}

TEST_CASE("finish in the enter hook and a local's finished() set is_over") {
    struct brief {
        int left;
        void update(recorder&) { --left; }
        bool finished() const { return left == 0; }
    };
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = root->add("b").on_enter([](recorder& r, hsm::step<recorder>& s) { r.note("E b"), s.finish(); });
    auto& c = traced_hooks(root->add<brief>("c", 2));
    a.to(b).when("Go");
    b.to(c).when(hsm::is_over);
    c.to(a).when(hsm::is_over);
    machine m(std::move(root));
    m.agent.set("Go");
    CHECK(m.tick() == "X a, E b");
    CHECK(m.tick() == "E c");
    CHECK(m.bits() == "");
    CHECK(m.tick() == "");
    CHECK(m.bits() == "over");
    CHECK(m.tick() == "X c, E a");
}

TEST_CASE("is_over is evaluated again after an event that exits nothing") {
    auto root = root_of();
    auto& a = traced_hooks(root->add("a"));
    auto& b = traced_hooks(root->add("b"));
    a.to(b).when(hsm::all(hsm::is_over, "Go"));
    a.on<event<1>>().then(tracing("reacts"));
    machine m(std::move(root));
    m.agent.set("Go");
    CHECK(m.tick() == ""); // from here on the tick watches that the leaf is not finished
    m.agent.clear("Go");
    m.agent.finish();
    m.agent.process(event<1>{});
    m.agent.set("Go");
    SUBCASE("is_over is enough") { CHECK(m.r.take() == "reacts"); }
    SUBCASE("after a tick in which is_over is not enough") {
        m.agent.clear("Go");
        CHECK(m.tick() == "reacts");
        CHECK(m.tick() == "");
        m.agent.set("Go");
    }
    CHECK(m.tick() == "X a, E b");
    m.agent.change_to(b);
    CHECK_FALSE(m.agent.get(hsm::is_over));
}
